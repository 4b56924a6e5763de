import { MessageCircle } from 'lucide-react'
import { dateTime, whatsappLink } from '../../domain/shared/format.ts'
import type { AppointmentDetail } from '../../server/appointments/project-appointments.ts'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { slotPath } from './paths.ts'

/** Free times as a list, to offer to a customer. */
export function FreeTimes({ starts }: { starts: readonly Date[] }) {
  return (
    <ul className="grid gap-1">
      {starts.map((start) => (
        <li key={start.toISOString()} className="font-semibold">
          {dateTime(start)}
        </li>
      ))}
    </ul>
  )
}

type ProposalsProps = {
  appointment: Pick<AppointmentDetail, 'customer' | 'folio' | 'service'>
  starts: readonly Date[]
  baseUrl: string
}

/** After an appointment that did not take place: the free times nearest, each with its message ready to be sent. */
export function Proposals({ appointment: { customer, folio, service }, baseUrl, starts }: ProposalsProps) {
  const { phone } = customer
  if (!phone)
    return (
      <Card title="Horarios para proponerle">
        <p className="text-[0.9375rem] text-mute">El cliente ya puede agendar otra desde su cuenta.</p>
        <FreeTimes starts={starts} />
      </Card>
    )
  const message = (start: Date) =>
    `Hola, tu cita ${folio} no se pudo realizar. ¿Te queda bien el ${dateTime(start)}? Apártalo aquí: ${baseUrl}${slotPath(service, start)}`
  return (
    <Card title="Horarios para proponerle">
      <p className="text-[0.9375rem] text-mute">
        Toca uno para proponérselo por WhatsApp. También puede agendar otro desde su cuenta.
      </p>
      <ul className="grid gap-3">
        {starts.map((start) => (
          <li key={start.toISOString()} className="grid">
            <a className={buttonClass('ghost')} href={whatsappLink(phone, message(start))}>
              <MessageCircle aria-hidden className="size-5 shrink-0" />
              {dateTime(start)}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
