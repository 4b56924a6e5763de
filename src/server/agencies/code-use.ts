import { eq, sql } from 'drizzle-orm'
import { unknownCode, whyNotOpen } from '../../domain/agencies/clients.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { record } from '../platform/database/changes.ts'
import type { Queryable, Tx } from '../platform/database/database.ts'
import { codes } from '../platform/database/schema/agencies.ts'

export type CodeRow = typeof codes.$inferSelect

/** The agency takes clients, and whose code it is still works there: with either of them its codes stop. */
export const isStaffed = sql<boolean>`exists (
  select from agencies join users on users.agency_id = agencies.id
  where agencies.id = codes.agency_id and agencies.active
    and users.id = codes.owner_id and users.active and users.kind = 'alliate')`

/** A code that can be used now, or why it can't, in words. Of what a code lacks, no more is said than its holder has to know. */
export async function openCode(
  db: Queryable,
  code: string,
  now: Date,
): Promise<CodeRow | { refused: string }> {
  const [found] = await db
    .select({ row: codes, isStaffed: isStaffed.mapWith(Boolean) })
    .from(codes)
    .where(eq(codes.code, code))
  if (!found?.isStaffed) return { refused: unknownCode }
  const refused = whyNotOpen(found.row, now)
  return refused ? { refused } : found.row
}

/**
 * Takes one use of a code, the last of which exhausts it, or says why there is none. One statement: of any number at once
 * exactly as many pass as uses are left. Its row is held from here on, so whose it is stays so.
 */
export async function takeUse(
  tx: Tx,
  code: string,
  actorId: string,
  now: Date,
  tries = 3,
): Promise<CodeRow | { refused: string }> {
  const today = localDate(toMinutes(now))
  const [taken] = await tx
    .update(codes)
    .set({
      uses: sql`${codes.uses} + 1`,
      state: sql`case when ${codes.uses} + 1 >= ${codes.maxUses} then 'exhausted' else ${codes.state} end`,
    })
    .where(
      sql`${codes.code} = ${code} and ${codes.state} = 'active' and ${codes.uses} < ${codes.maxUses}
        and ${codes.startsOn} <= ${today} and (${codes.endsOn} is null or ${codes.endsOn} >= ${today}) and ${isStaffed}`,
    )
    .returning()
  if (!taken) {
    const why = await openCode(tx, code, now)
    if ('refused' in why) return why
    // Handed over while its row was waited for: its new owner was none of whom the statement had read.
    return tries > 1 ? takeUse(tx, code, actorId, now, tries - 1) : { refused: unknownCode }
  }
  if (taken.state === 'exhausted') await trace(tx, taken.id, actorId, 'exhaust', 'active', 'exhausted')
  return taken
}

/** Gives back a use that came to nothing; a code that had no other is open again until its last day. */
export async function giveBackUse(tx: Tx, codeId: string, now: Date): Promise<void> {
  const today = localDate(toMinutes(now))
  const [before] = await tx.select().from(codes).where(eq(codes.id, codeId)).for('no key update')
  if (!before || before.uses === 0) return
  const isOver = before.endsOn !== null && before.endsOn < today
  const state = before.state !== 'exhausted' ? before.state : isOver ? 'expired' : 'active'
  await tx
    .update(codes)
    .set({ uses: before.uses - 1, state })
    .where(eq(codes.id, codeId))
  await trace(tx, codeId, null, 'giveBack', before.state, state)
}

const trace = (
  tx: Tx,
  entityId: string,
  actorId: string | null,
  name: string,
  fromState: string,
  toState: string,
) => record(tx, { entity: 'code', entityId, actorId, name, fromState, toState })
