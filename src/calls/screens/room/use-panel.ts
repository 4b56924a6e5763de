import { useEffect, useState } from 'react'
import type { CallSide } from '../../rules/room.ts'
import type { Call, CallState } from '../rtc/call-state.ts'

export type PanelTab = 'chat' | 'aside'

/** What goes beside the picture; over it on a phone. */
export type Panel = {
  open: PanelTab | null
  unread: number
  show: (tab: PanelTab) => void
  toggle: (tab: PanelTab) => void
  close: () => void
}

/** The panel's own element, and the buttons that open it. */
export const panelId = 'panel'
export const chatButtonId = 'chat'
export const moreButtonId = 'more'

/** On a desk it is open from the beginning. */
const first = (aside: boolean): PanelTab | null => {
  if (!matchMedia('(width >= 64rem)').matches) return null
  return aside ? 'aside' : 'chat'
}

type Facts = { appointmentId: string; aside: boolean; chat: CallState['chat']; side: CallSide }

/** How many chat lines this tab has shown: a reload loads them all again. */
const readKey = (appointmentId: string) => `carga.call.read.${appointmentId}`

/** Which part of the panel is open, and how many lines came while the chat was not. */
export function usePanel({ appointmentId, aside, chat, side }: Facts): Panel {
  const [open, setOpen] = useState(() => first(aside))
  const theirs = chat.filter((line) => line.side !== side).length
  const [read, setRead] = useState(() => Number(sessionStorage.getItem(readKey(appointmentId)) ?? 0))
  if (open === 'chat' && theirs > read) setRead(theirs)
  useEffect(() => sessionStorage.setItem(readKey(appointmentId), String(read)), [appointmentId, read])
  const show = (tab: PanelTab) => {
    setOpen(tab)
    // Once it is drawn.
    requestAnimationFrame(enterPanel)
  }
  const close = () => {
    if (!open) return
    const hadFocus = document.getElementById(panelId)?.contains(document.activeElement)
    setOpen(null)
    if (hadFocus) document.getElementById(chatButtonId)?.focus()
  }
  return {
    open,
    unread: Math.max(0, theirs - read),
    show,
    toggle: (tab) => (open === tab ? close() : show(tab)),
    close,
  }
}

/**
 * The on-screen keyboard would cover what was just opened: where there is no other, the panel itself gets the focus.
 */
function enterPanel() {
  const panel = document.getElementById(panelId)
  const field = panel?.querySelector<HTMLElement>('[data-state="active"] textarea')
  const target = matchMedia('(pointer: fine)').matches ? field : panel
  ;(target ?? panel)?.focus()
}

/** A device of the user's that is on or off, and its switch; while it changes, another press waits. */
export type OnOff = { on: boolean; pending: boolean; turn: () => void }
export type Switches = { audio: OnOff; video: OnOff; screen: OnOff }

export const sharesScreen = () =>
  Boolean((navigator.mediaDevices as MediaDevices | undefined)?.getDisplayMedia)

/** Microphone, camera and screen of a call; `onTrouble` runs when the browser refused to turn one on. */
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
        // A user who closed the browser's choice of a screen knows that they did.
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
