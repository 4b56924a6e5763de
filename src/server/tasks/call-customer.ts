import { eq } from 'drizzle-orm'
import { users } from '../database/account-schema.ts'
import type { appointments } from '../database/appointment-schema.ts'
import type { Tx } from '../database/database.ts'
import { tasks } from '../database/office-schema.ts'

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
