import {
  CalendarCheck,
  CircleCheck,
  CircleX,
  Clock,
  type LucideIcon,
  Minus,
  Send,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import { Form as SearchForm } from 'react-router'
import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { OfferAnswer } from '../../appointments/screens/office-notices.tsx'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field } from '../../kit/form/field.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { type Failure, submit } from '../../kit/submit.ts'
import { absenceInput } from '../../scheduling/rules/schema.ts'
import {
  boardBehind,
  boardPath,
  dateIn,
  keptBoard,
  timeIn,
  withBoard,
} from '../../scheduling/screens/board-query.ts'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import {
  dateTime,
  formatPhone,
  longDate,
  minuteOfClock,
  minuteTime,
  shortDate,
  telLink,
  theClock,
  whatsappLink,
} from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { type Column, DataTable, rowLinkClass } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { confirmAbsence } from '../absence.ts'
import {
  type AbsencePlan,
  type AbsentDays,
  absenceOf,
  type SettledAtOnce,
  settledAtOnce,
} from '../absence-plan.ts'
import { offersOf, type TrackedOffer } from '../move-offers.ts'
import { disruptionLevel, mostAbsentDays, type OfferStatus, offerStatusFacts } from '../rules/absence.ts'
import type { Route } from './+types/absence.ts'
import { AbsenceForm } from './absence-form.tsx'
import { pageOf } from './board-lane.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

/** Whose absence, and from when to when: as many days as one absence may have, and no end before its beginning. */
function asked({ searchParams }: URL, now: Date) {
  const date = dateIn(searchParams.get('dia'), localDate(toMinutes(now)))
  const wanted = dateIn(searchParams.get('hasta'), date)
  const days = Array.from({ length: mostAbsentDays }, (_, n) => addDays(date, n))
  const until = wanted > date ? (days.find((day) => day === wanted) ?? days.at(-1)!) : date
  const leaves = timeIn(searchParams.get('sale'))
  const back = timeIn(searchParams.get('regresa'))
  const isBackwards = until === date && back !== undefined && back <= (leaves ?? '00:00')
  const returns = isBackwards ? undefined : back
  const times = { ...(leaves && { leaves }), ...(returns && { returns }) }
  return { personId: searchParams.get('persona') ?? '', isBackwards, days: { date, until, ...times } }
}

function pathOf(personId: string, { date, leaves, returns, until }: AbsentDays) {
  const times = { ...(leaves && { sale: leaves }), ...(returns && { regresa: returns }) }
  const asked = { persona: personId, dia: date, ...(until !== date && { hasta: until }), ...times }
  return `${boardPath}/ausencia?${new URLSearchParams(asked)}`
}

/** "lunes 30 de noviembre, desde la 1:00 p. m." */
function periodWords({ date, leaves, returns, until }: AbsentDays) {
  const at = (text: string) => theClock(minuteOfClock(text)!)
  const from = leaves && `desde ${at(leaves)}`
  const to = returns && `hasta ${at(returns)}`
  const days = until === date ? longDate(date) : `Del ${shortDate(date)} al ${shortDate(until)}`
  return [days, from, to].filter(Boolean).join(', ')
}

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const { days, isBackwards, personId } = asked(url, now)
    const [plan, offers, settled] = await Promise.all([
      absenceOf(db, actor, personId, days, now),
      offersOf(db, actor, personId, days, now),
      settledAtOnce(db, actor, personId, days),
    ])
    const back = boardBehind(url, now, days.date)
    return { plan: plan ?? refuse('not-found'), isBackwards, offers, settled, back, kept: keptBoard(url) }
  })

export const action = ({ request, context, url }: Route.ActionArgs) =>
  submit(request, absenceInput, async (input) => {
    const now = new Date()
    const { days, personId } = asked(url, now)
    const { db, actor } = signedIn(context)
    const { offered } = await confirmAbsence(db, actor, personId, days, input, now)
    const words =
      offered === 0
        ? 'No hizo falta mandar propuestas.'
        : offered === 1
          ? 'Mandamos 1 propuesta.'
          : `Mandamos ${offered} propuestas.`
    return redirectWithToast(withBoard(pathOf(personId, days), keptBoard(url)), 'Ausencia registrada', words)
  })

