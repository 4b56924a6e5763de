import { sql } from 'drizzle-orm'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { literals, record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { candidates, lockAndCheck, lockingStaffing, questionFor } from '../scheduling/choose.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { isLearntLater, type Reason, whyNot } from '../scheduling/rules/eligibility.ts'
import { dueReminder, earliestReminderHours, type Reminder, reminders } from '../shared/calendar.ts'
import { notifyAssigned, placementOf } from './assign.ts'
import { affectedUserIds, upcomingStates } from './rules/appointment.ts'
import { confirmsAt } from './rules/rules.ts'
import { type AppointmentRow, lockAppointment, transition } from './transition.ts'

type Confirmation = { confirmed: number; replaced: number; withoutPerson: number }

/**
 * Confirms provisional assignments: at the set hour of the evening before, or a while after a late booking. An assignee
 * who is no longer available is replaced by the best available one; when there is none, customer and managers are
 * notified, once for each time that it has none.
 */
export async function confirmProvisional(db: Db, now: Date): Promise<Confirmation> {
  const { settings } = await currentStaffing(db)
  const waiting = await db.$client.query<{ id: string; starts_at: Date; created_at: Date }>(
    // One whose customer is asked about another time waits for the answer.
    `select id, starts_at, created_at from appointments where state = 'requested' and starts_at < $1
       and not exists (select 1 from move_offers where appointment_id = appointments.id and answer is null)
     order by starts_at, id`,
    [new Date(now.getTime() + 48 * 3_600_000)],
  )
  const counts: Confirmation = { confirmed: 0, replaced: 0, withoutPerson: 0 }
  for (const row of waiting.rows.filter(
    (one) => now >= confirmsAt(one.created_at, one.starts_at, settings),
  )) {
    // One that fails must not keep the others waiting; the next run takes it up again.
    const outcome = await confirmOne(db, row.id, now).catch((err) => {
      log.error({ err, appointment: row.id }, 'provisional appointment not confirmed')
      return null
    })
    if (outcome) counts[outcome]++
  }
  return counts
}

async function confirmOne(db: Db, id: string, now: Date): Promise<keyof Confirmation | null> {
  for (let tries = 0; tries < 10; tries++) {
    const outcome = await attempt(db, id, now)
    if (outcome !== 'changed') return outcome
  }
  return null
}

async function attempt(db: Db, id: string, now: Date): Promise<keyof Confirmation | 'changed' | null> {
  const [row] = await db.select().from(appointments).where(sql`${appointments.id} = ${id}`)
  if (row?.state !== 'requested') return null
  const placement = placementOf(row)
  const question = await questionFor(db, placement, now)
  const { ask, busy, staffing } = question
  const person = staffing.indexOf.get(row.assigneeId ?? '')
  const known = person === undefined ? null : whyNot(staffing.roster, busy, person, placement.start, ask)
  const [best] = candidates(question, placement.start)
  // What is learnt later takes no appointment away, and who is only late with the one before still comes.
  const stays = known?.every(isLearntLater) || (!best && known?.every(isBearable))
  const chosen = stays ? row.assigneeId : (best?.id ?? null)
  let moved: AppointmentRow | undefined
  const outcome = await transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, 'system', id)
      if (held.version !== row.version) return 'changed' as const
      if (!chosen) return withoutPerson(tx, held)
      const against = await lockAndCheck(tx, staffing, placement, chosen, now)
      if (!against?.every(isBearable)) return 'changed' as const
      const data = { from: held.assigneeId, assigneeId: chosen }
      moved = await transition(
        tx,
        'system',
        held,
        'autoConfirm',
        now,
        { assigneeId: chosen, confirmedAt: now },
        { data },
      )
      await notifyAssigned(tx, held, moved)
      return chosen === held.assigneeId ? ('confirmed' as const) : ('replaced' as const)
    },
    lockingStaffing,
  )
  if (moved) announce(db, { people: affectedUserIds(moved) })
  if (outcome === 'withoutPerson') announce(db, { people: [row.customerId, row.projectId] })
  return outcome
}

const isBearable = (reason: Reason) => isLearntLater(reason) || reason.code === 'delayed'

/**
 * No person is available: the assignee is removed, which the history keeps. Managers are notified, and the customer too
 * unless a manager's removal notified them already: both once for each time that it has none.
 */
async function withoutPerson(tx: Tx, held: AppointmentRow) {
  const known = await knownSinceLastPerson(tx, held.id)
  if (known.managers && !held.assigneeId) return null
  await tx
    .update(appointments)
    .set({ assigneeId: null, version: held.version + 1 })
    .where(sql`${appointments.id} = ${held.id}`)
  await record(tx, {
    entity: 'appointment',
    entityId: held.id,
    name: 'without_person',
    fromState: 'requested',
    toState: 'requested',
    data: { from: held.assigneeId, assigneeId: null },
  })
  const letter = { letter: 'no_person', appointmentId: held.id } as const
  if (!known.customer) await enqueue(tx, 'letter', { ...letter, to: 'customer' })
  if (!known.managers) await enqueue(tx, 'letter', { ...letter, to: 'managers' })
  return 'withoutPerson' as const
}

/** Customers notified that no technician comes, since the last assignment. A release that offers another time sent another e-mail. */
async function knownSinceLastPerson(tx: Tx, id: string) {
  const { rows } = await tx.execute<{ customer: boolean; managers: boolean }>(sql`
    select coalesce(bool_or(name = 'without_person' or (name = 'release' and data ->> 'offered' is null)), false) as customer,
      coalesce(bool_or(name = 'without_person'), false) as managers
    from events where entity = 'appointment' and entity_id = ${id} and id > (
      select coalesce(max(id), 0) from events
      where entity = 'appointment' and entity_id = ${id} and data ->> 'assigneeId' is not null)`)
  return rows[0]!
}

type Waiting = { id: string; starts_at: Date; time_set_at: Date; day_told: boolean; hours_told: boolean }

/** Sends due reminders to customers; returns how many. Two rounds at once send each once. */
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

/** Customers without a technician were notified already, and a reminder would say the contrary. */
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
 * Selects again from the locked appointments, and marks them in the transaction that sends: cancelled and moved ones
 * are excluded, and those that another round holds.
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

/** A customer who got the nearer reminder does not need the other. */
const marked: Record<Reminder, string> = {
  reminder_24h: 'reminded_24h_at = $3',
  reminder_2h: 'reminded_2h_at = $3, reminded_24h_at = coalesce(reminded_24h_at, $3)',
}
