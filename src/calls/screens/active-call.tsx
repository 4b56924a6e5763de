import {
  Clock,
  LoaderCircle,
  LogIn,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  PhoneOff,
  UserRoundCheck,
} from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useRevalidator } from 'react-router'
import { Help } from '../../kit/help.tsx'
import { theTime } from '../../shared/format.ts'
import { Button, buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { CallEntry } from '../queries.ts'
import type { EndedBecause } from '../rules/protocol.ts'
import type { Media } from '../rules/schema.ts'
import { rememberedDevices } from './device-choice.ts'
import { LobbyHeader } from './lobby-header.tsx'
import { Announcer } from './room/announcer.tsx'
import { InRoom } from './room/in-room.tsx'
import { Lobby } from './room/lobby.tsx'
import type { CallRoomProps, OnCall } from './room/props.ts'
import type { Call, CallState, DeviceChoice } from './rtc/call-state.ts'
import { answerOtherTabs, isInAnotherTab } from './rtc/other-tab.ts'

type CallOnProps = CallRoomProps & {
  call: Call
  /** Joins without a press. */
  joins: boolean
  /** What one sent when one was here before. */
  before: Media | null
  /** Comes back with the media sent last, so that no camera turns on by surprise. */
  onAgain: (sent: Media | null) => void
}

/** The screen that fits what a call is in, and what holds for all of them. */
export function CallOn({ before, onAgain, ...props }: CallOnProps) {
  const { call, entry } = props
  // Decided once: it never takes the place of another tab that loses its connection later.
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

/** Whether the call is open in another tab of this browser; this tab answers the same question while in the room. */
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

/** The media sent last from within the room; leaving it releases all devices. */
function useSent({ phase, media }: CallState): Media | null {
  const [sent, setSent] = useState<Media | null>(null)
  const isIn = phase === 'waiting' || phase === 'talking'
  if (isIn && media !== sent) setSent(media)
  return sent
}

type Return = Pick<CallOnProps, 'call' | 'joins' | 'before'> & { devices: DeviceChoice }

/** Enters without asking, with the media that were on before. */
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

/** Revalidates when the page may have changed without this screen: the call is over, or the server was lost. */
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

/** Between a reload and being in the room again. */
const Returning = ({ entry, backTo }: OnCall) => (
  <>
    <LobbyHeader entry={entry} backTo={backTo} title="Volviendo a la llamada" />
    <p role="status" className="flex items-center gap-2 text-mute">
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      Guardamos tu lugar. Un momento…
    </p>
  </>
)

/** When a step of a call removes the focused element, its heading gets the focus, unless the user types or chooses. */
function useStepHeading(step: string) {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (document.activeElement && document.activeElement !== document.body) return
    const heading = document.querySelector<HTMLElement>('[data-call] h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.classList.add('outline-none')
    heading.focus({ preventScroll: true })
  }, [step])
}

type Words = {
  icon: LucideIcon
  title: string
  text: (entry: CallEntry) => string
  again?: string
  alone?: true
}

const words: Record<EndedBecause, Words> = {
  left: {
    icon: LogOut,
    title: 'Saliste de la llamada',
    text: () => 'Puedes volver a entrar mientras la llamada siga abierta.',
    again: 'Volver a entrar',
  },
  replaced: {
    icon: MonitorSmartphone,
    title: 'Abriste la llamada en otra pestaña o dispositivo',
    text: () => 'Sigue allá. Si entras aquí, el otro lugar sale de la llamada.',
    again: 'Entrar aquí',
  },
  over: {
    icon: PhoneOff,
    title: 'La llamada terminó',
    text: () => 'Lo que sigue está en la página de tu cita.',
  },
  early: {
    icon: Clock,
    title: 'La sala todavía no abre',
    text: ({ opensAt }) => `Cambió la hora de la cita. Vuelve a ${theTime(opensAt)}`,
    again: 'Volver a intentar',
  },
  not_yours: {
    icon: UserRoundCheck,
    title: 'Otra persona tomó la llamada',
    text: () => 'Ya la atiende alguien más, así que saliste de la sala.',
    alone: true,
  },
  signed_out: {
    icon: LogIn,
    title: 'Tu sesión terminó',
    text: () => 'Inicia sesión y vuelve a entrar a la llamada.',
    alone: true,
  },
}

/** Out of the room: why, and the next step. */
function Ended({ entry, backTo, state, onAgain, noWay }: OnCall & { onAgain: () => void }) {
  const because = state.ended ?? 'left'
  const { icon: Icon, title, text, again, alone } = words[because]
  return (
    <>
      <LobbyHeader entry={entry} backTo={backTo} title={title} />
      <Card className="max-w-xl">
        <p className="flex gap-3">
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-brand" />
          {text(entry)}
        </p>
        <div className="flex flex-wrap gap-3">
          {again && <Button onClick={onAgain}>{again}</Button>}
          {because === 'signed_out' ? (
            <a className={buttonClass()} href="/signin">
              Iniciar sesión
            </a>
          ) : (
            <LinkButton to={backTo} variant={again ? 'ghost' : 'primary'}>
              Volver a la cita
            </LinkButton>
          )}
        </div>
      </Card>
      {entry.side === 'customer' && (alone || because === 'left') && (
        <section className="grid max-w-xl gap-3">
          <Help about={`Hola, necesito ayuda con mi videollamada ${entry.folio}`} />
          {noWay}
        </section>
      )}
    </>
  )
}
