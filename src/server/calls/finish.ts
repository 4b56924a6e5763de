import type { Actor } from '../../domain/actor.ts'
import type { FinishingCall } from '../../domain/call-form.ts'
import { finish } from '../appointments/field.ts'
import { calls } from '../database/call-schema.ts'
import type { Db } from '../database/database.ts'

/** A call is over, with what its customer is to read of it; the room ends with it. */
export const finishCall = (
  db: Db,
  actor: Actor,
  id: string,
  { nextSteps, summary, ...ending }: FinishingCall,
  now: Date,
) =>
  finish(db, actor, id, ending, now, async (tx) => {
    const said = { summary, nextSteps, updatedAt: now }
    await tx
      .insert(calls)
      .values({ appointmentId: id, ...said })
      .onConflictDoUpdate({ target: calls.appointmentId, set: said })
  })
