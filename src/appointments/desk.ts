import { type SQL, sql } from 'drizzle-orm'
import { type Actor, isOffice } from '../access/rules/actor.ts'
import {
  type AppointmentWork,
  lastEvening,
  type NightCounts,
  type NightOutcome,
  workDay,
} from '../customers/rules/work.ts'
import { type Db, queryRows } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { managesSchedule } from '../scheduling/rules/roster.ts'
import { type Count, countLimits, countOf } from '../shared/count.ts'
import { type AppointmentState, activeStates, type Service } from './rules/appointment.ts'
import { notBegunStates } from './rules/late.ts'
import { MAX_CONFIRMED } from './rules/undo.ts'

/** An appointment that waits for the office. */
export type DeskAppointment = {
  kind: AppointmentWork
  id: string
  service: Service
  state: AppointmentState
  folio: string
  version: number
  startsAt: Date
  municipality: string | null
  customer: string
  assignee: { id: string; name: string; phone: string | null } | null
  /** Its customer is asked about another time and has not answered. */
  offered: boolean
}

/** What waits of one kind: the first rows, and how many there are. */
export type DeskQueue = { kind: AppointmentWork; count: Count; rows: DeskAppointment[] }

/** How many of a kind a home shows, but for the proposed assignments, which one press confirms. */
const SHOWN = 20

type Row = [
  kind: AppointmentWork,
  counted: number,
  id: string,
  service: Service,
  state: AppointmentState,
  folio: string,
  version: number,
  startsAt: Date,
  municipality: string | null,
  customer: string,
  assigneeId: string | null,
  assignee: string | null,
  phone: string | null,
  offered: boolean,
]

/**
 * The appointments that ask something of the office, as `appointmentWork` says: all for those who assign, their own late
 * ones for analysts. Each kind is the head of one index.
 */
export async function appointmentsAtDesk(
  db: Db,
  actor: Actor,
  now: Date,
  most = SHOWN,
): Promise<DeskQueue[]> {
  if (!isOffice(actor)) return []
  const heads = managesSchedule(actor) ? managersHeads(now) : ownHeads(actor, now)
  const rows = await queryRows<Row>(db, deskQuery(heads, most))
  return [...Map.groupBy(rows, ([kind]) => kind)].map(([kind, found]) => ({
    kind,
    count: countOf(found[0]![1], countLimits.dear),
    rows: found.map(rowOf),
  }))
}

const deskQuery = (heads: readonly SQL[], most: number) => sql`with head as (
    ${sql.join([...heads], sql` union all `)}
  ), numbered as (
    select *, (count(*) over (partition by kind))::int as counted,
      row_number() over (partition by kind order by starts_at, id) as nth
    from head
  )
  select numbered.kind, numbered.counted, appointments.id, appointments.service, appointments.state, appointments.folio,
    appointments.version, appointments.starts_at, appointments.municipality, customer.full_name,
    assignee.id, assignee.full_name, assignee.phone, ${isOffered}
  from numbered join appointments on appointments.id = numbered.id
    join users customer on customer.id = appointments.customer_id
    left join users assignee on assignee.id = appointments.assignee_id
  where nth <= case numbered.kind when 'to_confirm' then ${literal(Math.max(MAX_CONFIRMED, most))} else ${literal(most)} end
  order by numbered.kind, nth`

const isOffered = sql`exists (select from move_offers where appointment_id = appointments.id and answer is null)`

const literal = (count: number) => sql.raw(String(count))

/** The first of a kind, as far as they are counted; the indexes hold them in this order. */
const headOf = (kind: AppointmentWork, where: SQL) =>
  sql`(select ${sql.raw(`'${kind}'`)} as kind, id, starts_at from appointments where ${where}
    order by starts_at, id limit ${literal(countLimits.dear + 1)})`

/** Its predicate is that of the index, which holds what is to be done. */
const isStarting = sql`state in (${listed(activeStates)}) and state in (${listed(notBegunStates)})`
const isRequested = sql`state = 'requested'`

function managersHeads(now: Date): SQL[] {
  const { midnight, tomorrow } = workDay(now)
  return [
    headOf('left_open', sql`${isStarting} and starts_at < ${midnight}`),
    headOf('late', sql`${isStarting} and starts_at >= ${midnight} and starts_at < ${now}`),
    headOf(
      'nobody_today',
      sql`${isRequested} and assignee_id is null and starts_at >= ${now} and starts_at < ${tomorrow}`,
    ),
    headOf('nobody_soon', sql`${isRequested} and assignee_id is null and starts_at >= ${tomorrow}`),
    headOf(
      'to_confirm',
      sql`${isRequested} and assignee_id is not null and starts_at >= ${now} and not ${isOffered}`,
    ),
  ]
}

