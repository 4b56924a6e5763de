import { AlarmClock, Phone } from 'lucide-react'
import type { OpenOffer } from '../../dispatch/move-offers.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import { UndoNotice } from '../../kit/undo-notice.tsx'
import type { AppointmentEntry } from '../../projects/screens/timeline-words.ts'
import { toMinutes } from '../../shared/calendar.ts'
import { dateTime, formatPhone, localDay, telLink, theTime } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import type { AppointmentDetail } from '../project-appointments.ts'
import { lateMinutes, lateWords } from '../rules/late.ts'
import { runningLateWords } from '../rules/running-late.ts'
import { undoText } from '../rules/undo.ts'

/** How many minutes an appointment that has not begun is late. */
export const LateBadge = ({ minutes }: { minutes: number }) => (
  <Badge tone="bad" icon={AlarmClock}>
    {lateWords(minutes)}
  </Badge>
)

type CallProps = { name: string; phone: string; className?: string; inRow?: boolean }

/** "Llamar a Teresa": a link that calls the assignee of an appointment; in the row of a table only its icon. */
export const CallAssignee = ({ name, phone, className, inRow }: CallProps) => (
  <a href={telLink(phone)} title={formatPhone(phone)} className={className ?? buttonClass('ghost')}>
    <Phone aria-hidden className="size-4 shrink-0" />
    <span className={inRow ? 'lg:sr-only' : undefined}>Llamar a {name.split(' ')[0]}</span>
  </a>
)

type ActionsProps = {
  appointment: Pick<AppointmentDetail, 'id' | 'state'>
  canReassign: boolean
  mayQuote: boolean
}

/** What the office can do with an appointment that is to be carried out, each at its own screen. */
export const OfficeActions = ({ appointment: { id, state }, canReassign, mayQuote }: ActionsProps) => (
  <>
    {canReassign && (
      <>
        <LinkButton variant="ghost" to={`/admin/assignations/${id}/mover`}>
          Mover
        </LinkButton>
        <LinkButton variant="ghost" to={`/admin/assignations/${id}`}>
          {state === 'requested' ? 'Asignar' : 'Cambiar persona'}
        </LinkButton>
      </>
    )}
    {mayQuote && (
      <LinkButton variant="ghost" to={`/admin/cotizations/add-quote/${id}`}>
        Cotizar trabajo adicional
      </LinkButton>
    )}
  </>
)

type NoticesProps = {
  appointment: Pick<AppointmentDetail, 'id' | 'version' | 'state' | 'startsAt' | 'assignee' | 'runningLate'>
  offer: OpenOffer | null
  /** For how many seconds its last change can still be undone by who reads it. */
  undoable: number
  now: Date
}

/** What the office has to know of an appointment first: it was just changed, it is late, or its customer is asked about another time. */
export function OfficeNotices({ appointment, offer, now, undoable }: NoticesProps) {
  const { assignee, runningLate, startsAt, state } = appointment
  const start = toMinutes(startsAt)
  const late = lateMinutes({ state, start, told: runningLate?.minutes }, toMinutes(now))
  return (
    <>
      {undoable > 0 && <UndoNotice changes={undoText([appointment])} seconds={undoable} />}
      {late > 0 && (
        <Alert
          tone="bad"
          title={lateWords(late)}
          actions={assignee?.phone && <CallAssignee name={assignee.name} phone={assignee.phone} />}
        >
          {runningLate
            ? `${runningLateWords(runningLate)} Ya se lo dijimos al cliente.`
            : assignee
              ? `${assignee.name} no la ha iniciado.`
              : 'No tiene quien la atienda.'}
        </Alert>
      )}
      {offer && <OfferNotice offer={offer} />}
    </>
  )
}

/** The page of the absence because of which another time was proposed. */
export const absenceLink = ({ absentId, from }: Pick<OpenOffer, 'absentId' | 'from'>) =>
  `/admin/assignations/ausencia?persona=${absentId}&dia=${localDay(from)}`

/** What the customer said on the phone to the time that was proposed. */
export const OfferAnswer = ({ appointmentId, id }: Pick<OpenOffer, 'appointmentId' | 'id'>) => (
  <Form
    intent={['accept-move', 'decline-move']}
    target={{ offerId: id }}
    action={`/admin/assignations/${appointmentId}`}
    className="flex flex-wrap gap-2"
  >
    <Submit name="intent" value="accept-move" variant="ghost">
      Dijo que sí
    </Submit>
    <Submit name="intent" value="decline-move" variant="ghost">
      Dijo que no
    </Submit>
  </Form>
)

const OfferNotice = ({ offer, offer: { assignee, expiresAt, mayFollow, to } }: { offer: OpenOffer }) => (
  <Alert
    tone="wait"
    title={`Propuesta: ${dateTime(to)} con ${assignee}`}
    actions={
      mayFollow && (
        <>
          <OfferAnswer {...offer} />
          <LinkButton variant="ghost" to={absenceLink(offer)}>
            Ver la ausencia
          </LinkButton>
        </>
      )
    }
  >
    El cliente todavía no contesta; vence a {theTime(expiresAt)} Si la asignas antes, la propuesta ya no vale.
  </Alert>
)

/** What happened to an appointment, the latest first. */
export function AppointmentHistory({ events }: { events: readonly AppointmentEntry[] }) {
  if (events.length === 0) return null
  return (
    <Card title="Historial">
      <Timeline
        items={events.map(({ id, text, title, when, who }) => ({
          key: id,
          title,
          note: `${when}, ${who}`,
          children: text && <p>{text}</p>,
        }))}
      />
    </Card>
  )
}
