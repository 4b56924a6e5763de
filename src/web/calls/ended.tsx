import {
  Clock,
  LogIn,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  PhoneOff,
  UserRoundCheck,
} from 'lucide-react'
import type { EndedBecause } from '../../domain/calls/protocol.ts'
import { theTime } from '../../domain/shared/format.ts'
import type { CallEntry } from '../../server/calls/queries.ts'
import { Help } from '../app/help.tsx'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import type { OnCall } from './call-on.tsx'
import { LobbyHeader } from './lobby-header.tsx'

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

/** Out of the room: why, and what to do next. */
export function Ended({ entry, backTo, state, onAgain, noWay }: OnCall & { onAgain: () => void }) {
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
