import { CalendarPlus } from 'lucide-react'
import {
  type AppointmentState,
  type ClosingReason,
  type Interest,
  interestLabel,
  isActive,
  type Outcome,
  outcomeLabels,
  reasonsToCustomer,
  type Service,
  serviceFacts,
} from '../../domain/appointments/appointment.ts'
import { arrivalWindow, atTime, dateTime, duration, shortDate } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { agendaPageOf, calendarFileOf, slotPath } from './paths.ts'
import { StateBadge } from './state-badge.tsx'

/** An appointment as its customer may know it. */
export type ShownAppointment = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  assignee: string | null
  interest: Interest | null
  outcome: Outcome | null
  closingReason: ClosingReason | null
  closingNote: string | null
  place: string | null
  /** Of a call: what was talked about, what follows, and whether no analyst came. */
  summary: string | null
  nextSteps: string | null
  isMissed: boolean
}
type AppointmentCardProps = {
  title: string
  appointment: ShownAppointment
  /** Minutes within which the assignee arrives. */
  window: number
  children?: React.ReactNode
}

/** A booked appointment as its customer sees it: when, the assignee, and its folio; the possible actions below. */
export function AppointmentCard({ title, appointment, window, children }: AppointmentCardProps) {
  const {
    folio,
    service,
    state,
    startsAt,
    minutes,
    assignee,
    closingNote,
    place,
    interest,
    outcome,
    closingReason,
    summary,
    nextSteps,
  } = appointment
  const isCall = service === 'videocall'
  return (
    <Card title={title} aside={<StateBadge state={state} service={service} />}>
      <div>
        <p className="text-xl font-semibold">{shortDate(startsAt)}</p>
        <p>{isCall || !isActive(state) ? atTime(startsAt) : arrivalWindow(startsAt, window)}</p>
      </div>
      <DefinitionList
        items={[
          { term: 'Folio', value: folio },
          { term: 'Domicilio', value: place },
          {
            term: serviceFacts[service].by === 'analyst' ? 'Analista' : 'Técnico',
            value: assignee ?? (state === 'requested' ? unknownYet(service) : null),
          },
          {
            term: 'Duración',
            value: isActive(state) && service !== 'technical_visit' ? duration(minutes) : null,
          },
          { term: 'Tema', value: interestLabel(interest) },
          { term: 'Resultado', value: outcome && isUnfinished(appointment) ? outcomeLabels[outcome] : null },
          { term: 'Motivo', value: closingReason && reasonsToCustomer[closingReason] },
          { term: 'Nota de cierre', value: closingNote },
          { term: 'De qué hablamos', value: summary && <AsTyped text={summary} /> },
          { term: 'Qué sigue', value: nextSteps && <AsTyped text={nextSteps} /> },
        ]}
      />
      {children}
    </Card>
  )
}

const AsTyped = ({ text }: { text: string }) => <span className="whitespace-pre-line">{text}</span>

/** Whether it did not end as it should, so that another one follows. */
export const isUnfinished = ({ outcome, state }: Pick<ShownAppointment, 'outcome' | 'state'>) =>
  !isActive(state) && outcome !== 'completed'

const unknownYet = (service: Service) =>
  service === 'videocall' ? 'Te confirmamos quién te atiende' : 'Te confirmamos quién te visita'

/** Takes an appointment into the calendar of the phone or computer that shows it. */
export function CalendarLink({ appointmentId }: { appointmentId: string }) {
  return (
    <a className={buttonClass('ghost', 'justify-self-start')} href={calendarFileOf(appointmentId)}>
      <CalendarPlus aria-hidden className="size-5" />
      Calendario
    </a>
  )
}

/** Below a call that took place: what comes next in the customer's project. The page's next action links there. */
export const AfterCall = ({ line }: { line: string }) => <p className="border-t border-line pt-4">{line}</p>

/** For a customer whose analyst did not come to the call: our apology, and the next free times, each one tap away. */
export const MissedCall = ({ slots }: { slots: readonly Date[] }) => (
  <section aria-label="Te pedimos una disculpa" className="grid gap-3">
    <div role="alert">
      <Alert tone="wait" title="Te pedimos una disculpa">
        Entraste a tu llamada y nadie te atendió. La cancelamos para que no esperes más, y te llamamos.
        {slots.length > 0 && ' Estos horarios están libres:'}
      </Alert>
    </div>
    <div className="grid gap-3 sm:grid-cols-3">
      {slots.map((start) => (
        <LinkButton key={start.getTime()} to={slotPath('videocall', start)} variant="ghost">
          {dateTime(start)}
        </LinkButton>
      ))}
    </div>
  </section>
)

/** The same at home, shorter: the free times are a tap away. */
export const MissedCallAtHome = () => (
  <Alert
    tone="wait"
    title="Te pedimos una disculpa"
    actions={
      <LinkButton variant="ghost" to={agendaPageOf.videocall}>
        Ver horarios libres
      </LinkButton>
    }
  >
    Entraste a tu llamada y nadie te atendió. La cancelamos, y te llamamos.
  </Alert>
)
