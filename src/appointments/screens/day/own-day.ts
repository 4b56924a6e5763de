import { type Actor, isTechnician } from '../../../access/rules/actor.ts'
import type { Db } from '../../../platform/database/client.ts'
import { currentStaffing } from '../../../scheduling/roster.ts'
import { dayOf, toMinutes } from '../../../shared/calendar.ts'
import { nextOwn } from '../../list-filter.ts'
import { type OwnStop, ownStops } from '../../lists.ts'
import { stepSpans, stepWait } from '../../rules/transitions.ts'

/** What is left of the day of a technician's next appointment, today or later; null for all other kinds. */
export async function loadOwnDay(db: Db, actor: Actor, now: Date) {
  if (!isTechnician(actor)) return null
  const [next, { settings }] = await Promise.all([nextOwn(db, actor, now), currentStaffing(db)])
  const day = next && dayOf(toMinutes(next.startsAt))
  return {
    personId: actor.id,
    now,
    window: settings.arrivalWindowMinutes,
    stops: (day ? await ownStops(db, actor, day, day) : []).map((stop) => withSteps(stop, now)),
  }
}

/** A stop with when each of its steps can be made, and why the next one has to wait. */
export const withSteps = (stop: OwnStop, now: Date) => ({
  ...stop,
  spans: stepSpans(stop),
  wait: stepWait(stop, now),
})

export type OwnDay = NonNullable<Awaited<ReturnType<typeof loadOwnDay>>>
