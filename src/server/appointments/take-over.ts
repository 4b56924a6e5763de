import type { Actor } from '../../domain/access/actor.ts'
import { performers, serviceFacts } from '../../domain/appointments/appointment.ts'
import { appointmentMachine } from '../../domain/appointments/transitions.ts'
import { isHard, type Reason, reasonWords, whyNot } from '../../domain/scheduling/eligibility.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { whoTalks } from '../calls/talking.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { announce } from '../platform/live/announcements.ts'
import { candidates, lockAndCheck, lockingStaffing, questionFor } from '../scheduling/choose.ts'
import { currentStaffing, type Staffing } from '../scheduling/roster.ts'
import { placementOf } from './assign.ts'
import { placementAt } from './reschedule.ts'
import { type AppointmentRow, affectedUserIds, factsOf, lockAppointment, transition } from './transition.ts'

/** Whom a call is given to (the manager's choice; an analyst takes it), and the version seen. */
type TakeOverRequest = { assigneeId: string | null; version: number }

/** Somebody else takes a call whose customer waits. The first wins, said twice it is once; never somebody who has another at that time, or is still in one. */
export async function takeOverCall(
  db: Db,
  actor: Actor,
  id: string,
  request: TakeOverRequest,
  now: Date,
): Promise<AppointmentRow> {
  const staffing = await currentStaffing(db)
  const [before, moved] = await transaction(
    db,
    async (tx) => {
      const held = await lockAppointment(tx, actor, id)
      if (isMine(actor, held) && held.version > request.version) return [held, held] as const
      const facts = factsOf(held)
      if (appointmentMachine.transitions.takeOver.by(actor, facts) && held.version !== request.version)
        refuse('aborted', 'Alguien más ya la tomó, o cambió. Mira cómo va.')
      appointmentMachine.next('takeOver', actor, facts, now)
      return [held, await give(tx, actor, held, request, staffing, now)] as const
    },
    lockingStaffing,
  )
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(moved)] })
  return moved
}

const isMine = ({ id, kind }: Actor, { assigneeId }: AppointmentRow) =>
  kind === 'analyst' && assigneeId === id

async function give(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  request: TakeOverRequest,
  staffing: Staffing,
  now: Date,
) {
  const assigneeId = actor.kind === 'analyst' ? actor.id : request.assigneeId
  if (!assigneeId)
    return refuse('invalid-argument', undefined, { errors: { assigneeId: 'Elige a una persona.' } })
  if (assigneeId === held.assigneeId) return refuse('failed-precondition', 'Esa persona ya la tiene.')
  const against = (await lockAndCheck(tx, staffing, placementOf(held), assigneeId, now)) ?? refuse('aborted')
  // Somebody waits: what a manager could set aside with a reason is set aside by that.
  const hard = against.filter(isHard)
  if (hard.length > 0) refuse('failed-precondition', `No puede tomarla: ${hard.map(reasonWords).join('; ')}.`)
  if ((await whoTalks(tx)).has(assigneeId))
    refuse('failed-precondition', 'No puede tomarla: todavía habla con otro cliente.')
  // Nobody takes it at once from whoever just did. Who waits in the room is the room's to write.
  const set = { assigneeId, confirmedAt: now, takenOverAt: now, overrideReason: null }
  return transition(tx, actor, held, 'takeOver', now, set, { data: { from: held.assigneeId, assigneeId } })
}

/** Who could take a call right now besides whoever has it, the best first. */
export async function freeToTakeOver(
  db: Db,
  row: Pick<AppointmentRow, 'id' | 'service' | 'municipality' | 'startsAt' | 'minutes'> & {
    assignee: { id: string } | null
  },
  now: Date,
) {
  const [{ able, unable }, talking] = await Promise.all([assigneesFor(db, row, now), whoTalks(db)])
  return [...able, ...unable.filter(({ hard }) => !hard)]
    .filter(({ id }) => id !== row.assignee?.id && !talking.has(id))
    .map(({ id, name }) => ({ id, name }))
}

export type Able = { id: string; name: string; addedTravel: number; load: number }
export type Unable = { id: string; name: string; reasons: string[]; hard: boolean }

/** Who can take an appointment, the best first, and of everybody else who does this work, why not: at its time, or another. */
export async function assigneesFor(
  db: Db,
  row: Pick<AppointmentRow, 'id' | 'service' | 'municipality' | 'startsAt' | 'minutes'>,
  now: Date,
  at: Date = row.startsAt,
) {
  const isItsOwn = at.getTime() === row.startsAt.getTime()
  const placement = isItsOwn ? placementOf(row) : placementAt(row, { start: toMinutes(at) })
  const question = await questionFor(db, placement, now)
  const { staffing, busy, ask } = question
  const able: Able[] = candidates(question, placement.start).map(({ id, person, addedTravel, load }) => ({
    id,
    name: staffing.people[person]?.name ?? '',
    addedTravel,
    load,
  }))
  const kind = performers.indexOf(serviceFacts[row.service].by)
  const can = new Set(able.map(({ id }) => id))
  const unable: Unable[] = staffing.people.flatMap(({ id, name }, person) => {
    if (can.has(id) || staffing.roster.kinds[person] !== kind) return []
    const reasons: Reason[] = whyNot(staffing.roster, busy, person, placement.start, ask)
    return [{ id, name, reasons: reasons.map(reasonWords), hard: reasons.some(isHard) }]
  })
  return { able, unable }
}
