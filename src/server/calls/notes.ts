import { eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { writesNotes } from '../../domain/calls/room.ts'
import type { FinishingCall, WrittenNotes } from '../../domain/calls/schema.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { getAppointment } from '../appointments/change-time.ts'
import { finish } from '../appointments/field.ts'
import { factsOf, lockAppointment } from '../appointments/transition.ts'
import { type Db, type Queryable, transaction } from '../platform/database/client.ts'
import { calls } from '../platform/database/schema/appointments.ts'

/** The notes of a call, and how often they were written. */
export type Notes = { text: string; version: number }

/** The notes of a call, for whoever may read them: the caller asks that. */
export async function notesOf(db: Queryable, appointmentId: string): Promise<Notes> {
  const [row] = await db
    .select({ text: calls.notes, version: calls.notesVersion })
    .from(calls)
    .where(eq(calls.appointmentId, appointmentId))
  return row ?? { text: '', version: 0 }
}

/**
 * Keeps the notes of a call as they stand; answers their new version. Whoever wrote over an older version is refused, so that
 * nothing is lost unseen. Also once the call is over: the last words may be on their way then. Nobody hears of it: nobody waits.
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
    // Its answer was lost, and it came again.
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
