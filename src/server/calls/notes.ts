import { eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { writesNotes } from '../../domain/calls/room.ts'
import type { NotesForm } from '../../domain/calls/schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { factsOf, hold } from '../appointments/appointments-changes.ts'
import { type Db, type Queryable, transaction } from '../platform/database/database.ts'
import { calls } from '../platform/database/schema/call-schema.ts'

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
export async function writeNotes(db: Db, actor: Actor, id: string, { notes, version }: NotesForm, now: Date) {
  return transaction(db, async (tx): Promise<number> => {
    const held = await hold(tx, actor, id)
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
