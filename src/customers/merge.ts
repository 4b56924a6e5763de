import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { claimUnprovedAccount } from '../accounts/email-change.ts'
import { voidCodes } from '../accounts/letter-codes.ts'
import { endWaitingChange } from '../accounts/password.ts'
import { endSessions } from '../accounts/providers.ts'
import { activeAttribution, isOwnReferral, lockAttribution } from '../agencies/join.ts'
import { failedStates } from '../appointments/rules/appointment.ts'
import { endedPaymentStates } from '../payments/rules/payment.ts'
import {
  type Db,
  databaseFault,
  isId,
  type Queryable,
  type Tx,
  transaction,
} from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { customerMerges, users } from '../platform/database/schema/accounts.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { firstFree } from '../projects/rules/homes.ts'
import { lostReasons } from '../projects/rules/stages.ts'
import { refuse } from '../shared/refusal.ts'
import { calledBy } from '../users/rules/user.ts'
import { moveRows } from './merge-references.ts'
import {
  isToldOfMerge,
  type MergeSide,
  mergesCustomers,
  projectToClose,
  undoneUntil,
  whyNotMerged,
} from './rules/merge.ts'

/** Which customer stands, and whose name and phone are kept. */
type MergeInput = { keptId: string; endedId: string; nameOf: Whose; phoneOf: Whose }
type Whose = 'kept' | 'ended'

/**
 * Two customers are one person: every row of one moves to the other, whose account stands; the first account ends. The
 * journal holds what moved, so that `undoMerge` can put it back. Sent again, it has no further effect.
 */
export async function mergeCustomers(db: Db, actor: Actor, input: MergeInput, now: Date): Promise<void> {
  if (!mergesCustomers(actor)) refuse('permission-denied')
  const { endedId, keptId } = input
  const people = await transaction(db, async (tx) => {
    await lockPair(tx, [keptId, endedId])
    const [kept, ended] = await pairOf(tx, keptId, endedId)
    if (ended.mergedIntoId === keptId) return []
    const obstacle = whyNotMerged(kept, ended) ?? (await ownReferral(tx, kept, ended))
    if (obstacle) refuse('failed-precondition', obstacle)
    await claimUnprovedAccount(tx, keptId, actor.id, now)
    const endedProjectId = await closeEmpty(tx, actor, projectToClose(kept, ended), now)
    const endedClientId = await endAttributionOf(tx, kept, ended, now)
    await makeRoom(tx, keptId, endedId)
    const moved = await moveRows(tx, endedId, keptId)
    const profile = await takeProfile(tx, input)
    await endAccount(tx, ended, keptId, now)
    const [merge] = await tx
      .insert(customerMerges)
      .values({
        keptId,
        endedId,
        mergedBy: actor.id,
        mergedAt: now,
        moved,
        profile,
        endedProjectId,
        endedClientId,
      })
      .returning({ id: customerMerges.id })
    await recordBoth(tx, actor, input, { merge: merge!.id })
    // Once it cannot be undone any more: it names the mailbox of the other.
    if (isToldOfMerge(ended))
      await enqueue(tx, 'account-letter', { letter: 'account_merged', mergeId: merge!.id }, undoneUntil(now))
    return [keptId, endedId, ...(moved['projects.customer_id'] ?? [])]
  }).catch(orOverlapping)
  announce(db, { people })
}

/** The bookings of both were at the same time: a customer is at one place at once. */
function orOverlapping(error: unknown): never {
  if (databaseFault(error).constraint === 'appointments_customer_one_at_a_time')
    refuse(
      'failed-precondition',
      'Las dos tienen una cita a la misma hora. Mueve o cancela una y vuelve a unirlas.',
    )
  throw error
}

/**
 * Locks both customers in the order of every other command: their attributions, which wait for a project that is being
 * opened, their projects, then the users; between the two in the order of their ids.
 */
