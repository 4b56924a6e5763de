import { and, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { type AppointmentState, activeStates, doneStates } from '../../domain/appointment.ts'
import { yearOptions } from '../../domain/options.ts'
import { type Service, services } from '../../domain/services.ts'
import { type Db, planned } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { appointments } from '../database/schema.ts'
import { stateIn, visibleTo } from './visible.ts'

/** One appointment as its list shows it. */
export type ListedAppointment = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  municipality: string | null
  customer: string
  assignee: string | null
  confirmed: boolean
}

/** What narrows a list, and where a page of it stands: newest or soonest first, then by id. */
export type Filters = {
  /** '0' to '11', with its year. */
  month?: string
  year?: string
  service?: Service
  state?: AppointmentState
  /** Municipalities; none is all of them. */
  zones?: readonly string[]
  /** Only what nobody carries out. */
  nobody?: boolean
  after?: string
}

/** `years` are those of the whole list that are not among the filter's own. */
export type Page = { rows: ListedAppointment[]; total: number; years: number[]; next: string | null }

export const pageSize = 50

/** What is to be done, soonest first. */
export const listPending = (db: Db, actor: Actor, filters: Filters) =>
  list(db, actor, filters, activeStates, 'asc')
/** What was done or ended otherwise, newest first. */
export const listDone = (db: Db, actor: Actor, filters: Filters) =>
  list(db, actor, filters, doneStates, 'desc')
/** What waits for the manager: booked, its person not confirmed. */
export const listToAssign = (db: Db, actor: Actor, filters: Filters) =>
  list(db, actor, filters, ['requested'], 'asc')

type Order = 'asc' | 'desc'
type Listed = [
  id: string | null,
  folio: string,
  service: Service,
  state: AppointmentState,
  startsAt: Date,
  municipality: string | null,
  customer: string,
  firstName: string | null,
  assignee: string | null,
  confirmed: boolean,
]

/** One question for the page, the count and the years: a page costs the server more in questions than in rows. */
async function list(
  db: Db,
  actor: Actor,
  filters: Filters,
  states: readonly AppointmentState[],
  order: Order,
): Promise<Page> {
  const seen = and(visibleTo(actor), stateIn(states))
  const wanted = filters.state && states.includes(filters.state) ? [stateIn([filters.state])] : []
  const within = and(seen, ...wanted, ...narrowed(filters))
  const found = await planned<[total: number, years: number[] | null, ...listed: Listed]>(
    db,
    sql`select (select count(*)::int from ${known} where ${within}), (${otherYears(seen)}), page.*
      from (values (1)) one left join (${pageOf(within, afterCursor(filters.after, order), order)}) page on true
      order by page.starts_at ${sql.raw(order)}, page.id ${sql.raw(order)}`,
  )
  const rows = found.flatMap(([, , ...row]) => (row[0] === null ? [] : [asSeenBy(actor, row)]))
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    rows: page,
    total: found[0]?.[0] ?? 0,
    years: found[0]?.[1] ?? [],
    next: last ? `${last.startsAt.getTime()}_${last.id}` : null,
  }
}

const known = sql`appointments join projects on projects.id = appointments.project_id`
const localYear = sql`extract(year from appointments.starts_at at time zone 'America/Mexico_City')::int`
const newYear = (year: number) => sql.raw(`timestamptz '${year}-01-01 America/Mexico_City'`)

/** Beyond the years every filter offers there are few appointments or none, and the index of the state finds them. */
const otherYears = (seen: SQL | undefined) =>
  sql`select array_agg(distinct ${localYear}) from ${known} where ${seen} and (
    appointments.starts_at < ${newYear(yearOptions[0])} or appointments.starts_at >= ${newYear(yearOptions.at(-1)! + 1)})`

const pageOf = (within: SQL | undefined, after: SQL | undefined, order: Order) =>
  sql`select appointments.id, appointments.folio, appointments.service, appointments.state, appointments.starts_at,
      appointments.municipality, concat_ws(' ', customer.name, customer.lastname), customer.name,
      nullif(concat_ws(' ', assignee.name, assignee.lastname), ''), appointments.confirmed_at is not null
    from ${known} join users customer on customer.id = appointments.customer_id
      left join users assignee on assignee.id = appointments.assignee_id
    where ${and(within, after)}
    order by appointments.starts_at ${sql.raw(order)}, appointments.id ${sql.raw(order)} limit ${sql.raw(String(pageSize + 1))}`

/** An ally learns first name, stage, type and date of a client; a customer not who is only provisionally chosen. */
function asSeenBy(actor: Actor, row: Listed): ListedAppointment {
  const [id, folio, service, state, startsAt, municipality, customer, firstName, assignee, confirmed] = row
  const common = { id: id ?? '', folio, service, state, startsAt, confirmed }
  if (actor.kind === 'alliate')
    return { ...common, customer: firstName ?? '', municipality: null, assignee: null }
  const isTold = actor.role === 'staff' || confirmed
  return { ...common, customer, municipality, assignee: isTold ? assignee : null }
}

function narrowed({ month, year, service, zones, nobody }: Filters): SQL[] {
  const local = sql`(${appointments.startsAt} at time zone 'America/Mexico_City')`
  return [
    ...(service && services.includes(service) ? [sql`${appointments.service} = ${service}`] : []),
    ...(zones?.length ? [sql`${appointments.municipality} = any(${sql.param([...zones])}::text[])`] : []),
    ...(nobody ? [sql`${appointments.assigneeId} is null`] : []),
    ...(year && /^\d{4}$/.test(year) ? [sql`extract(year from ${local}) = ${Number(year)}`] : []),
    ...(month && /^([0-9]|1[01])$/.test(month)
      ? [sql`extract(month from ${local}) = ${Number(month) + 1}`]
      : []),
  ]
}

function afterCursor(after: string | undefined, order: Order): SQL | undefined {
  const [start = '', id = ''] = after?.split('_') ?? []
  if (!/^\d{1,15}$/.test(start) || !isId(id)) return undefined
  const at = new Date(Number(start))
  const row = sql`(${appointments.startsAt}, ${appointments.id})`
  return order === 'asc' ? sql`${row} > (${at}, ${id}::uuid)` : sql`${row} < (${at}, ${id}::uuid)`
}
