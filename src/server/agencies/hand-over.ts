import { and, desc, eq, isNull, notInArray, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { editsAgencies } from '../../domain/agencies/agency.ts'
import { endedCodeStates } from '../../domain/agencies/codes.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { managesPeople } from '../../domain/users/user.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'

type HandOver = { agencyId: string; from: string; to: string }

/** How much stands under somebody's name: clients that go on, and codes that may still be used. */
export type HoldingCounts = { clients: number; codes: number }

/** What is over stays with whoever it was. */
const lives = notInArray(codes.state, [...endedCodeStates])

/** The manager gives what one of an agency's people holds to another active ally of it; answers how much. */
export async function handOver(
  db: Db,
  actor: Actor,
  { agencyId, from, to }: HandOver,
): Promise<HoldingCounts> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  const moved = await transaction(db, async (tx) => {
    await holdAlly(tx, agencyId, from, to)
    // The codes first: whoever is using one keeps it held until they are a client, who then goes along (redeem.ts).
    const owned = await tx
      .update(codes)
      .set({ ownerId: to, version: sql`${codes.version} + 1` })
      .where(and(eq(codes.agencyId, agencyId), eq(codes.ownerId, from), lives))
      .returning({ id: codes.id })
    const given = await tx
      .update(clients)
      .set({ allyId: to, version: sql`${clients.version} + 1` })
      .where(and(eq(clients.agencyId, agencyId), eq(clients.allyId, from), isNull(clients.endedAt)))
      .returning({ id: clients.id })
    if (given.length + owned.length === 0)
      refuse('failed-precondition', 'Esta persona ya no tiene clientes ni códigos que pasar.')
    await traces(tx, actor, { from, to }, { client: given, code: owned })
    const counts = { clients: given.length, codes: owned.length }
    const event = { entity: 'agency', entityId: agencyId, actorId: actor.id, name: 'hand_over' }
    await record(tx, { ...event, data: { from, to, ...counts } })
    return counts
  })
  announce(db, { people: [agencyId, from, to], desk: false })
  return moved
}

/** Whoever takes over, held: they can't leave before it is theirs. */
async function holdAlly(tx: Tx, agencyId: string, from: string, to: string): Promise<void> {
  const ally = and(eq(users.kind, 'alliate'), eq(users.agencyId, agencyId), eq(users.active, true))
  const [taker] =
    isId(to) && isId(from) && to !== from
      ? await tx
          .select({ id: users.id })
          .from(users)
          .where(and(eq(users.id, to), ally))
          .for('share')
      : []
  if (taker) return
  const error = 'Elige a otra persona activa de esta concesionaria.'
  refuse('failed-precondition', error, { errors: { to: error } })
}

/** One event for each client and each code, so that the history of each says whose it was. */
async function traces(
  tx: Tx,
  { id: actorId }: Actor,
  data: Pick<HandOver, 'from' | 'to'>,
  moved: Record<'client' | 'code', readonly { id: string }[]>,
): Promise<void> {
  for (const [entity, rows] of Object.entries(moved))
    for (const { id } of rows) await record(tx, { entity, entityId: id, actorId, name: 'hand_over', data })
}

/** Who holds clients or codes of an agency, by name, and whether they still are one of its people. */
export async function holdersOf(db: Db, agencyId: string) {
  const { rows } = await db.execute<HoldingCounts & { id: string; name: string; isAlly: boolean }>(sql`
    with held as (
      select ally_id as id, 1 as clients, 0 as codes from clients
        where agency_id = ${agencyId} and ended_at is null and ally_id is not null
      union all select owner_id, 0, 1 from codes
        where agency_id = ${agencyId} and state not in (${listed(endedCodeStates)})
    ) select users.id, users.full_name as name,
      users.active and users.kind = 'alliate' and users.agency_id = ${agencyId} as "isAlly",
      sum(held.clients)::int as clients, sum(held.codes)::int as codes
    from held join users on users.id = held.id group by users.id
    order by "isAlly", users.full_name collate es`)
  return rows
}

/** What stands under somebody's name, by agency: it stays there when they go. Only for whoever may hand it over. */
export async function heldBy(db: Db, actor: Actor, userId: string) {
  if (!editsAgencies(actor) || !isId(userId)) return []
  const { rows } = await db.execute<HoldingCounts & { agencyId: string; agency: string }>(sql`
    with held as (
      select agency_id, 1 as clients, 0 as codes from clients where ally_id = ${userId} and ended_at is null
      union all select agency_id, 0, 1 from codes where owner_id = ${userId} and state not in (${listed(endedCodeStates)})
    ) select agencies.id as "agencyId", agencies.name as agency,
      sum(held.clients)::int as clients, sum(held.codes)::int as codes
    from held join agencies on agencies.id = held.agency_id group by agencies.id order by agencies.name collate es`)
  return rows
}

export type HeldCode = Awaited<ReturnType<typeof heldBy>>[number]

const nameOf = (table: 'ally' | 'by') => sql<string | null>`nullif(${sql.raw(table)}.full_name, '')`

/** Everything that ever tied a customer to an agency, the latest first: the living one has no end. For the manager only. */
export async function attributionsOf(db: Db, actor: Actor, customerId: string) {
  if (!managesPeople(actor) || !isId(customerId)) return []
  return db
    .select({
      id: clients.id,
      agency: { id: agencies.id, name: agencies.name },
      allyId: clients.allyId,
      ally: nameOf('ally'),
      by: nameOf('by'),
      source: clients.source,
      code: codes.code,
      reason: clients.reason,
      joinedAt: sql<Date>`${clients.joinedAt}`.mapWith(clients.joinedAt),
      endedAt: clients.endedAt,
      endedReason: clients.endedReason,
    })
    .from(clients)
    .innerJoin(agencies, eq(agencies.id, clients.agencyId))
    .leftJoin(codes, eq(codes.id, clients.codeId))
    .leftJoin(sql`${users} as ally`, sql`ally.id = ${clients.allyId}`)
    .leftJoin(sql`${users} as by`, sql`by.id = ${clients.registeredBy} and ${clients.source} = 'manager'`)
    .where(eq(clients.customerId, customerId))
    .orderBy(desc(clients.joinedAt), desc(clients.id))
}

export type Attribution = Awaited<ReturnType<typeof attributionsOf>>[number]

/** Who can be said to have brought a customer: active allies of active agencies, by agency and name. For the manager only. */
export async function activeAllies(db: Db, actor: Actor) {
  if (!managesPeople(actor)) return []
  return db
    .select({
      id: users.id,
      agency: agencies.name,
      name: sql<string>`coalesce(nullif(${users.fullName}, ''), ${users.email})`,
    })
    .from(users)
    .innerJoin(agencies, and(eq(agencies.id, users.agencyId), agencies.active))
    .where(and(eq(users.kind, 'alliate'), users.active))
    .orderBy(sql`${agencies.name} collate es`, sql`${users.name} collate es`, users.id)
}
