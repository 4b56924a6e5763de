import { useState } from 'react'
import type { Call, CallState } from '../rtc/call-state.ts'

/** Something of one's own that is on or off, and what changes it; pressed again while it changes, it waits. */
export type OnOff = { on: boolean; pending: boolean; turn: () => void }
export type Switches = { audio: OnOff; video: OnOff; screen: OnOff }

export const sharesScreen = () =>
  Boolean((navigator.mediaDevices as MediaDevices | undefined)?.getDisplayMedia)

/** Microphone, camera and screen of a call; `onTrouble` hears of what the browser refused when one was turned on. */
export function useSwitches(
  { call, state }: { call: Call; state: CallState },
  onTrouble: () => void,
): Switches {
  const [pending, setPending] = useState<string | null>(null)
  const of = (name: 'audio' | 'video' | 'screen', set: (on: boolean) => Promise<void>): OnOff => ({
    on: state.media[name],
    pending: pending === name,
    turn: () => {
      if (pending) return
      setPending(name)
      const wanted = !state.media[name]
      void set(wanted).finally(() => {
        setPending(null)
        const { problem } = call.state()
        // Who closes the browser's choice of a screen knows that they did.
        const isOwnWish = problem?.of === 'screen' && problem.because === 'denied'
        if (wanted && problem && !isOwnWish && !call.state().media[name]) onTrouble()
      })
    },
  })
  return {
    audio: of('audio', call.setAudio),
    video: of('video', call.setVideo),
    screen: of('screen', (on) => (sharesScreen() ? call.setScreen(on) : Promise.resolve())),
  }
}
