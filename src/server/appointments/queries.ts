import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { type AppointmentState, activeStates, doneStates } from '../../domain/appointment.ts'
import { type Service, services } from '../../domain/services.ts'
import type { Db, Queryable } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { appointments, projects } from '../database/schema.ts'
import { assignee, customer, fullName } from './people.ts'
import { stateIn, visibleTo } from './visible.ts'

/** One appointment as its list shows it. */
export type ListedAppointment = {
  id: string
  folio: string
  service: Service
  state: AppointmentState
  startsAt: Date
  minutes: number
  municipality: string | null
  customer: string
  assignee: string | null
  confirmed: boolean
}

const listed = {
  id: appointments.id,
  folio: appointments.folio,
  service: appointments.service,
  state: appointments.state,
  startsAt: appointments.startsAt,
  minutes: appointments.minutes,
  municipality: appointments.municipality,
  customer: fullName(customer),
  customerFirstName: customer.name,
  assignee: sql<string | null>`nullif(${fullName(assignee)}, '')`,
  confirmed: sql<boolean>`${appointments.confirmedAt} is not null`,
}

/** Where a page of a list stands: newest or soonest first, then by id. */
export type Filters = {
  /** '0' to '11', with its year. */
  month?: string
  year?: string
  service?: Service
  state?: AppointmentState
  after?: string
}

export type Page = { rows: ListedAppointment[]; total: number; next: string | null }

export const pageSize = 50

/** What is to be done, soonest first. */
export const listPending = (db: Db, actor: Actor, filters: Filters) =>
  list(db, actor, filters, activeStates, 'asc')
/** What was done or ended otherwise, newest first. */
export const listDone = (db: Db, actor: Actor, filters: Filters) =>
  list(db, actor, filters, doneStates, 'desc')

async function list(
  db: Db,
  actor: Actor,
  filters: Filters,
  states: readonly AppointmentState[],
  order: 'asc' | 'desc',
): Promise<Page> {
  const within = and(
    visibleTo(actor),
    stateIn(filters.state && states.includes(filters.state) ? [filters.state] : states),
    ...narrowed(filters),
  )
  const [rows, total] = await Promise.all([
    rowsOf(db)
      .where(and(within, afterCursor(filters.after, order)))
      .orderBy(
        ...(order === 'asc'
          ? [asc(appointments.startsAt), asc(appointments.id)]
          : [desc(appointments.startsAt), desc(appointments.id)]),
      )
      .limit(pageSize + 1),
    countOf(db, within),
  ])
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return {
    rows: page.map((row) => asSeenBy(actor, row)),
    total,
    next: last ? `${last.startsAt.getTime()}_${last.id}` : null,
  }
}

const rowsOf = (db: Queryable) =>
  db
    .select(listed)
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

async function countOf(db: Queryable, within: SQL | undefined) {
  const [row] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(within)
  return row?.total ?? 0
}

/** An ally learns first name, stage, type and date of a client; a customer not who is only provisionally chosen. */
function asSeenBy(actor: Actor, { customerFirstName, ...row }: Row): ListedAppointment {
  if (actor.kind === 'alliate')
    return { ...row, customer: customerFirstName ?? '', municipality: null, assignee: null }
  if (actor.role === 'customer' && !row.confirmed) return { ...row, assignee: null }
  return row
}

function narrowed({ month, year, service }: Filters): SQL[] {
  const local = sql`(${appointments.startsAt} at time zone 'America/Mexico_City')`
  return [
    ...(service && services.includes(service) ? [sql`${appointments.service} = ${service}`] : []),
    ...(year && /^\d{4}$/.test(year) ? [sql`extract(year from ${local}) = ${Number(year)}`] : []),
    ...(month && /^([0-9]|1[01])$/.test(month)
      ? [sql`extract(month from ${local}) = ${Number(month) + 1}`]
      : []),
  ]
}

function afterCursor(after: string | undefined, order: 'asc' | 'desc'): SQL | undefined {
  const [start = '', id = ''] = after?.split('_') ?? []
  if (!/^\d{1,15}$/.test(start) || !isId(id)) return undefined
  const at = new Date(Number(start))
  const row = sql`(${appointments.startsAt}, ${appointments.id})`
  return order === 'asc' ? sql`${row} > (${at}, ${id}::uuid)` : sql`${row} < (${at}, ${id}::uuid)`
}

/** The years that have appointments, for the filter. */
export async function yearsWithAppointments(db: Db, actor: Actor): Promise<number[]> {
  const rows = await db
    .selectDistinct({
      year: sql<number>`extract(year from ${appointments.startsAt} at time zone 'America/Mexico_City')::int`,
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(visibleTo(actor))
  return rows.map((row) => row.year)
}

/** A customer's appointments of one service in a project, the latest first. */
export async function appointmentsOfProject(db: Db, actor: Actor, projectId: string) {
  const rows = await db
    .select({
      ...listed,
      closingNote: appointments.closingNote,
      since: appointments.updatedAt,
      address: appointments.address,
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .where(and(eq(appointments.projectId, projectId), visibleTo(actor)))
    .orderBy(desc(appointments.startsAt))
  return rows.map(({ customerFirstName, ...row }) => ({
    ...row,
    assignee: row.confirmed ? row.assignee : null,
  }))
}

/** What waits for the manager: booked, its person not confirmed. */
export const listToAssign = (db: Db, actor: Actor, { after }: Filters) =>
  list(db, actor, after ? { after } : {}, ['requested'], 'asc')

/** How many appointments in these states an actor sees. */
export const countIn = (db: Db, actor: Actor, states: readonly AppointmentState[]) =>
  countOf(db, and(visibleTo(actor), stateIn(states)))