export async function lockPair(tx: Tx, ids: readonly [string, string]): Promise<void> {
  if (!ids.every(isId)) refuse('not-found')
  const inOrder = [...new Set(ids)].sort()
  for (const id of inOrder) await lockAttribution(tx, id)
  const theirs = inArray(projects.customerId, inOrder)
  await tx.select({ id: projects.id }).from(projects).where(theirs).orderBy(asc(projects.id)).for('update')
  const both = inArray(users.id, inOrder)
  await tx.select({ id: users.id }).from(users).where(both).orderBy(asc(users.id)).for('update')
}

/** What the rules read of two customers, the one that stands first. */
export async function pairOf(
  db: Queryable,
  keptId: string,
  endedId: string,
): Promise<[kept: MergeSide, ended: MergeSide]> {
  if (![keptId, endedId].every(isId)) refuse('not-found')
  const { rows } = await db.execute<SideRow>(sql`
    select users.id, users.name, users.lastname, users.email, users.role, users.kind, users.active,
      users.email_verified as "emailVerified", users.deletion_requested_at is not null as "isLeaving",
      users.merged_into_id as "mergedIntoId", coalesce(open.those, '[]') as open,
      agencies.id as "agencyId", agencies.name as agency,
      exists (select from accounts where accounts.user_id = users.id) as "isEntered",
      exists (select from fiscal_data where fiscal_data.customer_id = users.id) as "hasFiscalData"
    from users
      left join lateral (${openProjectsOf}) open on true
      left join clients on clients.customer_id = users.id and clients.ended_at is null
      left join agencies on agencies.id = clients.agency_id
    where users.id in (${keptId}, ${endedId}) and users.deleted_at is null`)
  const side = (id: string): MergeSide => {
    const { agency, agencyId, ...row } = rows.find((one) => one.id === id) ?? refuse('not-found')
    return {
      ...row,
      name: calledBy(row),
      agency: agencyId === null ? null : { id: agencyId, name: agency },
    }
  }
  return [side(keptId), side(endedId)]
}

type SideRow = Omit<MergeSide, 'name' | 'agency'> & {
  name: string | null
  lastname: string | null
  email: string
  agencyId: string | null
  agency: string
}

/** The open projects of `users.id`, with what is under way or done in them: a project without any of that is empty. */
const openProjectsOf = sql`
  select jsonb_agg(jsonb_build_object('id', projects.id,
    'hasAddress', exists (select from addresses where addresses.project_id = projects.id and addresses.archived_at is null),
    'work', array(
      select folio from appointments where project_id = projects.id and state not in (${listed(failedStates)})
      union select folio from quotes where project_id = projects.id and state <> 'withdrawn'
      union select folio from payments where project_id = projects.id and state not in (${listed(endedPaymentStates)})
      union select folio from refunds where project_id = projects.id and state <> 'refused'
      union select folio from cfe_cases where project_id = projects.id and closed_at is null
      union select 'lista de espera' from slot_wishes where project_id = projects.id and ended_at is null
      order by 1
    )) order by projects.place) as those
  from projects where projects.customer_id = users.id and projects.closed_at is null`

/** Whether the one that stands would be the client of an agency whose ally they are, in words. */
async function ownReferral(tx: Tx, kept: MergeSide, { agency }: MergeSide): Promise<string | null> {
  if (!agency || kept.agency || !(await isOwnReferral(tx, kept.id, agency.id))) return null
  return `El correo o teléfono de ${kept.name} es de un aliado de ${agency.name}, que trajo la otra ficha. Termina antes esa atribución.`
}

/** Gives the open projects that move places which none of the other customer's holds. */
async function makeRoom(tx: Tx, keptId: string, endedId: string): Promise<void> {
  const open = await tx
    .select({ id: projects.id, customerId: projects.customerId, place: projects.place })
    .from(projects)
    .where(and(inArray(projects.customerId, [keptId, endedId]), isNull(projects.closedAt)))
    .orderBy(asc(projects.place))
  const taken = open.filter(({ customerId }) => customerId === keptId).map(({ place }) => place)
  // From the last one on: no two of the same customer are in one place meanwhile.
  for (const { id, place } of open.filter(({ customerId }) => customerId === endedId).reverse()) {
    const own = taken.includes(place) ? firstFree([...taken, ...open.map((one) => one.place)]) : place
    taken.push(own)
    if (own !== place) await tx.update(projects).set({ place: own }).where(eq(projects.id, id))
  }
}

