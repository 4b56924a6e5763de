import { useEffect, useState, useSyncExternalStore } from 'react'
import { useRevalidator } from 'react-router'
import type { Media } from '../../domain/calls/schema.ts'
import type { CallRoomProps } from './call-room.tsx'
import { rememberedDevices } from './device-choice.ts'
import { Ended } from './ended.tsx'
import { Returning } from './returning.tsx'
import { Announcer } from './room/announcer.tsx'
import { InRoom } from './room/in-room.tsx'
import { Lobby } from './room/lobby.tsx'
import type { Call, CallState, DeviceChoice } from './rtc/call-state.ts'
import { answerOtherTabs, isInAnotherTab } from './rtc/other-tab.ts'
import { useStepHeading } from './use-step-heading.ts'

/** What every screen of a call gets. */
export type OnCall = CallRoomProps & {
  call: Call
  state: CallState
  devices: DeviceChoice
  onDevices: (devices: DeviceChoice) => void
}
type CallOnProps = CallRoomProps & {
  call: Call
  /** Enters by itself. */
  joins: boolean
  /** What one sent when one was here before. */
  before: Media | null
  /** Comes back with what one sent last: nobody's camera goes on by surprise. */
  onAgain: (sent: Media | null) => void
}

/** The screen that fits what a call is in, and what holds for all of them. */
export function CallOn({ before, onAgain, ...props }: CallOnProps) {
  const { call, entry } = props
  // Decided once: the place of another tab that loses its connection later is not taken from it.
  const [joins] = useState(props.joins)
  const state = useSyncExternalStore(call.subscribe, call.state)
  const [devices, setDevices] = useState(rememberedDevices)
  const isElsewhere = useOtherTab(entry.appointmentId, state)
  useReturn({ call, joins, before, devices })
  useFresh(state)
  const sent = useSent(state)
  const step = stepOf(state, joins)
  useStepHeading(step)
  const screen = { ...props, state, devices, onDevices: setDevices }
  return (
    <>
      <Announcer state={state} />
      {step === 'returning' && <Returning {...screen} />}
      {step === 'lobby' && <Lobby {...screen} isElsewhere={isElsewhere} />}
      {(step === 'waiting' || step === 'talking') && <InRoom {...screen} />}
      {step === 'ended' && <Ended {...screen} onAgain={() => onAgain(sent)} />}
    </>
  )
}

function stepOf({ phase }: CallState, returns: boolean) {
  if (phase !== 'lobby' && phase !== 'joining') return phase
  return returns ? 'returning' : 'lobby'
}

/** Whether the call is open in another tab of this browser; this one answers the same question as long as it is in the room. */
function useOtherTab(appointmentId: string, { phase }: CallState): boolean {
  const [isElsewhere, setIsElsewhere] = useState(false)
  const isIn = phase === 'waiting' || phase === 'talking'
  useEffect(() => {
    let isShown = true
    void isInAnotherTab(appointmentId).then((found) => isShown && setIsElsewhere(found))
    return () => {
      isShown = false
    }
  }, [appointmentId])
  useEffect(() => {
    if (isIn) return answerOtherTabs(appointmentId)
  }, [appointmentId, isIn])
  return isElsewhere
}

/** What was sent last from within the room; leaving it lets all devices go. */
function useSent({ phase, media }: CallState): Media | null {
  const [sent, setSent] = useState<Media | null>(null)
  const isIn = phase === 'waiting' || phase === 'talking'
  if (isIn && media !== sent) setSent(media)
  return sent
}

type Return = Pick<CallOnProps, 'call' | 'joins' | 'before'> & { devices: DeviceChoice }

/** Enters without being asked, with what was on before. */
function useReturn(wanted: Return) {
  const [{ call, joins, before, devices }] = useState(wanted)
  useEffect(() => {
    if (!joins) return
    const { audio = true, video = true } = before ?? {}
    // The place first: some browsers ask for camera and microphone again after every reload.
    call.join()
    void call.preview({ audio, video, devices })
  }, [call, joins, before, devices])
}

/** The page is read again when it may have changed without this screen: the call is over, or the server was away. */
function useFresh({ phase, link }: CallState) {
  const { revalidate } = useRevalidator()
  const [wasLost, setWasLost] = useState(false)
  if (link === 'lost' && !wasLost) setWasLost(true)
  const isDue = phase === 'ended' || (link === 'open' && wasLost)
  useEffect(() => {
    if (!isDue) return
    setWasLost(false)
    void revalidate()
  }, [isDue, revalidate])
}
