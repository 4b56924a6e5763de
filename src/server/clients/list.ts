import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/actor.ts'
import type { AppointmentState } from '../../domain/appointment.ts'
import { wordsOf } from '../../domain/appointment-list.ts'
import { type ClientFilters, type ClientStage, clientStages } from '../../domain/client.ts'
import type { Service } from '../../domain/services.ts'
import { users } from '../database/account-schema.ts'
import { clients, codes } from '../database/ally-schema.ts'
import type { Db } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { refreshClients } from './standing.ts'
import { clientsVisibleTo } from './visible.ts'

const pageSize = 50
const customers = alias(users, 'customer')
const allies = alias(users, 'ally')

/** Of an appointment nobody of the agency is told more: what it is, when, and how it stands. */
export type ClientAppointment = { service: Service; startsAt: Date; state: AppointmentState }

/** Everybody is called by their first name: that of the account, or what was typed before there was one. */
const firstName = sql<string>`coalesce(${customers.name}, ${clients.name}, '')`

/** The first of those to come, and the last of those that are over. */
const appointmentOf = (states: string, order: 'asc' | 'desc') => sql<ClientAppointment | null>`(
  select json_build_object('service', one.service, 'startsAt', one.starts_at, 'state', one.state)
  from appointments one where one.customer_id = ${clients.customerId} and one.agency_id = ${clients.agencyId}
    and one.state in (${sql.raw(states)}) order by one.starts_at ${sql.raw(order)} limit 1)`
const active = `'requested', 'assigned', 'en_route', 'in_progress', 'paused'`
const over = `'done', 'cancelled', 'no_show'`

const listed = {
  id: clients.id,
  name: firstName,
  stage: clients.stage,
  waitingOn: clients.waitingOn,
  since: clients.standingSince,
  source: clients.source,
  createdAt: clients.createdAt,
  next: appointmentOf(active, 'asc'),
  last: appointmentOf(over, 'desc'),
  code: codes.code,
  ally: sql<string | null>`nullif(${allies.name}, '')`,
}

export type ListedClient = Awaited<ReturnType<typeof rowsOf>>[number]
/** A page of clients, newest first; `next` is the place after it. */
export type ClientPage = { rows: ListedClient[]; total: number; next: string | null }

/** The clients an actor may see, of one agency. Text is looked for in first names alone, without accents. */
export async function listClients(
  db: Db,
  actor: Actor,
  agencyId: string,
  filters: ClientFilters & { after?: string },
  now: Date,
): Promise<ClientPage> {
  if (!isId(agencyId)) return { rows: [], total: 0, next: null }
  await refreshClients(db, now, { agencyId })
  return page(
    db,
    and(clientsVisibleTo(actor), eq(clients.agencyId, agencyId), ...narrowedBy(filters)),
    filters.after,
  )
}

/** The same for whoever acts for an agency without being a person: its own system. */
export async function listClientsOfAgency(
  db: Db,
  agencyId: string,
  filters: ClientFilters & { after?: string },
  now: Date,
): Promise<ClientPage> {
  await refreshClients(db, now, { agencyId })
  return page(
    db,
    and(isNull(clients.endedAt), eq(clients.agencyId, agencyId), ...narrowedBy(filters)),
    filters.after,
  )
}

/** How many of an agency's clients are at each stage, every stage told; whoever shows it asks first who may see it. */
export async function clientsByStage(
  db: Db,
  agencyId: string,
  now: Date,
): Promise<Record<ClientStage, number>> {
  await refreshClients(db, now, { agencyId })
  const rows = await db
    .select({ stage: clients.stage, count: sql<number>`count(*)::int` })
    .from(clients)
    .where(and(eq(clients.agencyId, agencyId), isNull(clients.endedAt)))
    .groupBy(clients.stage)
  const counts = new Map(rows.map(({ count, stage }) => [stage, count]))
  return Object.fromEntries(clientStages.map((stage) => [stage, counts.get(stage) ?? 0])) as Record<
    ClientStage,
    number
  >
}

async function page(db: Db, within: SQL | undefined, after: string | undefined): Promise<ClientPage> {
  const [found, [count]] = await Promise.all([
    rowsOf(db, and(within, behind(after))),
    db
      .select({ total: sql<number>`count(*)::int` })
      .from(clients)
      .leftJoin(customers, eq(customers.id, clients.customerId))
      .where(within),
  ])
  const rows = found.slice(0, pageSize)
  return {
    rows,
    total: count?.total ?? 0,
    next: found.length > pageSize ? (rows.at(-1)?.id ?? null) : null,
  }
}

async function rowsOf(db: Db, within: SQL | undefined, limit = pageSize + 1) {
  const rows = await db
    .select(listed)
    .from(clients)
    .leftJoin(customers, eq(customers.id, clients.customerId))
    .leftJoin(allies, eq(allies.id, clients.allyId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .where(within)
    .orderBy(sql`${clients.createdAt} desc, ${clients.id} desc`)
    .limit(limit)
  return rows.map(({ last, next, ...row }) => ({ ...row, next: dated(next), last: dated(last) }))
}

/** Inside JSON a moment is text. */
const dated = (one: ClientAppointment | null) => one && { ...one, startsAt: new Date(one.startsAt) }

const narrowedBy = ({ ally, code, stage, text }: ClientFilters): SQL[] => [
  ...(stage ? [eq(clients.stage, stage)] : []),
  ...(code ? [isId(code) ? eq(clients.codeId, code) : sql`false`] : []),
  ...(ally ? [isId(ally) ? eq(clients.allyId, ally) : sql`false`] : []),
  ...wordsOf(text).map(
    (word) => sql`plain_text(${firstName}) like '%' || plain_text(${literally(word)}) || '%'`,
  ),
]

/** What LIKE takes for a pattern is looked for as it stands. */
const literally = (word: string) => word.replace(/[\\%_]/g, '\\$&')

/** Those after a row of the list, which is given by its id: newest first. */
const behind = (id: string | undefined) =>
  id && isId(id)
    ? sql`(${clients.createdAt}, ${clients.id}) < (select last.created_at, last.id from clients last where last.id = ${id})`
    : undefined
