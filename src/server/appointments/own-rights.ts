import type { Actor } from '../../domain/actor.ts'
import { changeRights } from '../../domain/change-rights.ts'
import { can, notYet } from '../../domain/moves.ts'
import { mayComeEarlier } from '../../domain/waiting-list.ts'
import type { Db } from '../database/database.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { factsOf, type Held } from './changes.ts'
import { seen } from './seen.ts'

/** What a customer may still do about an appointment, and until when. */
export type OwnRights = {
  id: string
  folio: string
  version: number
  startsAt: Date
  until: Date
  /** How many more times it may be moved. */
  left: number
  mayMove: boolean
  /** Why it can't be moved, where that was theirs to do. */
  whyNot: string | null
  mayCancel: boolean
  mayCancelLate: boolean
  /** Whether an earlier time could still be offered. */
  mayComeEarlier: boolean
  /** Whether it is late enough to say that nobody came, and whether they did. */
  mayReport: boolean
  reported: boolean
}

export async function ownRights(db: Db, actor: Actor, id: string, now: Date): Promise<OwnRights> {
  return (await ownAppointment(db, actor, id, now)).rights
}

/** One appointment of a customer's with what may be done about it. Somebody else's does not exist. */
export async function ownAppointment(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<{ row: Held; rights: OwnRights }> {
  const [row, { settings }] = [await seen(db, actor, id), await currentStaffing(db)]
  const facts = factsOf(row, now, settings)
  const rights = {
    ...{ id, folio: row.folio, version: row.version, startsAt: row.startsAt },
    ...changeRights(row, settings),
    mayMove: can('reschedule', actor, facts),
    whyNot: notYet('reschedule', actor, facts),
    mayCancel: can('cancel', actor, facts),
    mayCancelLate: can('cancelLate', actor, facts),
    mayComeEarlier: mayComeEarlier(row, settings, now),
    mayReport: can('nobodyCame', actor, facts) && row.nobodyCameAt === null,
    reported: row.nobodyCameAt !== null,
  }
  return { row, rights }
}
