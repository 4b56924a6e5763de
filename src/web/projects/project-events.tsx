import { type AppointmentState, stateFacts } from '../../domain/appointments/appointment.ts'
import { type CaseState, caseStateFacts } from '../../domain/cfe/case.ts'
import { type PaymentState, paymentStateFacts } from '../../domain/payments/payment.ts'
import { type QuoteState, quoteStateFacts } from '../../domain/quotes/quote.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { ProjectEvent } from '../../server/projects/events.ts'
import { Card } from '../ui/card.tsx'
import { Timeline } from '../ui/timeline.tsx'

const labelOf: Record<string, (state: string) => string | undefined> = {
  appointment: (state) => said('Cita', stateFacts[state as AppointmentState]),
  quote: (state) => said('Cotización', quoteStateFacts[state as QuoteState]),
  payment: (state) => said('Pago', paymentStateFacts[state as PaymentState]),
  cfe_case: (state) => said('Trámite ante CFE', caseStateFacts[state as CaseState]),
}
const said = (what: string, facts: { label: string } | undefined) =>
  facts && `${what}: ${facts.label.toLowerCase()}`

const ofProject: Record<string, string> = {
  open: 'Se abrió el proyecto',
  change_equipment: 'Cambió su auto o su cargador',
  permit: 'Llegó el permiso de su condominio',
  ready: 'Lista para agendar la instalación',
}

/** In words; null of what says nothing by itself. */
const wordsOf = ({ entity, name, toState }: ProjectEvent) =>
  entity === 'project' ? ofProject[name] : toState ? labelOf[entity]?.(toState) : undefined

/** What happened to the project and its parts, the latest first. */
export function ProjectEvents({ events }: { events: readonly ProjectEvent[] }) {
  const items = events.flatMap((event) => {
    const words = wordsOf(event)
    return words
      ? [{ key: event.id, title: words, note: `${dateTime(event.at)}, ${event.actor ?? 'el sistema'}` }]
      : []
  })
  return (
    <Card title="Historial">
      {items.length === 0 ? (
        <p className="text-mute">Todavía no hay historia.</p>
      ) : (
        <Timeline items={items} />
      )}
    </Card>
  )
}
