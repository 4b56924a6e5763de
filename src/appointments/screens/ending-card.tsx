import { MessageCircle } from 'lucide-react'
import { PhotoImage } from '../../photos/photo-image.tsx'
import type { Facade } from '../../reports/photo-addresses.ts'
import { dateTime, doneAndArrived, thousands, whatsappLink } from '../../shared/format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { AppointmentDetail } from '../project-appointments.ts'
import { closingReasons, outcomeLabels } from '../rules/appointment.ts'
import { slotPath } from '../rules/paths.ts'
import { momentFor } from '../rules/promise.ts'

type EndingCardProps = {
  ending: NonNullable<AppointmentDetail['ending']>
  note: string | null
  facade?: Facade | null
}

/** How an appointment ended, why, and who reported it. */
export function EndingCard({ ending, note, facade = null }: EndingCardProps) {
  const { at, by, calledAt, closingReason, late, madeAt, metres, outcome } = ending
  return (
    <Card title="Cómo terminó">
      <DefinitionList
        items={[
          { term: 'Resultado', value: outcome && outcomeLabels[outcome] },
          { term: 'Motivo', value: closingReason && closingReasons[closingReason] },
          { term: 'Cancelación tardía', value: late ? 'Sí, pasado el límite' : null },
          { term: 'Nota de cierre', value: note },
          { term: 'Lo registró', value: by ?? 'El sistema' },
          { term: 'Cuándo', value: madeAt && at && doneAndArrived(madeAt, at) },
          { term: 'Le llamó', value: calledAt && dateTime(calledAt) },
          {
            term: 'Foto tomada',
            value: metres === null ? null : `A ${thousands(metres)} m del domicilio`,
          },
        ]}
      />
      {facade && <FacadePhoto facade={facade} />}
    </Card>
  )
}

const FacadePhoto = ({ facade: { id, width, height, capturedAt } }: { facade: Facade }) => (
  <figure className="mt-4 grid justify-items-start gap-1.5">
    <a href={`/files/${id}/full`} className="rounded-control">
      <PhotoImage
        src={`/files/${id}/list`}
        alt="Fachada, cuando no se presentó. Ver completa."
        width={width}
        height={height}
        className="max-h-60 w-auto rounded-control bg-hover"
      />
    </a>
    <figcaption className="text-sm text-mute">Fachada, {dateTime(capturedAt)}</figcaption>
  </figure>
)

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
  /** Minutes of the arrival window. */
  window: number
  baseUrl: string
}

/** After an appointment that did not take place: the free times nearest, each with its message ready to be sent. */
export function Proposals({
  appointment: { customer, folio, service },
  baseUrl,
  starts,
  window,
}: ProposalsProps) {
  const { phone } = customer
  if (!phone)
    return (
      <Card title="Horarios para proponerle">
        <p className="text-[0.9375rem] text-mute">El cliente ya puede agendar otra desde su cuenta.</p>
        <FreeTimes starts={starts} />
      </Card>
    )
  const message = (start: Date) =>
    `Hola, tu cita ${folio} no se pudo realizar. ¿Te queda bien el ${momentFor({ service, startsAt: start }, window)}? Apártalo aquí: ${baseUrl}${slotPath(service, start)}`
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
