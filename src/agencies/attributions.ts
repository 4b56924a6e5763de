import { and, desc, eq, isNull, notInArray, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { agencies } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { openQuoteStates } from '../quotes/rules/quote.ts'
import { refuse } from '../shared/refusal.ts'
import { managesPeople } from '../users/rules/user.ts'
import { giveBackUse } from './client-invitations.ts'
import {
  activeAttribution,
  type ClientRow,
  isOwnReferral,
  lockAttribution,
  lockCustomer,
  setAgencyOfProjects,
} from './join.ts'
import { editsAgencies } from './rules/agency.ts'
import type { AttributionEnding } from './rules/clients.ts'
import { attributionEndings } from './rules/clients.ts'
import { endedCodeStates } from './rules/codes.ts'

/** The state on the manager's screen: the id of the customer's attribution, or none; and the reason for the change. */
type Terms = { seen: string | null; reason: string; now: Date }

/**
 * The manager attributes a customer to an ally. An earlier attribution ends and stays as history; within the same
 * agency they keep their code.
 */
export async function attributeByManager(
  db: Db,
  actor: Actor,
  customerId: string,
  { allyId, seen, reason, now }: Terms & { allyId: string },
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  const people = await transaction(db, async (tx) => {
    const living = await lockActiveAttribution(tx, customerId, seen)
    const ally = await activeAlly(tx, allyId)
    if (living?.allyId === ally.id && living.agencyId === ally.agencyId)
      refuse('failed-precondition', 'Ya está atribuido a ese aliado.')
    if (await isOwnReferral(tx, customerId, ally.agencyId))
      refuse('failed-precondition', 'Su correo o teléfono es de un aliado de esa concesionaria.')
    const staysIn = living?.agencyId === ally.agencyId
    const kept = staysIn ? pick(living) : {}
    if (living) await end(tx, living, { reason: 'changed', actorId: actor.id, keepsCode: staysIn, now })
    const [made] = await tx
      .insert(clients)
      .values({
        customerId,
        agencyId: ally.agencyId,
        allyId: ally.id,
        source: 'manager',
        reason,
        joinedAt: now,
        registeredBy: actor.id,
        ...kept,
      })
      .returning({ id: clients.id })
    await setAgencyOfProjects(tx, customerId, ally.agencyId)
    await record(tx, {
      entity: 'client',
      entityId: made!.id,
      actorId: actor.id,
      name: 'attribute',
      reason,
      data: { source: 'manager' },
    })
    return [customerId, ally.agencyId, ...(living ? [living.agencyId] : [])]
  })
  announce(db, { people })
}

/** The manager ends a customer's attribution. A sent quote with the code's benefit stays as it was sent. */
export async function endAttributionByManager(
  db: Db,
  actor: Actor,
  customerId: string,
  { seen, reason, now }: Terms,
): Promise<void> {
  if (!managesPeople(actor)) refuse('permission-denied')
  const people = await transaction(db, async (tx) => {
    const living = (await lockActiveAttribution(tx, customerId, seen)) ?? refuse('aborted')
    await endFully(tx, living, { reason, actorId: actor.id, now })
    return [customerId, living.agencyId]
  })
  announce(db, { people })
}

type Ended = { reason: AttributionEnding | (string & {}); actorId: string | null; now: Date }

/** Ends a customer's attribution, by the given actor; nothing happens where there is none. */
export async function endAttribution(tx: Tx, customerId: string, ended: Ended): Promise<void> {
  await lockAttribution(tx, customerId)
  const living = await activeAttribution(tx, customerId)
  if (living) await endFully(tx, living, ended)
}

/** A customer who joins the team is no agency's client any more. */
export const endAttributionOfStaff = (
  tx: Tx,
  { customerId, ...by }: Omit<Ended, 'reason'> & { customerId: string },
) => endAttribution(tx, customerId, { ...by, reason: 'staff' })

/**
 * A customer's name and phone are known now, or changed: if the phone is one of the agency's own allies', it was a
 * self-referral.
 */
export async function endOwnReferral(
  db: Db,
  { customerId, now }: { customerId: string; now: Date },
): Promise<boolean> {
  const tie = await transaction(db, async (tx) => {
    await lockAttribution(tx, customerId)
    const living = await activeAttribution(tx, customerId)
    if (!living) return null
    const { agencyId, source } = living
    // An attribution that the manager made with a reason is no self-referral.
    const isOwn = source !== 'manager' && (await isOwnReferral(tx, customerId, agencyId))
    if (isOwn) await endFully(tx, living, { reason: 'self_referral', actorId: null, now })
    return { agencyId, isOwn }
  })
  // The agency's lists show their first name.
  if (tie) announce(db, { people: [customerId, tie.agencyId] })
  return tie?.isOwn ?? false
}

async function endFully(tx: Tx, living: ClientRow, ended: Ended): Promise<void> {
  await end(tx, living, { ...ended, keepsCode: false })
  await setAgencyOfProjects(tx, living.customerId!, null)
}

/** Whether an end with this reason means that the customer can accept no further quote. */
const leaves = (reason: string) => reason === 'erased' || reason === 'staff'

/**
 * A use whose benefit was not received, and cannot be any more, becomes available again; the code's row is locked
 * before the client's, as everywhere.
 */
async function end(
  tx: Tx,
  living: ClientRow,
  { actorId, keepsCode, now, reason }: Ended & { keepsCode: boolean },
): Promise<void> {
  if (living.codeId && !keepsCode && !(await isSpent(tx, living, leaves(reason) ? null : now)))
    await giveBackUse(tx, living.codeId, now)
  await tx
    .update(clients)
    .set({ endedAt: now, endedReason: reason, version: sql`${clients.version} + 1` })
    .where(and(eq(clients.id, living.id), isNull(clients.endedAt)))
  await record(tx, { entity: 'client', entityId: living.id, actorId, name: 'end', reason })
}

const pick = ({ benefitProjectId, codeId }: ClientRow) => ({ benefitProjectId, codeId })

/** A customer's current attribution, as the form showed it; none of a customer whom the manager does not see. */
async function lockActiveAttribution(
  tx: Tx,
  customerId: string,
  seen: string | null,
): Promise<ClientRow | null> {
  if (!isId(customerId)) refuse('not-found')
  await lockCustomer(tx, customerId)
  const living = await activeAttribution(tx, customerId)
  if ((living?.id ?? null) !== seen) refuse('aborted')
  return living
}

/** An active ally of an active agency. They stay so until this transaction ends. */
async function activeAlly(tx: Tx, id: string): Promise<{ id: string; agencyId: string }> {
  const [ally] = await tx
    .select({ id: users.id, agencyId: agencies.id })
    .from(users)
    .innerJoin(agencies, and(eq(agencies.id, users.agencyId), agencies.active))
    .where(and(eq(users.id, id), eq(users.kind, 'alliate'), users.active))
    .for('share')
  if (ally) return ally
  const errors = { allyId: 'Elige a un aliado activo de una concesionaria activa.' }
  return refuse('failed-precondition', errors.allyId, { errors })
}

/**
 * Whether the benefit of a customer's code was received: its quote was accepted, or its free visit took place; or may
 * still be, by a sent quote that includes it and is open. Such a use is final, or a code for one use would serve two.
 * `now` is null for a customer who can accept no further quote.
 */
async function isSpent(tx: Tx, living: ClientRow, now: Date | null): Promise<boolean> {
  if (living.benefitProjectId) return true
  const { rows } = await tx.execute<{ spent: boolean }>(sql`
    select exists (
      select from quotes where customer_id = ${living.customerId} and state in (${listed(openQuoteStates)})
        and valid_until >= ${now} and content @> '{"options": [{"lines": [{"id": "benefit"}]}]}'
    ) or exists (
      select from appointments visit join codes on codes.id = ${living.codeId} and codes.benefit_kind = 'free_visit'
      where visit.customer_id = ${living.customerId} and visit.service = 'technical_visit'
        and visit.state = 'done' and visit.outcome = 'completed' and visit.starts_at >= ${living.joinedAt}
        and not exists (select from payments where payments.appointment_id = visit.id
          and payments.concept = 'visit_fee' and payments.state = 'paid'
          and payments.reversed_at is null)
    ) as spent`)
  return rows[0]?.spent ?? false
}

/**
 * A user's account is erased: their attribution ends, and the agency's texts about them are erased, also what an ally
 * typed at the counter. That an agency brought a customer stays, since commissions were paid for it.
 */
export async function forgetClient(
  tx: Tx,
  { email, emailVerified, id: customerId }: { id: string; email: string; emailVerified: boolean },
  now: Date,
): Promise<void> {
  await endAttribution(tx, customerId, { reason: 'erased', actorId: null, now })
  await tx.execute(sql`
    update clients set reference = null, reason = case when reason is not null then '–' end, consent_version = null, version = version + 1,
      ended_reason = case when ended_reason in (${listed(attributionEndings)}) then ended_reason else '–' end
    where customer_id = ${customerId} and ended_at is not null`)
  // Only the owner of a mailbox may have the data about it erased.
  if (!emailVerified) return
  await tx.execute(sql`
    update clients set name = null, lastname = null, phone = null, email = null, vehicle = null, reference = null, invite_hash = null,
      ended_at = coalesce(ended_at, ${now}), ended_reason = coalesce(ended_reason, 'erased'), version = version + 1
    where customer_id is null and lower(email) = ${email}`)
}

type HandOver = { agencyId: string; from: string; to: string }

/** The number of active clients and usable codes under an ally's name. */
export type HoldingCounts = { clients: number; codes: number }

/** Ended codes stay with that ally. */
const lives = notInArray(codes.state, [...endedCodeStates])

/** The manager transfers an ally's clients and codes to another active ally of the agency; returns how many. */
export async function handOver(
  db: Db,
  actor: Actor,
  { agencyId, from, to }: HandOver,
): Promise<HoldingCounts> {
  if (!editsAgencies(actor)) refuse('permission-denied')
  const moved = await transaction(db, async (tx) => {
    await holdAlly(tx, agencyId, from, to)
    // The codes first: a customer who is redeeming one keeps it locked until they are a client, who is then transferred
    // too (redeem.ts).
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

/** The receiving ally, locked: they cannot leave before the transfer. */
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

/** One event for each client and each code, so that the history of each shows its former owner. */
async function traces(
  tx: Tx,
  { id: actorId }: Actor,
  data: Pick<HandOver, 'from' | 'to'>,
  moved: Record<'client' | 'code', readonly { id: string }[]>,
): Promise<void> {
  for (const [entity, rows] of Object.entries(moved))
    for (const { id } of rows) await record(tx, { entity, entityId: id, actorId, name: 'hand_over', data })
}

/** The holders of an agency's clients or codes, by name, and whether they are still its allies. */
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

/**
 * The holdings under a user's name, by agency: they stay there when the user leaves. Only for actors who may transfer
 * them.
 */
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

/** All attributions of a customer, the latest first: the current one has no end. For the manager only. */
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

/**
 * The allies to whom a customer can be attributed: active allies of active agencies, by agency and name. For the
 * manager only.
 */
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
