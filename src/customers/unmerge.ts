import { aliasedTable, and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, databaseFault, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { customerMerges, users } from '../platform/database/schema/accounts.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { calledBy } from '../users/rules/user.ts'
import { lockPair, mergedReason, recordBoth } from './merge.ts'
import { addedSince, putBackRows } from './merge-references.ts'
import { mergesCustomers, undoHours, undoneUntil } from './rules/merge.ts'

const ended = aliasedTable(users, 'ended')
const by = aliasedTable(users, 'merged_by')

/** The merges into a customer that stand, newest first: whose record was merged, by whom, and until when it is undone. */
export async function mergesOf(db: Db, actor: Actor, customerId: string, now: Date) {
  if (!mergesCustomers(actor) || !isId(customerId)) return []
  const { id, mergedAt } = customerMerges
  const { email, lastname, name } = ended
  const rows = await db
    .select({ id, at: mergedAt, by: by.fullName, name, lastname, email })
    .from(customerMerges)
    .innerJoin(ended, eq(ended.id, customerMerges.endedId))
    .innerJoin(by, eq(by.id, customerMerges.mergedBy))
    .where(
      and(eq(customerMerges.keptId, customerId), isNull(customerMerges.undoneAt), isNull(ended.deletedAt)),
    )
    .orderBy(desc(mergedAt))
  return rows.map(({ at, by: manager, id: merge, ...other }) => ({
    id: merge,
    at,
    by: manager,
    name: calledBy(other),
    email: other.email,
    until: undoneUntil(at) > now ? undoneUntil(at) : null,
  }))
}

export type StandingMerge = Awaited<ReturnType<typeof mergesOf>>[number]

type Merge = typeof customerMerges.$inferSelect

/** What became of the name and phone: corrected since, they stay as they are. */
type Undone = { endedId: string; isCorrected: boolean }

/**
 * Undoes a merge within a day: exactly the rows that it moved go back, and the account of the other is as it was. What
 * cannot be put back, since it changed, is refused. Sent again, it has no further effect.
 */
export async function undoMerge(db: Db, actor: Actor, mergeId: string, now: Date): Promise<Undone> {
  if (!mergesCustomers(actor)) refuse('permission-denied')
  if (!isId(mergeId)) refuse('not-found')
  const [found] = await db.select().from(customerMerges).where(eq(customerMerges.id, mergeId))
  const { endedId, keptId } = found ?? refuse('not-found')
  const isCorrected = await transaction(db, async (tx) => {
    await lockPair(tx, [keptId, endedId])
    const [merge] = await tx.select().from(customerMerges).where(eq(customerMerges.id, mergeId)).for('update')
    if (merge!.undoneAt) return false
    await refuseUndo(tx, merge!, now)
    return putBack(tx, actor, merge!, now)
  }).catch(orOpened)
  announce(db, { people: [keptId, endedId, ...(found!.moved['projects.customer_id'] ?? [])] })
  return { endedId, isCorrected }
}

function orOpened(error: unknown): never {
  if (databaseFault(error).constraint === 'projects_open_place')
    refuse(
      'failed-precondition',
      'Desde la unión se abrió otro proyecto en lugar del que volvería. Ciérralo antes si está vacío.',
    )
  throw error
}

/** Why a merge is not undone any more, in words. */
async function refuseUndo(tx: Tx, { endedId, keptId, mergedAt, moved }: Merge, now: Date): Promise<void> {
  if (undoneUntil(mergedAt) <= now)
    refuse('failed-precondition', `Pasaron ${undoHours} horas desde que se unieron: ya no se deshace.`)
  const { deletedAt, id, mergedIntoId } = users
  const both = await tx
    .select({ id, deletedAt, mergedIntoId })
    .from(users)
    .where(sql`${id} in (${keptId}, ${endedId})`)
  if (both.some((one) => one.deletedAt))
    refuse('failed-precondition', 'Una de las dos cuentas ya se eliminó: no se puede deshacer.')
  if (both.find((one) => one.id === keptId)?.mergedIntoId)
    refuse('failed-precondition', 'Esta ficha se unió después con otra: deshaz primero esa unión.')
  const added = await addedSince(tx, moved, keptId)
  if (added.length > 0)
    refuse(
      'failed-precondition',
      `Desde que se unieron se agregó a lo que volvería: ${added.slice(0, 5).join(', ')}. Al separarlas quedaría con la otra persona, así que ya no se deshace con un botón.`,
    )
}

async function putBack(tx: Tx, actor: Actor, merge: Merge, now: Date): Promise<boolean> {
  const { endedClientId, endedId, endedProjectId, id, keptId, mergedAt, moved } = merge
  // Before the rows: none is written for a customer who is merged.
  const next = sql`${users.version} + 1`
  await tx.update(users).set({ active: true, mergedIntoId: null, version: next }).where(eq(users.id, endedId))
  await putBackRows(tx, moved, keptId, endedId)
  if (endedProjectId) await reopenEmpty(tx, actor, endedProjectId, mergedAt)
  if (endedClientId)
    await tx
      .update(clients)
      .set({ endedAt: null, endedReason: null })
      .where(and(eq(clients.id, endedClientId), eq(clients.endedReason, mergedReason)))
  const isCorrected = await putBackProfile(tx, merge)
  await tx.update(customerMerges).set({ undoneAt: now, undoneBy: actor.id }).where(eq(customerMerges.id, id))
  await recordBoth(tx, actor, merge, { merge: id, undone: true })
  return isCorrected
}

/** The project that was closed because both had one open; not where it was changed since. */
async function reopenEmpty(tx: Tx, actor: Actor, projectId: string, closedAt: Date): Promise<void> {
  const [reopened] = await tx
    .update(projects)
    .set({ closedAt: null, lostReason: null, lostNote: null, version: sql`${projects.version} + 1` })
    .where(
      and(eq(projects.id, projectId), eq(projects.closedAt, closedAt), eq(projects.lostReason, 'duplicado')),
    )
    .returning({ id: projects.id })
  if (reopened)
    await record(tx, { entity: 'project', entityId: projectId, actorId: actor.id, name: 'reopen' })
}

/** Name and phone as they were before; what was corrected since stays. Returns whether something was. */
async function putBackProfile(tx: Tx, { keptId, profile: { after, before } }: Merge): Promise<boolean> {
  const { lastname, name, phone } = users
  const [is] = await tx.select({ name, lastname, phone }).from(users).where(eq(users.id, keptId))
  if (!is || !before || !after) return false
  const isNamed = is.name === after.name && is.lastname === after.lastname
  const isReached = is.phone === after.phone
  await tx
    .update(users)
    .set({
      ...(isNamed && { name: before.name, lastname: before.lastname }),
      ...(isReached && { phone: before.phone }),
      version: sql`${users.version} + 1`,
    })
    .where(eq(users.id, keptId))
  return !(isNamed && isReached)
}
