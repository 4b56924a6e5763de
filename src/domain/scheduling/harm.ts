import { localDate } from '../shared/calendar.ts'

/** A current or proposed placement of an appointment: its start in epoch minutes, and its assignee. */
export type Standing = { start: number; personId: string | null }
/** What a move does to its customer, part by part, in minutes. */
export type Harm = { minutes: number; days: number; again: number; person: number; total: number }

const CHANGED_DAY = 240
const MOVED_AGAIN = 480
const CHANGED_PERSON = 120

/**
 * What it costs a customer that an appointment moves: the minutes between the two starts, 240 for each day that changes, 480
 * where it was moved before and its time changes again, 120 for another person.
 */
export function harmOf(from: Standing, to: Standing, movedBefore: number): Harm {
  const minutes = Math.abs(to.start - from.start)
  const days = minutes === 0 ? 0 : daysBetween(from.start, to.start) * CHANGED_DAY
  const again = minutes > 0 && movedBefore > 0 ? MOVED_AGAIN : 0
  const person = to.personId === from.personId ? 0 : CHANGED_PERSON
  return { minutes, days, again, person, total: minutes + days + again + person }
}

function daysBetween(a: number, b: number): number {
  const days = (minute: number) => Date.parse(`${localDate(minute)}T00:00:00Z`) / 86_400_000
  return Math.abs(days(a) - days(b))
}
