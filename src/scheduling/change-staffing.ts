import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { followed, happened } from '../platform/follows.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import { type Decisions, noDecisions } from '../users/rules/staffing-change.ts'
import { managesPeople } from '../users/rules/user.ts'
import { lockingAllStaffing } from './choose.ts'
import { currentStaffing, type Staffing, staffingInside } from './roster.ts'

type StaffingChange<Result> = {
  /** Writes the change; it may run twice. An error it throws ends everything. */
  change: (tx: Tx) => Promise<Result>
  now: Date
} & Partial<Decisions>

export type ChangedStaffing = {
  actor: Actor
  before: Staffing
  after: Staffing
  decisions: Decisions
  now: Date
  /** The users concerned, to whom it is announced after the commit. */
  people: string[]
}

export const staffingChanged = followed<ChangedStaffing>('staffing changed')

/** Ends a change that needs decisions. Its refusal is made after the rollback, so that no transaction waits for it. */
export class UndecidedChange extends Error {
  readonly refuse: (db: Db) => Promise<never>
  constructor(refuse: (db: Db) => Promise<never>) {
    super('undecided')
    this.refuse = refuse
  }
}

/**
 * The only way to change people, shifts, zones, absences, hours or holidays once there may be appointments: the change and
 * what becomes of every future appointment it takes a user lawful from are one transaction. Where a decision is missing,
 * or no longer fits, nothing changes: `failed-precondition` with `details.affected`. A new holiday, say:
 *
 *     await changeStaffing(db, actor, { change: (tx) => writeSettings(tx, actor, settings), now, ...choicesIn(form) })
 */
export async function changeStaffing<Result>(
  db: Db,
  actor: Actor,
  { change, now, ...decisions }: StaffingChange<Result>,
): Promise<Result> {
  if (!managesPeople(actor)) refuse('permission-denied')
  const known = await currentStaffing(db)
  try {
    const { people, result } = await transaction(
      db,
      async (tx) => {
        const before = await staffingInside(tx, known)
        const result = await change(tx)
        const after = await staffingInside(tx, before)
        const changed = { actor, before, after, decisions: { ...noDecisions, ...decisions }, now, people: [] }
        const { people } = await happened(tx, staffingChanged, changed)
        return { people, result }
      },
      lockingAllStaffing,
    )
    announce(db, { people })
    return result
  } catch (error) {
    if (error instanceof UndecidedChange) return error.refuse(db)
    throw error
  }
}
