import { and, eq, isNull } from 'drizzle-orm'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { agencies } from '../platform/database/schema/office-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

/** Somebody's row, held until the transaction ends. */
export type Held = typeof users.$inferSelect

/** Holds a person. Whoever goes on to change what they may do began the transaction with `holdingAllStaffing`. */
export async function holdPerson(tx: Tx, id: string): Promise<Held> {
  if (!isId(id)) refuse('not-found')
  const [person] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deletedAt)))
    .for('no key update')
  return person ?? refuse('not-found')
}

/**
 * How many active managers there are besides a person. They are held in the order of their ids: of two changes that would
 * take the last two away at once, the second waits, and counts again.
 */
export async function holdOtherManagers(tx: Tx, id: string): Promise<number> {
  const managers = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.kind, 'manager'), users.active))
    .orderBy(users.id)
    .for('no key update')
  return managers.filter((manager) => manager.id !== id).length
}

/** Whether a customer has a project that is not closed. */
export async function hasOpenProject(tx: Tx, customerId: string): Promise<boolean> {
  const open = and(eq(projects.customerId, customerId), isNull(projects.closedAt))
  return (await tx.select({ id: projects.id }).from(projects).where(open).limit(1)).length > 0
}

/** Whether an agency takes allies; true without one. It can't be deactivated before this transaction ends. */
export async function agencyIsActive(tx: Tx, id: string | null): Promise<boolean> {
  if (id === null) return true
  const [agency] = await tx
    .select({ active: agencies.active })
    .from(agencies)
    .where(eq(agencies.id, id))
    .for('share')
  return agency?.active ?? false
}
