import { and, eq, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { getAppointment } from '../appointments/change-time.ts'
import { finish } from '../appointments/field.ts'
import { affectedUserIds, closingReasons } from '../appointments/rules/appointment.ts'
import { appointmentMachine } from '../appointments/rules/transitions.ts'
import { type AppointmentRow, factsOf, lockAppointment, transition } from '../appointments/transition.ts'
import { releaseSlot } from '../appointments/unverified.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments, callSittings, calls } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { askToCallCustomer } from '../projects/open-project.ts'
import { toDate, toMinutes } from '../shared/calendar.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { APOLOGY_MINUTES, WAY_OUT_MINUTES, writesNotes } from './rules/room.ts'
import type { FinishingCall, WrittenNotes } from './rules/schema.ts'

/** The notes of a call, and how often they were written. */
export type Notes = { text: string; version: number }

/** The notes of a call; the caller checks that the actor may read them. */
export async function notesOf(db: Queryable, appointmentId: string): Promise<Notes> {
  const [row] = await db
    .select({ text: calls.notes, version: calls.notesVersion })
    .from(calls)
    .where(eq(calls.appointmentId, appointmentId))
  return row ?? { text: '', version: 0 }
}

/**
 * Saves the notes of a call; returns their new version. A write over an older version is refused, so that nothing is
 * lost silently. Also after the call: the last text may still be on its way. No notification is sent: no user waits for
 * it.
 */
export async function writeNotes(
  db: Db,
  actor: Actor,
  id: string,
  { notes, version }: WrittenNotes,
  now: Date,
) {
  return transaction(db, async (tx): Promise<number> => {
    const held = await lockAppointment(tx, actor, id)
    if (held.service !== 'videocall') refuse('not-found')
    if (!writesNotes(actor, factsOf(held))) refuse('permission-denied')
    const [kept] = await tx
      .insert(calls)
      .values({ appointmentId: id, notes, notesVersion: 1 })
      .onConflictDoUpdate({
        target: calls.appointmentId,
        set: { notes, notesVersion: sql`${calls.notesVersion} + 1`, updatedAt: now },
        setWhere: sql`${calls.notesVersion} = ${version} and ${calls.notes} <> ${notes}`,
      })
      .returning({ version: calls.notesVersion })
    if (kept) return kept.version
    const stored = await notesOf(tx, id)
    // Its answer was lost, and it was sent again.
    if (stored.text === notes) return stored.version
    return refuse('aborted', 'Alguien más escribió notas mientras tanto. Aquí están las dos.', stored)
  })
}

/** A call is over, with what its customer is to read of it; the room ends with it. The same form sent twice ends it once. */
export async function finishCall(
  db: Db,
  actor: Actor,
  id: string,
  form: FinishingCall,
  now: Date,
): Promise<void> {
  const { nextSteps, summary, ...ending } = form
  try {
    await finish(db, actor, id, ending, now, async (tx) => {
      const said = { summary, nextSteps, updatedAt: now }
      await tx
        .insert(calls)
        .values({ appointmentId: id, ...said })
        .onConflictDoUpdate({ target: calls.appointmentId, set: said })
      if (form.outcome === 'completed')
        await enqueue(tx, 'letter', { letter: 'call_summary', appointmentId: id, to: 'customer' })
    })
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'failed-precondition')) throw error
    if (!(await endedSo(db, actor, id, form))) throw error
  }
}

/** Whether this very form ended the call before: its answer was lost, or the button pressed twice. */
async function endedSo(db: Db, actor: Actor, id: string, form: FinishingCall): Promise<boolean> {
  const { assigneeId, outcome, state } = await getAppointment(db, actor, id)
  const [said] = await db.select().from(calls).where(eq(calls.appointmentId, id))
  const isSame = said?.summary === form.summary && said?.nextSteps === form.nextSteps
  return state === 'done' && assigneeId === actor.id && outcome === form.outcome && isSame
}

/**
 * Cancels, with our apology, the calls whose customer joined and whose analyst did not. Returns how many; twice at once
 * is once.
 */
export async function endMissedCalls(db: Db, now: Date): Promise<number> {
  let count = 0
  for (const { id } of await maybeMissed(db, now)) {
    // One that fails must not keep the others waiting; the next round takes it up again.
    const ended = await endOne(db, id, now).catch((err) => {
      log.error({ err, appointment: id }, 'missed call not cancelled')
      return null
    })
    if (!ended) continue
    count++
    announce(db, { people: affectedUserIds(ended) })
  }
  return count
}

