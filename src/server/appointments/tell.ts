import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import type { Held } from './appointments-changes.ts'

type Person = Pick<Held, 'id' | 'assigneeId' | 'confirmedAt'>

/** Somebody was confirmed: the customer hears who comes, that person what they have, and whoever had it that they have not. */
export async function tellAssigned(tx: Tx, before: Person, after: Person): Promise<void> {
  const about = { letter: 'assigned', appointmentId: after.id } as const
  await enqueue(tx, 'letter', { ...about, to: 'customer' })
  if (after.assigneeId && knew(before) !== after.assigneeId)
    await enqueue(tx, 'letter', { ...about, to: 'person', personId: after.assigneeId })
  await tellTakenOff(tx, before, after)
}

/** Whoever knew that an appointment was theirs hears that it is no more. */
export async function tellTakenOff(tx: Tx, before: Person, after: Person): Promise<void> {
  const personId = knew(before)
  if (personId && personId !== after.assigneeId)
    await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: after.id, to: 'person', personId })
}

/** A provisional person does not know. */
const knew = ({ assigneeId, confirmedAt }: Person) => (confirmedAt ? assigneeId : null)
