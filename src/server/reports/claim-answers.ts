import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type AppointmentRow, affectedUserIds, transition } from '../appointments/transition.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { sheets } from '../platform/database/schema/appointments.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { type LockedReport, lockReport } from './rows.ts'
import { handIn } from './submit.ts'

/** Reopens an appointment that was taken from its technician: it ends as completed when and by whom it was handed in. */
export async function reopenClaim(
  db: Db,
  actor: Actor,
  { taskId }: { taskId: string },
  now: Date,
): Promise<void> {
  const [before, after] = await transaction(db, async (tx) => {
    const { author, pressed, sheet } = await holdClaim(tx, actor, taskId)
    const held = sheet.appointment
    const then = { assigneeId: author, ...(await timeThen(tx, held, pressed)) }
    const done = await transition(
      tx,
      actor,
      held,
      'reopen',
      now,
      {
        ...then,
        ...{ outcome: 'completed', finishedAt: pressed, startedAt: held.startedAt ?? then.startsAt },
        ...{ confirmedAt: held.confirmedAt ?? now, pausedAt: null, late: false },
        ...{ closingReason: null, closingNote: null },
      },
      { data: { ...then, outcome: 'completed', pressedAt: pressed } },
    )
    await handIn(tx, { id: author }, { ...sheet, appointment: done }, { at: pressed, now, ends: true })
    await answer(tx, actor, { taskId, held, refusal: null, result: 'Se reabrió.' }, now)
    await enqueue(tx, 'letter', {
      ...{ letter: 'claim_reopened', appointmentId: held.id, to: 'person', personId: author },
    })
    return [held, done] as const
  })
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(after)] })
}

/** Leaves an appointment as it is, and tells its technician why; what was handed in stays with it. */
export async function declineClaim(
  db: Db,
  actor: Actor,
  { taskId, words }: { taskId: string; words: string },
  now: Date,
): Promise<void> {
  const [held, author] = await transaction(db, async (tx) => {
    const { author, sheet } = await holdClaim(tx, actor, taskId)
    const { appointment: held } = sheet
    await answer(tx, actor, { taskId, held, refusal: words, result: `No se reabrió: ${words}` }, now)
    await enqueue(tx, 'letter', {
      ...{ letter: 'claim_declined', appointmentId: held.id, to: 'person', personId: author },
    })
    return [held, author] as const
  })
  announce(db, { people: [...affectedUserIds(held), author] })
}

type Claim = { sheet: LockedReport; author: string; pressed: Date }

/** A claim that nobody has answered yet, with its appointment held. */
async function holdClaim(tx: Tx, actor: Actor, taskId: string): Promise<Claim> {
  if (actor.kind !== 'manager') refuse('permission-denied')
  const [task] = await tx.select().from(tasks).where(eq(tasks.id, taskId))
  if (!task?.appointmentId) return refuse('not-found')
  const sheet = await lockReport(tx, actor, task.appointmentId)
  const { claimAnsweredAt, claimedAt, claimedBy } = sheet.row ?? {}
  if (!claimedAt || !claimedBy || claimAnsweredAt)
    return refuse('failed-precondition', 'Alguien más ya lo decidió.')
  return { sheet, author: claimedBy, pressed: claimedAt }
}

/** When the appointment was to be, as far as anybody on site could know. */
async function timeThen(tx: Tx, held: AppointmentRow, at: Date) {
  const { rows } = await tx.$client.query<{ starts_at: Date; minutes: number }>(
    `select (data ->> 'startsAt')::timestamptz as starts_at, coalesce((data ->> 'minutes')::int, $3) as minutes from events
     where entity = 'appointment' and entity_id = $1 and data ->> 'startsAt' is not null and at <= $2 order by id desc limit 1`,
    [held.id, at, held.minutes],
  )
  const [then] = rows
  return then
    ? { startsAt: then.starts_at, minutes: then.minutes }
    : { startsAt: held.startsAt, minutes: held.minutes }
}

type Answer = { taskId: string; held: AppointmentRow; refusal: string | null; result: string }

async function answer(tx: Tx, actor: Actor, { held, refusal, result, taskId }: Answer, now: Date) {
  const takenBy = actor.id
  await tx
    .update(sheets)
    .set({ claimAnsweredAt: now, claimRefusal: refusal })
    .where(eq(sheets.appointmentId, held.id))
  await tx.update(tasks).set({ doneAt: now, takenBy, result }).where(eq(tasks.id, taskId))
  await record(tx, {
    ...{ entity: 'sheet', entityId: held.id, actorId: takenBy, reason: refusal },
    name: refusal === null ? 'reopen' : 'decline',
  })
}
