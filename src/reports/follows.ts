import type { Actor } from '../access/rules/actor.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import type { Tx } from '../platform/database/client.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { askForNextStep } from '../projects/open-project.ts'
import { lacksFacade } from './photo-addresses.ts'
import { failedTestsOf } from './prefilled.ts'

type Absence = { actor: Actor; appointment: AppointmentRow; errors: Record<string, string> }

/** An assignee on site has stored a photo of the façade. */
export async function askFacade(tx: Tx, { actor, appointment, errors }: Absence): Promise<void> {
  Object.assign(errors, await lacksFacade(tx, actor, appointment))
}

type Unfinished = { appointment: AppointmentRow; reason: 'half_done' | 'not_possible' }

/** Notifies its customer of the reason and the next step, or not to use the charger, and creates a task for the office. */
export async function notifyUnfinished(tx: Tx, { appointment, reason }: Unfinished): Promise<void> {
  const failed = await failedTestsOf(tx, appointment)
  const letter = failed.length > 0 ? 'left_unsafe' : reason
  await enqueue(tx, 'letter', { letter, appointmentId: appointment.id, to: 'customer' })
  await askForNextStep(tx, appointment, reason, failed)
}
