import { and, eq } from 'drizzle-orm'
import { isOneOf } from '../../domain/agencies/clients.ts'
import type { Queryable } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'

/** Whether a customer is one of an agency's own allies under another account, by e-mail or phone. `phone` is one that is not written yet. */
export async function isOwnReferral(
  db: Queryable,
  customerId: string,
  agencyId: string,
  phone?: string,
): Promise<boolean> {
  const reachable = { email: users.email, phone: users.phone }
  const [customer] = await db.select(reachable).from(users).where(eq(users.id, customerId))
  const allies = await db
    .select(reachable)
    .from(users)
    .where(and(eq(users.agencyId, agencyId), eq(users.kind, 'alliate')))
  return customer !== undefined && isOneOf({ ...customer, phone: phone ?? customer.phone }, allies)
}
