import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { FinishingCall } from '../../domain/calls/schema.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import { finish } from '../appointments/field.ts'
import { seen } from '../appointments/seen.ts'
import type { Db } from '../platform/database/database.ts'
import { calls } from '../platform/database/schema/call-schema.ts'

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
  const { assigneeId, outcome, state } = await seen(db, actor, id)
  const [said] = await db.select().from(calls).where(eq(calls.appointmentId, id))
  const isSame = said?.summary === form.summary && said?.nextSteps === form.nextSteps
  return state === 'done' && assigneeId === actor.id && outcome === form.outcome && isSame
}
