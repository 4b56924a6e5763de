import { MessageCircle } from 'lucide-react'
import { dateTime, whatsappLink } from '../../domain/shared/format.ts'
import type { AppointmentDetail } from '../../server/appointments/detail.ts'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

/** Free times as a list, to be said to a customer. */
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

type ProposalsProps = { appointment: Pick<AppointmentDetail, 'folio' | 'customer'>; starts: readonly Date[] }

/** After an appointment that did not take place: the free times nearest, with a message ready to be sent. */
export function Proposals({ appointment: { customer, folio }, starts }: ProposalsProps) {
  const times = starts.map(dateTime).join('; ')
  const message = `Hola, tu cita ${folio} no se pudo realizar. Los horarios libres más cercanos son: ${times}. Elige el tuyo en tu cuenta.`
  return (
    <Card title="Horarios para proponerle">
      <p className="text-[0.9375rem] text-mute">El cliente ya puede agendar otra desde su cuenta.</p>
      <FreeTimes starts={starts} />
      {customer.phone && (
        <a className={buttonClass('ghost')} href={whatsappLink(customer.phone, message)}>
          <MessageCircle aria-hidden className="size-5" />
          Proponerlos por WhatsApp
        </a>
      )}
    </Card>
  )
}
