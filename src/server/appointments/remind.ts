import { upcomingStates } from '../../domain/appointments/appointment.ts'
import { dueReminder, earliestReminderHours, type Reminder, reminders } from '../../domain/shared/calendar.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { enqueue } from '../platform/jobs/jobs.ts'

type Waiting = { id: string; starts_at: Date; time_set_at: Date; day_told: boolean; hours_told: boolean }

/** Sends the reminders that are due, to customers; answers how many. Two rounds at once send each once. */
export async function sendReminders(db: Db, now: Date): Promise<number> {
  const waiting = await waitingFor(db, now)
  let count = 0
  for (const kind of reminders) {
    const due = waiting.filter((one) => dueReminder(rule(one), now) === kind)
    if (due.length > 0) count += await transaction(db, (tx) => remind(tx, kind, due, now))
  }
  return count
}

const rule = (one: Waiting) => ({
  startsAt: one.starts_at,
  timeSetAt: one.time_set_at,
  reminded: { reminder_24h: one.day_told, reminder_2h: one.hours_told },
})

/** Whoever has nobody to come has been told so already, and a reminder would say the contrary. */
async function waitingFor(db: Db, now: Date): Promise<Waiting[]> {
  const until = new Date(now.getTime() + earliestReminderHours * 3_600_000)
  const { rows } = await db.$client.query<Waiting>(
    `select id, starts_at, time_set_at, reminded_24h_at is not null as day_told, reminded_2h_at is not null as hours_told
     from appointments
     where state in (${literals(upcomingStates)}) and assignee_id is not null
       and (reminded_24h_at is null or reminded_2h_at is null) and starts_at > $1 and starts_at <= $2`,
    [now, until],
  )
  return rows
}

/**
 * Chooses once more from the appointments as they stand, held, and marks them in the transaction that sends: one that is
 * cancelled or moved meanwhile is not among them, nor is one that another round holds.
 */
async function remind(tx: Tx, kind: Reminder, due: readonly Waiting[], now: Date): Promise<number> {
  const { rows } = await tx.$client.query<{ id: string; starts_at: Date }>(
    `with chosen as (
       select one.id from appointments one
       join unnest($1::uuid[], $2::timestamptz[]) as due (id, starts_at) on due.id = one.id and due.starts_at = one.starts_at
       where one.state in (${literals(upcomingStates)}) and one.assignee_id is not null and ${unsent[kind]}
       for update of one skip locked
     )
     update appointments set ${marked[kind]} from chosen where appointments.id = chosen.id
     returning appointments.id, appointments.starts_at`,
    [due.map(({ id }) => id), due.map(({ starts_at }) => starts_at), now],
  )
  for (const { id, starts_at } of rows)
    await enqueue(tx, 'letter', {
      letter: kind,
      appointmentId: id,
      to: 'customer',
      was: { startsAt: starts_at.toISOString() },
    })
  return rows.length
}

const unsent: Record<Reminder, string> = {
  reminder_24h: 'one.reminded_24h_at is null',
  reminder_2h: 'one.reminded_2h_at is null',
}
/** Whoever got the nearer one needs the other no more. */
const marked: Record<Reminder, string> = {
  reminder_24h: 'reminded_24h_at = $3',
  reminder_2h: 'reminded_2h_at = $3, reminded_24h_at = coalesce(reminded_24h_at, $3)',
}
