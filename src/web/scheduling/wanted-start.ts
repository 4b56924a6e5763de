import type { Settings } from '../../domain/settings/settings-schema.ts'
import { dayOf, minuteAt, toDate, toMinutes } from '../../domain/shared/calendar.ts'
import { dateIn } from './board-query.ts'

const isTime = /^([01]\d|2[0-3]):[0-5]\d$/

/** The start that an address asks to look at (`?dia=2026-11-24&hora=10:30`); without one, the appointment's own. */
export function wantedStart({ searchParams }: URL, own: Date): Date {
  const [date, time] = [dateIn(searchParams.get('dia'), ''), searchParams.get('hora') ?? '']
  return date && isTime.test(time) ? toDate(minuteAt(date, time)) : own
}

/** The starts of a moment's day, as minutes after midnight: the grid within the hours, and the moment itself. */
export function startsOn(moment: Date, { hours, stepMinutes }: Settings): number[] {
  const { base, weekday } = dayOf(toMinutes(moment))
  const { from, to } = hours[weekday] ?? { from: 9 * 60, to: 18 * 60 }
  const first = Math.ceil(from / stepMinutes) * stepMinutes
  const count = Math.max(0, Math.ceil((to - first) / stepMinutes))
  const grid = Array.from({ length: count }, (_, n) => first + n * stepMinutes)
  return [...new Set([...grid, toMinutes(moment) - base])].sort((a, b) => a - b)
}
