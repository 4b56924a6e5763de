import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Tx } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import type { clients } from '../platform/database/schema/agencies.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

export type ClientRow = typeof clients.$inferSelect

/**
 * Keeps everything that ties a customer to an agency as it is until the transaction ends: first the customer, so that a
 * project which is just being opened is either seen here or sees what is written here (`projects_attribute`), then their
 * projects, as every writer of money does. Codes and clients are held after these, a code before its clients.
 */
export async function holdAttribution(tx: Tx, customerId: string): Promise<{ projectIds: string[] }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${customerId}, 726005))`)
  const open = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.customerId, customerId), isNull(projects.closedAt)))
    .orderBy(asc(projects.id))
    .for('update')
  return { projectIds: open.map(({ id }) => id) }
}

/** The same of somebody who is a customer, and stays one until then; nobody else is ever tied to an agency. */
export async function holdCustomer(tx: Tx, customerId: string): Promise<{ projectIds: string[] }> {
  const held = await holdAttribution(tx, customerId)
  const [customer] = await tx
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, customerId), isNull(users.deletedAt)))
    .for('share')
  if (!customer) refuse('not-found')
  if (customer.role !== 'customer')
    refuse('failed-precondition', 'Solo un cliente viene de una concesionaria.')
  return held
}

/** Whoever registers somebody with this phone for this agency next waits for this transaction. */
export async function holdPhone(tx: Tx, agencyId: string, phone: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${agencyId} ${phone}`}, 0))`)
}
