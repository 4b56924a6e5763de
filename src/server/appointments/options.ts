import { performers, serviceFacts } from '../../domain/appointments/appointment.ts'
import { isHard, type Reason, reasonWords, whyNot } from '../../domain/scheduling/eligibility.ts'
import { toMinutes } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/database.ts'
import { candidates, questionFor } from '../scheduling/choose.ts'
import type { Held } from './appointments-changes.ts'
import { placementOf } from './assign.ts'
import { placementAt } from './reschedule.ts'

export type Able = { id: string; name: string; addedTravel: number; load: number }
export type Unable = { id: string; name: string; reasons: string[]; hard: boolean }

/** Who can take an appointment, the best first, and of everybody else who does this work, why not: at its time, or another. */
export async function assigneesFor(
  db: Db,
  row: Pick<Held, 'id' | 'service' | 'municipality' | 'startsAt' | 'minutes'>,
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