const maybeMissed = (db: Db, now: Date) =>
  db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.service, 'videocall'),
        or(eq(appointments.state, 'requested'), eq(appointments.state, 'assigned')),
        lte(appointments.startsAt, toDate(toMinutes(now) - APOLOGY_MINUTES)),
        isNotNull(appointments.customerCameAt),
        isNull(appointments.callBackAskedAt),
      ),
    )

const endOne = (db: Db, id: string, now: Date): Promise<AppointmentRow | null> =>
  transaction(db, async (tx) => {
    const held = await lockAppointment(tx, 'system', id)
    if (!appointmentMachine.can('missCall', 'system', factsOf(held), now) || (await wasMetOrTheirs(tx, held)))
      return null
    const closing = { closingReason: 'analista_no_disponible', customerWaitingSince: null } as const
    const ended = await transition(tx, 'system', held, 'missCall', now, closing, {
      reason: closingReasons.analista_no_disponible,
      data: { from: held.assigneeId, startsAt: held.startsAt },
    })
    await tell(tx, ended)
    await releaseSlot(tx, held, now)
    return ended
  })

/**
 * Whether they met, even if the start was undone since, or the customer gave up although an analyst was there in time:
 * no apology is due.
 */
async function wasMetOrTheirs(
  tx: Tx,
  { customerWaitingSince, id, startsAt }: AppointmentRow,
): Promise<boolean> {
  if (customerWaitingSince) return false
  const [call] = await tx.select({ metAt: calls.metAt }).from(calls).where(eq(calls.appointmentId, id))
  if (call?.metAt) return true
  const [inTime] = await tx
    .select({ id: callSittings.id })
    .from(callSittings)
    .where(
      and(
        eq(callSittings.appointmentId, id),
        eq(callSittings.side, 'analyst'),
        lt(callSittings.joinedAt, toDate(toMinutes(startsAt) + WAY_OUT_MINUTES)),
        or(isNull(callSittings.leftAt), gt(callSittings.leftAt, startsAt)),
      ),
    )
    .limit(1)
  return inTime !== undefined
}

async function tell(tx: Tx, ended: AppointmentRow) {
  const { assigneeId, confirmedAt, folio, id } = ended
  await enqueue(tx, 'letter', { letter: 'analyst_missed', appointmentId: id, to: 'customer' })
  await enqueue(tx, 'letter', { letter: 'analyst_missed', appointmentId: id, to: 'managers' })
  if (assigneeId && confirmedAt)
    await enqueue(tx, 'letter', {
      letter: 'cancelled',
      appointmentId: id,
      to: 'person',
      personId: assigneeId,
    })
  await askToCallCustomer(tx, ended, {
    subject: `Pedir una disculpa: nadie atendió la videollamada ${folio}`,
    reason: 'missed_call',
  })
}

/** The customer keeps waiting in the room of a call: they are asked again after a while. */
export async function keepWaiting(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  const held = await transaction(db, async (tx) => {
    const row = await lockAppointment(tx, actor, id)
    appointmentMachine.next('keepWaiting', actor, factsOf(row), now)
    // No new version of the appointment: an analyst about to take the call over would find it changed.
    await tx
      .insert(calls)
      .values({ appointmentId: id, keepsWaitingAt: now })
      .onConflictDoUpdate({ target: calls.appointmentId, set: { keepsWaitingAt: now } })
    await record(tx, { entity: 'appointment', entityId: id, actorId: actor.id, name: 'keepWaiting' })
    return row
  })
  announce(db, { people: affectedUserIds(held) })
}

/** The customer prefers a phone call: an urgent task for analysts and managers. Asked again, it is the same one. */
export async function askCallBack(db: Db, actor: Actor, id: string, now: Date): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (held.callBackAskedAt !== null) return held
    const after = await transition(tx, actor, held, 'askCallBack', now, { callBackAskedAt: now })
    const subject = `Llamar por teléfono: el cliente lo pidió en su videollamada ${held.folio}`
    await askToCallCustomer(tx, after, { subject, reason: 'call_back' })
    return after
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}