function ownHeads({ id }: Actor, now: Date): SQL[] {
  const { midnight } = workDay(now)
  const own = sql`${isStarting} and assignee_id = ${id} and confirmed_at is not null`
  return [
    headOf('left_open', sql`${own} and starts_at < ${midnight}`),
    headOf('late', sql`${own} and starts_at >= ${midnight} and starts_at < ${now}`),
  ]
}

const rowOf = ([kind, , id, service, state, folio, version, startsAt, ...more]: Row): DeskAppointment => {
  const [municipality, customer, assigneeId, name, phone, offered] = more
  const assignee = assigneeId && { id: assigneeId, name: name ?? '', phone }
  const what = { kind, id, service, state, folio, version, startsAt }
  return { ...what, municipality, customer, assignee: assignee || null, offered }
}

/** What the system did with one appointment by itself. */
type NightRow = {
  id: string
  service: Service
  folio: string
  startsAt: Date
  customer: string
  outcome: NightOutcome
  before: string | null
  assignee: string | null
}

/** What the system confirmed, changed or left without a person since the last working evening; null for others than the manager. */
export async function nightOf(db: Db, actor: Actor, now: Date) {
  if (!managesSchedule(actor)) return null
  const { settings } = await currentStaffing(db)
  const since = lastEvening(settings, now)
  const rows = await queryRows<NightAnswer>(db, nightQuery(since))
  const [confirmed = 0, replaced = 0, without = 0, letGo = 0, quotes = 0, payments = 0, offers = 0] =
    rows[0] ?? []
  const counts: NightCounts = { confirmed, replaced, without, letGo, quotes, payments, offers }
  return { since, counts, rows: rows.flatMap(nightRowOf) }
}

type NightAnswer = [
  confirmed: number,
  replaced: number,
  without: number,
  letGo: number,
  quotes: number,
  payments: number,
  offers: number,
  id: string | null,
  service: Service,
  folio: string,
  startsAt: Date,
  customer: string,
  outcome: NightOutcome,
  before: string | null,
  assignee: string | null,
]

/** What the system does by itself in the evening. */
const nightEvents = ['autoConfirm', 'without_person']

/** What it ends when a term passes: the names of those events, whatever they happened to. */
const endingEvents = ['letGo', 'expire', 'expired']
const endedOf = (entity: string) =>
  sql`(count(distinct entity_id) filter (where entity = ${sql.raw(`'${entity}'`)}))::int`

/** The index of these events has this predicate; the last of an appointment counts. What is left without a person comes first, then what was changed. */
const nightQuery = (since: Date) => sql`with last as materialized (
    select id, entity_id, name, data from events
    where entity = 'appointment' and name in (${listed(nightEvents)}) and at >= ${since}
    order by at desc limit ${literal(countLimits.dear + 1)}
  ), night as (
    select distinct on (entity_id) id, entity_id, (data ->> 'from')::uuid as before, (data ->> 'assigneeId')::uuid as person,
      case when name = 'without_person' then 'without' when data ->> 'from' = data ->> 'assigneeId' then 'confirmed'
        else 'replaced' end as outcome
    from last order by entity_id, id desc
  ), counted as (
    select (count(*) filter (where outcome = 'confirmed'))::int as confirmed,
      (count(*) filter (where outcome = 'replaced'))::int as replaced,
      (count(*) filter (where outcome = 'without'))::int as without from night
  ), ended as (
    select ${endedOf('appointment')} as let_go, ${endedOf('quote')} as quotes, ${endedOf('payment')} as payments,
      ${endedOf('move_offer')} as offers
    from events where actor_id is null and name in (${listed(endingEvents)}) and at >= ${since}
  ), shown as (
    select * from night order by outcome desc, id desc limit ${literal(SHOWN)}
  )
  select counted.*, ended.*, appointments.id, appointments.service, appointments.folio, appointments.starts_at, customer.full_name,
    shown.outcome, former.full_name, assignee.full_name
  from counted cross join ended left join shown on true left join appointments on appointments.id = shown.entity_id
    left join users customer on customer.id = appointments.customer_id
    left join users former on former.id = shown.before left join users assignee on assignee.id = shown.person
  order by shown.outcome desc, shown.id desc`

/** None where it did nothing with appointments. */
const nightRowOf = ([, , , , , , , id, service, folio, startsAt, ...more]: NightAnswer): NightRow[] => {
  const [customer, outcome, before, assignee] = more
  return id === null ? [] : [{ id, service, folio, startsAt, customer, outcome, before, assignee }]
}