export default function Absence({ loaderData, actionData }: Route.ComponentProps) {
  const { back, isBackwards, kept, offers, plan, settled } = loaderData
  const { date, leaves, person, recorded, returns, span, underWay, until, visits } = plan
  const isOpen = span !== null && !recorded
  const period = [date, leaves, until, returns].join(' ')
  const [typedOver, setTypedOver] = useState('')
  useStepFocus(isOpen ? 'deciding' : 'recorded')
  return (
    <>
      <PageHeader
        title={isOpen ? `${person.name} no puede venir` : `Ausencia de ${person.name}`}
        subtitle={periodWords(plan)}
        back={{ to: back, label: 'Asignaciones de citas' }}
      />
      <AbsenceDays
        {...plan}
        key={period}
        isBackwards={isBackwards}
        personId={person.id}
        kept={kept}
        onTyped={() => setTypedOver(period)}
      />
      {underWay.map(({ id, folio, customer }) => (
        <Alert key={id} tone="info" title={`Está con ${customer} (${folio})`}>
          Su ausencia cuenta desde que termine esa cita.
        </Alert>
      ))}
      {isOpen ? (
        <AbsenceForm plan={plan} result={actionData} isTypedOver={typedOver === period} />
      ) : (
        <AbsenceRecord
          recorded={recorded}
          visits={visits}
          isOneDay={until === date}
          hasOffers={offers.length > 0}
          result={actionData}
        />
      )}
      {settled.length > 0 && <SettledTable settled={settled} />}
      {offers.length > 0 ? (
        <OfferTable offers={offers} />
      ) : (
        !isOpen &&
        settled.length === 0 && (
          <EmptyState icon={CalendarCheck} action={<LinkButton to={back}>Ver el tablero</LinkButton>}>
            No quedó ninguna propuesta por contestar.
          </EmptyState>
        )
      )}
    </>
  )
}

type AbsenceDaysProps = AbsentDays & {
  personId: string
  kept: Record<string, string>
  /** The time to return was before the one to leave, and does not count. */
  isBackwards: boolean
  onTyped: () => void
}

