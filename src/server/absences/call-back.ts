import { eq } from 'drizzle-orm'
import { serviceFacts } from '../../domain/services.ts'
import type { Held } from '../appointments/changes.ts'
import type { Tx } from '../database/database.ts'
import { tasks, users } from '../database/schema.ts'
import { enqueue } from '../jobs/jobs.ts'

const because = {
  declined: 'no le queda el horario propuesto',
  expired: 'no contestó la propuesta de horario',
  gone: 'aceptó un horario que ya no estaba libre',
} as const

/** An appointment that nobody carries out and for which no other time was agreed: somebody calls its customer. */
export async function askToCall(tx: Tx, held: Held, why: keyof typeof because): Promise<void> {
  const { customerId, folio, id, projectId, service } = held
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  await tx.insert(tasks).values({
    subject: `Acordar otro horario para la ${serviceFacts[service].label.toLowerCase()} ${folio}: ${because[why]}`,
    reason: `move_${why}`,
    personId: customerId,
    ...{ projectId, appointmentId: id, phone: customer?.phone ?? null, urgent: true },
  })
  await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: id, to: 'managers' })
}
