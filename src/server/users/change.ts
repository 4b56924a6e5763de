import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Decisions, noDecisions } from '../../domain/users/staffing-change.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdingAllStaffing } from '../scheduling/choose.ts'
import { currentStaffing, staffingInside } from '../scheduling/roster.ts'
import { touchedBy } from './affected.ts'
import { refuseUnderWay, refuseUnsettled, Unsettled } from './refusal.ts'
import { settle } from './settle.ts'

type StaffingChange<Result> = {
  /** Writes what changes; it may run twice. What it throws ends everything. */
  change: (tx: Tx) => Promise<Result>
  now: Date
} & Partial<Decisions>

/**
 * The only way to change people, shifts, zones, absences, hours or holidays once there may be appointments: the change and
 * what becomes of every future appointment it takes somebody lawful from are one transaction. Where a decision is missing,
 * or no longer fits, nothing changes: `failed-precondition` with `details.affected`. A new holiday, say:
 *
 *     await changeStaffing(db, actor, { change: (tx) => writeSettings(tx, actor, settings), now, ...choicesIn(form) })
 */
export async function changeStaffing<Result>(
  db: Db,
  actor: Actor,
  { change, now, ...decisions }: StaffingChange<Result>,
): Promise<Result> {
  if (actor.kind !== 'manager') refuse('permission-denied')
  const known = await currentStaffing(db)
  try {
    const { result, people } = await transaction(
      db,
      async (tx) => {
        const before = await staffingInside(tx, known)
        const result = await change(tx)
        const after = await staffingInside(tx, before)
        const { waiting, underWay } = await touchedBy(tx, before, after, now)
        refuseUnderWay(underWay)
        const people = await settle(tx, actor, waiting, { ...noDecisions, ...decisions }, after, now)
        return { result, people }
      },
      holdingAllStaffing,
    )
    announce(db, { people })
    return result
  } catch (error) {
    if (!(error instanceof Unsettled)) throw error
    return refuseUnsettled(db, error, now)
  }
}
