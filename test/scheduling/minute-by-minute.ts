import { serviceFacts } from '../../src/appointments/rules/appointment.ts'
import { type BusyRow, type PersonRow, zoneCount } from '../../src/scheduling/rules/roster.ts'
import { statutoryHolidays } from '../../src/shared/calendar.ts'
import type { SmallWorld } from './small-fixtures.ts'

/** The engine's rules once more: slow, minute by minute, without a thought for speed and without the engine's calendar. */
export function offeredMinuteByMinute(fixture: SmallWorld): number[] {
  const { ask, people } = fixture
  const offered: number[] = []
  const first = ask.days[0]!.start
  const last = ask.days.at(-1)!.end
  for (let start = first; start < last; start++)
    if (mayStart(start, fixture) && people.some((person, index) => personMay(person, index, start, fixture)))
      offered.push(start)
  return offered
}

/** Whether the calendar and the customer's side allow a start. */
function mayStart(start: number, { ask }: SmallWorld): boolean {
  const { holidays, hours, services, stepMinutes } = ask.settings
  const { horizonDays, minutes, noticeHours } = services[ask.service]
  const { date, weekday, wall } = local(start)
  const opening = hours[weekday]
  if (wall % stepMinutes !== 0 || !opening) return false
  if (holidays.includes(date) || statutoryHolidays(Number(date.slice(0, 4))).includes(date)) return false
  if (!ask.promised && start < ask.now + noticeHours * 60) return false
  if (!ask.promised && nightsBetween(local(ask.now).date, date) > horizonDays) return false
  return everyMinute(start, minutes, (t) => local(t).date === date && within(local(t).wall, opening))
}

function personMay(person: PersonRow, index: number, start: number, { ask, rows }: SmallWorld): boolean {
  const { bufferMinutes, services } = ask.settings
  const { dailyMax, minutes } = services[ask.service]
  const { date, weekday } = local(start)
  const own = rows.filter((row) => row.person === index)
  const today = own.filter((row) => row.service === ask.service && local(row.start).date === date)
  if (!person.active || person.kind !== serviceFacts[ask.service].by) return false
  if (ask.zone >= 0 && person.zones.length > 0 && !person.zones.includes(ask.zone)) return false
  if (today.length >= dailyMax) return false
  const isValid = ({ end, start: from, until }: { start: number; end: number; until: number | null }) =>
    from <= start && start < end && ask.now < (until ?? Number.POSITIVE_INFINITY)
  const needed = (person.papers ?? []).filter(({ services }) => services.includes(ask.service))
  if (!needed.every(({ valid }) => valid.some(isValid))) return false
  if (!everyMinute(start, minutes, (t) => !person.timeOff.some((off) => off.start <= t && t < off.end)))
    return false
  if (!everyMinute(start, minutes, (t) => !at(own, t))) return false
  const shifts = person.shifts.filter((shift) => shift.weekday === weekday)
  if (!shifts.some((shift) => everyMinute(start, minutes, (t) => within(local(t).wall, shift)))) return false
  return (
    arrives(own, start, ask.zone, ask.travel, bufferMinutes) &&
    leaves(own, start + minutes, ask.zone, ask.travel, bufferMinutes)
  )
}

/** Walks back in time to the first appointment met, and asks whether there was time to come from it. */
function arrives(own: BusyRow[], start: number, zone: number, travel: Uint16Array, buffer: number): boolean {
  for (let t = start - 1; t >= start - 1000; t--) {
    const before = at(own, t)
    if (before) return start - (before.until ?? t + 1) >= buffer + ride(travel, before.zone, zone)
  }
  return true
}

/** Walks on in time to the first appointment met, and asks whether there is time to reach it. */
function leaves(own: BusyRow[], end: number, zone: number, travel: Uint16Array, buffer: number): boolean {
  for (let t = end; t <= end + 1000; t++) {
    const after = at(own, t)
    if (after) return t - end >= buffer + ride(travel, zone, after.zone)
  }
  return true
}

const ride = (travel: Uint16Array, from: number, to: number) =>
  from < 0 || to < 0 ? 0 : travel[from * zoneCount + to]!
const at = (own: BusyRow[], t: number) => own.find((row) => row.start <= t && t < row.end)
const within = (wall: number, { from, to }: { from: number; to: number }) => from <= wall && wall < to

function everyMinute(start: number, minutes: number, holds: (t: number) => boolean): boolean {
  for (let t = start; t < start + minutes; t++) if (!holds(t)) return false
  return true
}

const nightsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

type Local = { date: string; weekday: number; wall: number }
const seen = new Map<number, Local>()
const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Mexico_City',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
})

/** What the clock on the wall shows, as the platform's formatter has it. */
export function local(minute: number): Local {
  const known = seen.get(minute)
  if (known) return known
  const [, month, day, year, hour, past] = /(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(
    clock.format(minute * 60_000),
  )!
  const date = `${year}-${month}-${day}`
  const found = {
    date,
    weekday: (new Date(date).getUTCDay() + 6) % 7,
    wall: Number(hour) * 60 + Number(past),
  }
  seen.set(minute, found)
  return found
}
