import type { Actor } from '../../domain/access/actor.ts'
import type { Assigning } from '../../domain/appointments/schema.ts'
import { isHard, type Reason, reasonWords } from '../../domain/scheduling/eligibility.ts'
import { managesSchedule } from '../../domain/scheduling/roster.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { lockAndCheck, lockingStaffing, type Placement } from '../scheduling/choose.ts'
import { currentStaffing, type Staffing, zoneOf } from '../scheduling/roster.ts'
import { type AppointmentRow, affectedUserIds, lockAppointment, transition } from './transition.ts'

/** Where and when an appointment stands, for the engine, leaving itself out. Its time is promised already. */
export const placementOf = (
  row: Pick<AppointmentRow, 'id' | 'service' | 'municipality' | 'startsAt' | 'minutes'>,
): Placement => ({
  service: row.service,
  zone: zoneOf(row.municipality),
  start: toMinutes(row.startsAt),
  without: row.id,
  promised: true,
  minutes: row.minutes,
})

/**
 * The manager gives an appointment to somebody, provisional or not. Soft reasons may be overridden with a written one;
 * a person who is busy, away or inactive can't be chosen by any form. `version` is the one the manager saw; the same form sent
 * twice assigns once.
 */
export async function assign(
  db: Db,
  actor: Actor,
  id: string,
  choice: Assigning & { version: number },
  now: Date,
): Promise<AppointmentRow> {
  if (!managesSchedule(actor)) refuse('permission-denied')
  const staffing = await currentStaffing(db)
  const [before, moved] = await transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, actor, id)
      if (isDone(held, choice)) return [held, held] as const
      if (held.version !== choice.version) refuse('aborted')
      return [held, await give(tx, actor, held, choice, staffing, now)] as const
    },
    lockingStaffing,
  )
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(moved)] })
  return moved
}

/** This very form was sent before: nothing happened since what it was shown with but what it asks for, no change of the time. */
const isDone = (
  { assigneeId, confirmedAt, timeSetAt, version }: AppointmentRow,
  choice: Assigning & { version: number },
) =>
  version === choice.version + 1 &&
  confirmedAt !== null &&
  confirmedAt > timeSetAt &&
  assigneeId === choice.assigneeId

async function give(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  { assigneeId, overrideReason }: Assigning,
  staffing: Staffing,
  now: Date,
) {
  const against = (await lockAndCheck(tx, staffing, placementOf(held), assigneeId, now)) ?? refuse('aborted')
  assertOverridable(against, overrideReason)
  const name = held.state === 'requested' ? 'assign' : 'reassign'
  const reason = against.length > 0 ? (overrideReason ?? undefined) : undefined
  const moved = await transition(
    tx,
    actor,
    held,
    name,
    now,
    { assigneeId, confirmedAt: now, overrideReason: reason ?? null },
    {
      ...(reason && { reason }),
      data: {
        from: held.assigneeId,
        assigneeId,
        ...(reason && { overridden: against.map(({ code }) => code) }),
      },
    },
  )
  await notifyAssigned(tx, held, moved)
  return moved
}

/** Ends a manager's choice that rules are against: the hard ones always, the soft ones unless a reason is written. */
export function assertOverridable(against: readonly Reason[], overrideReason: string | null | undefined) {
  if (against.some(isHard)) refuse('failed-precondition', `No se puede: ${inWords(against.filter(isHard))}.`)
  if (against.length > 0 && !overrideReason)
    refuse('failed-precondition', `${inWords(against)}. Para hacerlo de todos modos, escribe el motivo.`, {
      errors: { overrideReason: 'Escribe por qué lo haces de todos modos.' },
    })
}

const inWords = (reasons: readonly Reason[]) => reasons.map(reasonWords).join('; ')

type Person = Pick<AppointmentRow, 'id' | 'assigneeId' | 'confirmedAt'>

/** Somebody was confirmed: the customer hears who comes, that person what they have, and whoever had it that they have not. */
export async function notifyAssigned(tx: Tx, before: Person, after: Person): Promise<void> {
  const about = { letter: 'assigned', appointmentId: after.id } as const
  await enqueue(tx, 'letter', { ...about, to: 'customer' })
  if (after.assigneeId && knew(before) !== after.assigneeId)
    await enqueue(tx, 'letter', { ...about, to: 'person', personId: after.assigneeId })
  await notifyUnassigned(tx, before, after)
}

/** Whoever knew that an appointment was theirs hears that it is no more. */
export async function notifyUnassigned(tx: Tx, before: Person, after: Person): Promise<void> {
  const personId = knew(before)
  if (personId && personId !== after.assigneeId)
    await enqueue(tx, 'letter', { letter: 'no_person', appointmentId: after.id, to: 'person', personId })
}

/** A provisional person does not know. */
const knew = ({ assigneeId, confirmedAt }: Person) => (confirmedAt ? assigneeId : null)
