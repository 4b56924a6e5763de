import { eq } from 'drizzle-orm'
import type { PaymentRow } from '../../payments/rows.ts'
import type { Tx } from '../../platform/database/database.ts'
import { users } from '../../platform/database/schema/account-schema.ts'
import { tasks } from '../../platform/database/schema/office-schema.ts'

type About = Pick<PaymentRow, 'customerId' | 'projectId'>

/** An urgent task: what a payment by card needs somebody for. */
export async function tellTheDesk(
  tx: Tx,
  { customerId, projectId }: About,
  what: { subject: string; reason: string; dueAt?: Date },
): Promise<void> {
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  const phone = customer?.phone ?? null
  await tx.insert(tasks).values({ ...what, personId: customerId, projectId, phone, urgent: true })
}
