import { Video } from 'lucide-react'
import { Link } from 'react-router'
import { interestLabel } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import type { WaitingCall } from '../../server/calls/queries.ts'
import { useWaitingTime } from '../calls/use-waiting-time.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type WaitingCallsProps = { calls: readonly WaitingCall[] | null; now: Date }

/** The customers who are in the room of their call without an analyst, before everything else. Nothing while nobody waits. */
export function WaitingCalls({ calls, now }: WaitingCallsProps) {
  if (!calls || calls.length === 0) return null
  return (
    <Card title="Clientes en la sala" className="border-wait">
      <ul className="grid gap-4">
        {calls.map((call) => (
          <li
            key={call.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 not-first:border-t not-first:border-line not-first:pt-4"
          >
            <Who call={call} now={now} />
            <WayIn call={call} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Who = ({ call, now }: { call: WaitingCall; now: Date }) => (
  <div className="grid min-w-0 gap-0.5 wrap-anywhere">
    <p className="font-semibold">
      {call.customer}{' '}
      <Link to={appointmentPath('pending', call)} prefetch="intent" className="font-normal whitespace-nowrap">
        {call.folio}
      </Link>
    </p>
    <p className="text-[0.9375rem] text-wait">Espera desde hace {useWaitingTime(call.since, now)}</p>
    <p className="text-[0.9375rem] text-mute">
      {[
        interestLabel(call.interest),
        call.isMine ? 'Es tuya' : `La atiende ${call.assignee ?? 'nadie todavía'}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </p>
  </div>
)

/** Its own analyst goes in; from three minutes on whoever is free may take it, and a manager may give it away. */
function WayIn({ call }: { call: WaitingCall }) {
  const path = appointmentPath('pending', call)
  if (call.isMine)
    return (
      <LinkButton to={`${path}?llamada`} prefetch="none" className="max-sm:w-full">
        <Video aria-hidden className="size-5" />
        Entrar
      </LinkButton>
    )
  if (call.mayTake)
    return (
      <Form intent="takeOver" by="move" action={path} className="max-sm:w-full">
        <input type="hidden" name="version" value={call.version} />
        <Submit>Tomar la llamada</Submit>
      </Form>
    )
  return call.mayGive ? (
    <LinkButton to={path} variant="ghost" className="max-sm:w-full">
      Dársela a alguien
    </LinkButton>
  ) : null
}
