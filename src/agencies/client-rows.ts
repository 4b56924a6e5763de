import { eq, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, isAlly } from '../access/rules/actor.ts'
import type { AppointmentState, Service } from '../appointments/rules/appointment.ts'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import type { Vehicle } from '../projects/rules/equipment.ts'
import { seesClientAccounts } from './rules/clients.ts'

export const clientCustomers = alias(users, 'customer')
const allies = alias(users, 'ally')

/** The parts of an appointment that an agency reads: its service, time and state. */
export type ClientAppointment = { service: Service; startsAt: Date; state: AppointmentState }
/**
 * The data that an ally typed about a client without an account yet: the ally may read them, to send the invitation
 * again.
 */
export type TypedFacts = { phone: string | null; email: string | null; vehicle: string | null; endsAt: Date }

/** Every client is shown by first name: the account's, or the typed one before there is an account. */
export const firstName = sql<string>`coalesce(${clientCustomers.name}, ${clients.name}, '')`

/** The car that the agency named, or that of its project once there is an account. */
export const clientVehicle = sql<Pick<Vehicle, 'brand' | 'model'> | null>`(
  select json_build_object('brand', car ->> 'brand', 'model', car ->> 'model') from (
    select coalesce(${clients.vehicle}, (select projects.vehicle from projects where projects.customer_id = ${clients.customerId}
      and projects.agency_id = ${clients.agencyId} and projects.vehicle is not null order by projects.created_at desc limit 1)) as car
  ) known where coalesce(car ->> 'brand', car ->> 'model') is not null)`

/** The next appointment, or the last past one. */
const appointmentOf = (states: string, order: 'asc' | 'desc') => sql<ClientAppointment | null>`(
  select json_build_object('service', one.service, 'startsAt', one.starts_at, 'state', one.state)
  from appointments one where one.customer_id = ${clients.customerId} and one.agency_id = ${clients.agencyId}
    and one.state in (${sql.raw(states)}) order by one.starts_at ${sql.raw(order)} limit 1)`
const active = `'requested', 'assigned', 'en_route', 'in_progress', 'paused'`
const over = `'done', 'cancelled', 'no_show'`

const listed = {
  id: clients.id,
  name: firstName,
  vehicle: clientVehicle,
  reference: clients.reference,
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

/** The ally who registered the client at the counter, or took them over: that ally may call them about it. */
export const isTypedBy = (actorId: string) =>
  sql`${clients.source} = 'counter' and ${clients.customerId} is null and ${clients.allyId} = ${actorId}`

const typedFor = (actorId: string | null) =>
  actorId === null
    ? sql<null>`null`
    : sql<TypedFacts | null>`case when ${isTypedBy(actorId)} then json_build_object('phone', ${clients.phone}, 'email', ${clients.email},
        'vehicle', nullif(concat_ws(' ', ${clients.vehicle} ->> 'brand', ${clients.vehicle} ->> 'model', ${clients.vehicle} ->> 'year'), ''),
        'endsAt', ${clients.inviteExpiresAt}) end`

/** Only the manager reads whose account it is. */
const accountFor = (isManager: boolean) => ({
  customerId: isManager ? sql<string | null>`${clients.customerId}` : sql<null>`null`,
  lastname: isManager
    ? sql<string | null>`coalesce(${clientCustomers.lastname}, ${clients.lastname})`
    : sql<null>`null`,
})

/**
 * The rows of clients as an actor reads them, newest first; an agency's own system is no user, and reads what any ally
 * does.
 */
export async function clientRows(
  db: Db,
  reader: Pick<Actor, 'id' | 'kind'> | null,
  within: SQL | undefined,
  limit: number,
  /** Whether the ally's typed data are read too: no list needs them. */
  withTyped = false,
) {
  const rows = await db
    .select({
      ...listed,
      ...accountFor(reader !== null && seesClientAccounts(reader)),
      typed: typedFor(withTyped && reader && isAlly(reader) ? reader.id : null),
    })
    .from(clients)
    .leftJoin(clientCustomers, eq(clientCustomers.id, clients.customerId))
    .leftJoin(allies, eq(allies.id, clients.allyId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .where(within)
    .orderBy(sql`${clients.createdAt} desc, ${clients.id} desc`)
    .limit(limit)
  return rows.map(({ last, next, typed, ...row }) => ({
    ...row,
    next: dated(next),
    last: dated(last),
    // Inside JSON a date is text.
    typed: typed && { ...typed, endsAt: new Date(typed.endsAt) },
  }))
}

const dated = (one: ClientAppointment | null) => one && { ...one, startsAt: new Date(one.startsAt) }

export type ListedClient = Awaited<ReturnType<typeof clientRows>>[number]
