import { and, inArray, lt, sql } from 'drizzle-orm'
import { codeMachine } from '../../domain/agencies/codes.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { codes } from '../platform/database/schema/agencies.ts'
import { announce } from '../platform/live/announcements.ts'

/** Writes down that the last day of codes is over; answers how many. They stopped by the clock before. */
export async function expireCodes(db: Db, now: Date): Promise<number> {
  const { from, to } = codeMachine.transitions.expire
  const ended = await transaction(db, async (tx) => {
    const due = await tx
      .select({ id: codes.id, state: codes.state, code: codes.code, agencyId: codes.agencyId })
      .from(codes)
      .where(and(inArray(codes.state, [...from]), lt(codes.endsOn, localDate(toMinutes(now)))))
      .for('update', { skipLocked: true })
    if (due.length === 0) return due
    await tx
      .update(codes)
      .set({ state: to, version: sql`${codes.version} + 1` })
      .where(
        inArray(
          codes.id,
          due.map(({ id }) => id),
        ),
      )
    for (const { code, id, state } of due)
      await record(tx, {
        ...{ entity: 'code', entityId: id, actorId: null, name: 'expire', data: { code } },
        ...{ fromState: state, toState: to },
      })
    return due
  })
  if (ended.length > 0) announce(db, { people: ended.map(({ agencyId }) => agencyId) })
  return ended.length
}