/** Closes the empty one of two open projects; it stays in the list of the customer's projects. */
async function closeEmpty(tx: Tx, actor: Actor, id: string | null, now: Date): Promise<string | null> {
  if (id === null) return null
  await tx
    .update(projects)
    .set({ closedAt: now, lostReason: 'duplicado', version: sql`${projects.version} + 1` })
    .where(eq(projects.id, id))
  const lost = {
    entity: 'project',
    entityId: id,
    actorId: actor.id,
    name: 'lose',
    data: { reason: 'duplicado' },
  }
  await record(tx, { ...lost, reason: `No se concretó: ${lostReasons.duplicado}` })
  return id
}

/** What an attribution that a merge ended says as its reason. */
export const mergedReason = 'Su ficha se unió con otra que ya venía de aquí'

/** Both came from the same dealership: one living attribution stays, that of the one that stands. */
async function endAttributionOf(
  tx: Tx,
  kept: MergeSide,
  ended: MergeSide,
  now: Date,
): Promise<string | null> {
  if (!kept.agency || !ended.agency) return null
  const living = await activeAttribution(tx, ended.id)
  if (!living) return null
  await tx
    .update(clients)
    .set({ endedAt: now, endedReason: mergedReason })
    .where(and(eq(clients.id, living.id), isNull(clients.endedAt)))
  return living.id
}

/** The name and phone that were chosen; returns them as they were before and are now. */
async function takeProfile(tx: Tx, { endedId, keptId, nameOf, phoneOf }: MergeInput) {
  const { lastname, name, phone } = users
  const rows = await tx
    .select({ id: users.id, name, lastname, phone })
    .from(users)
    .where(inArray(users.id, [keptId, endedId]))
  const read = (id: string) => {
    const { id: _, ...profile } = rows.find((row) => row.id === id)!
    return profile
  }
  const before = read(keptId)
  const other = read(endedId)
  const named = nameOf === 'ended' ? other : before
  const reached = phoneOf === 'ended' ? other : before
  const after = { name: named.name, lastname: named.lastname, phone: reached.phone }
  await tx
    .update(users)
    .set({ ...after, version: sql`${users.version} + 1` })
    .where(eq(users.id, keptId))
  return { before, after }
}

/** The account signs in no more and its letters open nothing; its mailbox stays its own, so that nobody else takes it. */
async function endAccount(tx: Tx, ended: MergeSide, keptId: string, now: Date): Promise<void> {
  await endSessions(tx, ended.id)
  await endWaitingChange(tx, ended.id, now)
  await voidCodes(tx, 'reset_password', ended.id, now)
  await voidCodes(tx, 'verify_email', ended.id, now)
  await tx
    .update(users)
    .set({ active: false, mergedIntoId: keptId, version: sql`${users.version} + 1` })
    .where(eq(users.id, ended.id))
}

/** One event for each of the two, and their stages worked out again. */
export async function recordBoth(
  tx: Tx,
  actor: Actor,
  { endedId, keptId }: Pick<MergeInput, 'keptId' | 'endedId'>,
  data: { merge: string; undone?: boolean },
): Promise<void> {
  const [name, away] = data.undone ? ['undo_merge', 'undo_merge'] : ['merge', 'merge_away']
  const by = { entity: 'user', actorId: actor.id }
  await record(tx, { ...by, entityId: keptId, name, data: { ...data, other: endedId } })
  await record(tx, { ...by, entityId: endedId, name: away, data: { ...data, other: keptId } })
  await tx.execute(sql`insert into stage_checks (customer_id) values (${keptId}), (${endedId})`)
}
