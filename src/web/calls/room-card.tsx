import { Video } from 'lucide-react'
import { dateTime } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import type { PendingCall } from './pending-call-loader.ts'
import { useWaited } from './waited.ts'

type RoomCardProps = Pick<PendingCall, 'appointment' | 'entry' | 'room' | 'now'>

/** How the room of a call stands for those who work here, and the way in for whose call it is. */
export function RoomCard({ appointment: { assignee, confirmed }, entry, now, room }: RoomCardProps) {
  const { callBackAskedAt, isMine, phase, waitingSince } = room
  return (
    <Card
      title={waitingSince ? <WaitsSince since={waitingSince} now={now} /> : titles[phase]}
      className={waitingSince ? 'border-wait' : undefined}
    >
      <p className="text-mute">{wordsOn(room)}</p>
      {callBackAskedAt && (
        <Alert tone="wait" title="Pidió que le llamemos por teléfono">
          Nos lo dijo el {dateTime(callBackAskedAt)} Hay un pendiente urgente en el inicio.
        </Alert>
      )}
      {!isMine && (
        <p>{assignee && confirmed ? `La atiende ${assignee.name}.` : 'Falta confirmar quién la atiende.'}</p>
      )}
      {room.takeOverWait && <p>{room.takeOverWait}</p>}
      {entry && (
        <LinkButton to="?llamada" prefetch="none">
          <Video aria-hidden className="size-5" />
          Entrar a la llamada
        </LinkButton>
      )}
    </Card>
  )
}

const titles = { early: 'La sala abre después', open: 'La sala está abierta', over: 'La sala ya cerró' }

function wordsOn({ inRoom, opensAt, phase, waitingSince }: PendingCall['room']): string {
  if (phase === 'early') return `Abre el ${dateTime(opensAt)}`
  if (phase === 'over') return 'Pasó su día y nadie dijo cómo quedó.'
  if (waitingSince) return 'Está en la sala y ve que todavía no entra su analista.'
  if (inRoom.length === 2) return 'El cliente y su analista están en la llamada.'
  return inRoom.includes('analyst') ? 'El analista espera al cliente.' : 'El cliente todavía no entra.'
}

const WaitsSince = ({ since, now }: { since: Date; now: Date }) => (
  <>El cliente espera desde hace {useWaited(since, now)}</>
)