/** From which day to which, kept in the address: what is proposed follows. */
const AbsenceDays = ({
  date,
  isBackwards,
  kept,
  leaves,
  onTyped,
  personId,
  returns,
  until,
}: AbsenceDaysProps) => (
  <SearchForm
    method="get"
    onInput={onTyped}
    className="grid grid-cols-1 items-end gap-3 sm:grid-cols-[11rem_8.5rem_11rem_8.5rem_auto_1fr]"
  >
    {Object.entries({ persona: personId, ...kept }).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <Field label="Desde" name="dia" type="date" optional="unsaid" defaultValue={date} className="min-w-0" />
    <Time label="Sale a las" name="sale" value={leaves} />
    <Field
      label="Hasta"
      name="hasta"
      type="date"
      optional="unsaid"
      defaultValue={until}
      className="min-w-0"
    />
    <Time
      label="Regresa a las"
      name="regresa"
      value={returns}
      error={isBackwards ? 'Es antes de que salga.' : undefined}
    />
    <Button type="submit" variant="ghost">
      Ver esos días
    </Button>
  </SearchForm>
)

type TimeProps = { label: string; name: string; value: string | undefined; error?: string | undefined }

const Time = ({ value, ...field }: TimeProps) => (
  <Field {...field} type="time" optional="unsaid" defaultValue={value} className="min-w-0" />
)

type AbsenceRecordProps = Pick<AbsencePlan, 'recorded' | 'visits'> & {
  isOneDay: boolean
  hasOffers: boolean
  result: Failure | undefined
}

/** Says that the absence is recorded, and by whom: also to a manager who decided at the same time, too late. */
function AbsenceRecord({ recorded, hasOffers, isOneDay, result: answer, visits }: AbsenceRecordProps) {
  const result = useLastActionData(answer)
  if (!recorded) return <Alert tone="info" title={isOneDay ? 'Ese día ya pasó' : 'Esos días ya pasaron'} />
  const { at, by, isOwn, reason } = recorded
  const who = isOwn ? 'La registraste tú' : `La registró ${by ?? 'otra persona'}`
  const typed = result?.values.reason
  return (
    <>
      {result && (
        <Alert
          tone="wait"
          title={isOwn ? 'Ya la habías registrado' : `${by ?? 'Otra persona'} la registró antes que tú`}
        >
          {isOwn ? 'Este segundo envío no cambió nada.' : 'No se guardó nada de lo que elegiste.'}{' '}
          {hasOffers ? 'Abajo está lo que se propuso a cada cliente.' : 'Las citas ya se repartieron.'}
          {typed && typed !== reason && ` Esto escribiste: «${typed}»`}
        </Alert>
      )}
      <Alert tone="ok" title="La ausencia está registrada">
        {`${who} (${dateTime(at)}).`} En ese tiempo ya no se agendan citas con esta persona.
      </Alert>
      {visits.map(({ customer, folio, id, start }) => (
        <Alert key={id} tone="wait" title={`${customer} sigue con esta persona: ${minuteTime(start)}`}>
          <Link to={`${boardPath}/${id}`}>Reasignar {folio}</Link>
        </Alert>
      ))}
    </>
  )
}

const icons: Record<OfferStatus, LucideIcon> = {
  sent: Send,
  accepted: CircleCheck,
  declined: CircleX,
  expired: Clock,
  gone: TriangleAlert,
  withdrawn: Minus,
}

const columns: Column<TrackedOffer>[] = [
  {
    header: 'Cita',
    main: true,
    cell: ({ appointmentId: id, customer, folio, service }) => (
      <Link to={appointmentPath('pending', { id, service })} className={rowLinkClass}>
        {customer}
        <span className="block text-sm font-normal whitespace-nowrap text-mute">{folio}</span>
      </Link>
    ),
  },
  {
    header: 'Teléfono',
    cell: ({ folio, phone, service }) =>
      phone && (
        <span className="grid justify-items-start">
          <a href={telLink(phone)} className="inline-flex min-h-11 items-center whitespace-nowrap lg:min-h-8">
            {formatPhone(phone)}
          </a>
          <a
            className="inline-flex min-h-11 items-center lg:min-h-8"
            href={whatsappLink(
              phone,
              `Hola, te escribo por tu ${serviceFacts[service].label.toLowerCase()} ${folio}: te propusimos otro horario.`,
            )}
          >
            WhatsApp
          </a>
        </span>
      ),
  },
  { header: 'Hora original', cell: ({ from }) => dateTime(from) },
  { header: 'Propuesta', cell: ({ to }) => dateTime(to) },
  { header: 'Con', cell: ({ assignee }) => assignee },
  { header: 'Molestia', cell: ({ harm }) => disruptionLevel(harm) },
  { header: 'Responde antes de', cell: ({ expiresAt }) => dateTime(expiresAt) },
  {
    header: 'Respuesta',
    cell: ({ standing }) => (
      <Badge tone={offerStatusFacts[standing].tone} icon={icons[standing]}>
        {offerStatusFacts[standing].label}
      </Badge>
    ),
  },
  { header: 'Por teléfono', cell: (offer) => offer.standing === 'sent' && <OfferAnswer {...offer} /> },
]

const settledColumns: Column<SettledAtOnce>[] = [
  {
    header: 'Cita',
    main: true,
    cell: ({ customer, folio, ...appointment }) => (
      <Link to={pageOf(appointment)} className={rowLinkClass}>
        {customer}
        <span className="block text-sm font-normal whitespace-nowrap text-mute">{folio}</span>
      </Link>
    ),
  },
  { header: 'Servicio', cell: ({ service }) => serviceFacts[service].label },
  { header: 'Hora', cell: ({ startsAt }) => dateTime(startsAt) },
  {
    header: 'Ahora con',
    cell: ({ assignee }) => assignee ?? <span className="font-semibold text-bad">Sin persona</span>,
  },
]

/** What was settled when the absence was recorded: at its hour, with somebody else or nobody. */
const SettledTable = ({ settled }: { settled: readonly SettledAtOnce[] }) => (
  <section aria-labelledby="reasignadas" className="grid grid-cols-1 gap-4">
    <h2 id="reasignadas" className="text-lg font-semibold">
      Conservan su hora
    </h2>
    <DataTable
      caption="Citas que conservan su hora"
      columns={settledColumns}
      rows={settled}
      rowKey={({ id }) => id}
    />
  </section>
)

/** What was offered to each customer, and their answer: it updates by itself. */
function OfferTable({ offers }: { offers: readonly TrackedOffer[] }) {
  const open = offers.filter(({ standing }) => standing === 'sent').length
  return (
    <section aria-labelledby="propuestas" className="grid grid-cols-1 gap-4">
      <div className="grid gap-1" aria-live="polite">
        <h2 id="propuestas" className="text-lg font-semibold">
          Propuestas
        </h2>
        <p className="text-[0.9375rem] text-mute">
          {open === 0
            ? 'Todas tienen respuesta.'
            : open === 1
              ? 'Falta 1 respuesta.'
              : `Faltan ${open} respuestas.`}
        </p>
      </div>
      <DataTable
        caption="Propuestas de otro horario"
        columns={columns}
        rows={offers}
        rowKey={({ id }) => id}
      />
    </section>
  )
}
