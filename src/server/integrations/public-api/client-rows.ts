import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { ClientStage } from '../../../domain/agencies/clients.ts'
import { codeIn } from '../../../domain/agencies/codes.ts'
import { failedStates, type Service } from '../../../domain/appointments/appointment.ts'
import { refreshClients } from '../../agencies/standing.ts'
import type { Db } from '../../platform/database/database.ts'
import { cutPage } from '../../platform/database/lists.ts'
import { listed } from '../../platform/database/literals.ts'
import { users } from '../../platform/database/schema/account-schema.ts'
import { clients, codes } from '../../platform/database/schema/agencies.ts'

type Appointment = { type: Service; startsAt: string }

/** Those to come and those that took place; of the others nobody needs to be told. */
const appointmentsOf = sql<Appointment[]>`coalesce((
  select json_agg(json_build_object('type', one.service,
    'startsAt', to_char(one.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by one.starts_at, one.id)
  from appointments one where one.customer_id = ${clients.customerId} and one.agency_id = ${clients.agencyId}
    and one.state not in (${listed(failedStates)})), '[]')`

/** All that leaves the database of a client. */
const told = {
  id: clients.id,
  firstName: sql<string>`coalesce(${users.name}, ${clients.name}, '')`,
  stage: clients.stage,
  waitingOn: clients.waitingOn,
  since: clients.standingSince,
  appointments: appointmentsOf,
}

export type ClientFilters = {
  limit: number
  cursor?: string | undefined
  stage?: ClientStage | undefined
  code?: string | undefined
}

/** A page of an agency's clients, in the order in which they came, as they stand now. */
export async function clientRows(db: Db, agencyId: string, filters: ClientFilters, now: Date) {
  const { cursor, stage, code, limit } = filters
  await refreshClients(db, now, { agencyId })
  const found = await read(db, limit + 1, [
    eq(clients.agencyId, agencyId),
    ...(cursor ? [gt(clients.id, cursor)] : []),
    ...(stage ? [eq(clients.stage, stage)] : []),
    ...(code ? [named(codeIn(code))] : []),
  ])
  const { rows: data, next } = cutPage(found, limit)
  return { data, next }
}

/** One of an agency's clients as they stand now; undefined for any other's. */
export async function clientRow(db: Db, agencyId: string, id: string, now: Date) {
  await refreshClients(db, now, { agencyId })
  const [row] = await read(db, 1, [eq(clients.agencyId, agencyId), eq(clients.id, id)])
  return row
}

/** What can't be a code is nobody's. */
const named = (code: string | null) => (code ? eq(codes.code, code) : sql`false`)

async function read(db: Db, limit: number, wanted: readonly SQL[]) {
  const rows = await db
    .select(told)
    .from(clients)
    .leftJoin(users, eq(users.id, clients.customerId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .where(and(isNull(clients.endedAt), ...wanted))
    .orderBy(asc(clients.id))
    .limit(limit)
  return rows.map(({ since, ...row }) => ({ ...row, since: since?.toISOString() ?? null }))
}
