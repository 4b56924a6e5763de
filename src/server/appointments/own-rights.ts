import type { Actor } from '../../domain/access/actor.ts'
import { mayComeEarlier } from '../../domain/appointments/rules.ts'
import { appointmentMachine, changeRights } from '../../domain/appointments/transitions.ts'
import type { Db } from '../platform/database/database.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { factsOf, type Held } from './appointments-changes.ts'
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
  const facts = factsOf(row, settings)
  const rights = {
    ...{ id, folio: row.folio, version: row.version, startsAt: row.startsAt },
    ...changeRights(row, settings),
    mayMove: appointmentMachine.can('reschedule', actor, facts, now),
    whyNot: appointmentMachine.blockedReason('reschedule', actor, facts, now),
    mayCancel: appointmentMachine.can('cancel', actor, facts, now),
    mayCancelLate: appointmentMachine.can('cancelLate', actor, facts, now),
    mayComeEarlier: mayComeEarlier(row, settings, now),
    mayReport: appointmentMachine.can('nobodyCame', actor, facts, now) && row.nobodyCameAt === null,
    reported: row.nobodyCameAt !== null,
  }
  return { row, rights }
}
