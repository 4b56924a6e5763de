import { eq } from 'drizzle-orm'
import type { Tx } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import type { appointments } from '../platform/database/schema/appointment-schema.ts'
import { tasks } from '../platform/database/schema/office-schema.ts'

/** The reason of a task in which the manager decides whether an appointment is reopened. */
export const claimReason = 'claim'

type About = Pick<typeof appointments.$inferSelect, 'id' | 'customerId' | 'projectId'>

/** A task, urgent by default: somebody phones the customer of an appointment. */
export async function askToCallCustomer(
  tx: Tx,
  { customerId, id, projectId }: About,
  what: { subject: string; reason: string; urgent?: boolean },
): Promise<void> {
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  await tx.insert(tasks).values({
    urgent: true,
    ...what,
    personId: customerId,
    projectId,
    appointmentId: id,
    phone: customer?.phone ?? null,
  })
}
