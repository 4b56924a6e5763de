import { serviceFacts } from '../../domain/appointments/appointment.ts'
import type { Held } from '../appointments/appointments-changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { askToCallCustomer } from '../projects/call-customer.ts'

const because = {
  declined: 'no le queda el horario propuesto',
  expired: 'no contestó la propuesta de horario',
  gone: 'aceptó un horario que ya no estaba libre',
} as const

/** An appointment that nobody carries out and for which no other time was agreed: somebody calls its customer. */
export async function askToCall(tx: Tx, held: Held, why: keyof typeof because): Promise<void> {
  const { folio, id, service } = held
  const subject = `Acordar otro horario para la ${serviceFacts[service].label.toLowerCase()} ${folio}: ${because[why]}`
  await askToCallCustomer(tx, held, { subject, reason: `move_${why}` })
  await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: id, to: 'managers' })
}
