import ICAL from 'ical.js'
import { timeZone } from '../shared/calendar.ts'
import type { MinuteSpan } from './rules/roster.ts'

/** A calendar file, the epoch minutes for which it is read, and `host`, whose own appointments hold their people already. */
export type BusyQuestion = { text: string; from: number; to: number; allDay: boolean; host: string }

/** When its owner is busy, and how many entries could not be read; or why nothing of it is used. */
export type BusyAnswer = { busy: MinuteSpan[]; unread: number } | { fault: 'not_calendar' | 'too_many' }

const mostEvents = 20_000
const mostOccurrences = 2_000
const leastMinutes = 10

/**
 * The busy hours of an iCalendar file (RFC 5545). Wall clocks become instants by our own zone data: the rules that a file
 * carries are often years old. What can't be read costs that entry only.
 */
export function busyTimesIn({ text, ...asked }: BusyQuestion): BusyAnswer {
  const whole = text.trim()
  // One that breaks off would free what it lacks.
  if (!whole.startsWith('BEGIN:VCALENDAR') || !whole.endsWith('END:VCALENDAR'))
    return { fault: 'not_calendar' }
  const { events, offsets } = partsOf(whole)
  if (events.length > mostEvents) return { fault: 'too_many' }
  const entries = events.map((lines) => attempt(() => entryOf(lines, offsets)))
  const read = entries.filter((entry) => entry !== null)
  const moved = Map.groupBy(read, ({ replaces, uid }) => replaces && uid)
  const found = read.map((entry) =>
    attempt(() => (isBusy(entry, asked) ? spansOf(entry, moved.get(entry.uid) ?? [], asked) : [])),
  )
  const unread = [...entries, ...found].filter((one) => one === null).length
  return { busy: merged(found.flatMap((spans) => spans ?? [])), unread }
}

function attempt<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Overlapping and adjacent ones as one, without the shortest. */
function merged(spans: readonly MinuteSpan[]): MinuteSpan[] {
  const all: MinuteSpan[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else all.push({ ...span })
  }
  return all.filter(({ end, start }) => end - start >= leastMinutes)
}

/** What hours follow from: titles, places and people are not even looked at. */
const wanted = new Set(
  'UID DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID STATUS TRANSP X-MICROSOFT-CDO-BUSYSTATUS X-MICROSOFT-CDO-ALLDAYEVENT'.split(
    ' ',
  ),
)

type Offsets = ReadonlyMap<string, string>

/** The lines of each entry that hours follow from, and the usual offset of each zone that the file describes. */
function partsOf(text: string) {
  const events: string[][] = []
  const offsets = new Map<string, string>()
  const inside: string[] = []
  let zone = ''
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const name = line.slice(0, line.search(/[:;]/))
    const value = line.slice(line.indexOf(':') + 1)
    if (name === 'BEGIN') inside.push(value)
    if (line === 'BEGIN:VEVENT') events.push([])
    if (name === 'END') inside.pop()
    if (inside.at(-1) === 'VEVENT' && wanted.has(name)) events.at(-1)!.push(line)
    if (name === 'TZID') zone = value
    if (name === 'TZOFFSETTO' && inside.at(-1) === 'STANDARD') offsets.set(zone, value)
  }
  return { events, offsets }
}

/** A time of an entry: a date, or a wall clock in a zone. */
type Wall = { time: ICAL.Time; zone: string }
type Entry = {
  uid: string
  of: ICAL.Component
  start: Wall
  isAllDay: boolean
  minutes: number
  /** The start of the occurrence that it stands for. */
  replaces: Wall | undefined
  walls: (name: string) => Wall[]
}

function entryOf(lines: readonly string[], offsets: Offsets): Entry {
  const of = new ICAL.Component(ICAL.parse(['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n')))
  const walls = (name: string) =>
    of.getAllProperties(name).flatMap((property) => {
      const zone = zoneOf(String(property.getFirstParameter('tzid') ?? ''), offsets)
      return property
        .getValues()
        .map((value) => wallOf(value instanceof ICAL.Period ? value.start : value, zone))
    })
  const start = walls('dtstart')[0]!
  const end = walls('dtend')[0]
  const isAllDay = start.time.isDate || textOf(of, 'x-microsoft-cdo-alldayevent') === 'TRUE'
  const lasts = of.getFirstPropertyValue('duration')
  const alone = lasts instanceof ICAL.Duration ? lasts.toSeconds() / 60 : isAllDay ? 1440 : 0
  const minutes = end ? minuteOf(end) - minuteOf(start) : alone
  return { uid: textOf(of, 'uid'), of, start, isAllDay, minutes, replaces: walls('recurrence-id')[0], walls }
}

const textOf = (of: ICAL.Component, name: string) =>
  String(of.getFirstPropertyValue(name) ?? '').toUpperCase()

/** Without its zone, which ical.js would look for in the file. */
function wallOf(given: ICAL.Time, zone: string): Wall {
  const time = given.clone()
  time.zone = ICAL.Timezone.localTimezone
  return { time, zone: given.zone === ICAL.Timezone.utcTimezone ? 'UTC' : zone }
}

const minuteOf = ({ time, zone }: Wall) =>
  Math.floor(
    Temporal.PlainDateTime.from(`${time}`).toZonedDateTime(time.isDate ? timeZone : zone).epochMilliseconds /
      60_000,
  )

/** The same instant on the wall clock of another zone. */
function inZone(wall: Wall, zone: string): ICAL.Time {
  if (wall.zone === zone || wall.time.isDate) return wall.time
  const at = Temporal.Instant.fromEpochMilliseconds(minuteOf(wall) * 60_000).toZonedDateTimeISO(zone)
  return ICAL.Time.fromString(at.toPlainDateTime().toString({ smallestUnit: 'second' }), null)
}

type Asked = Omit<BusyQuestion, 'text'>

/** Whole days take hours only of who asked for that, or is out of office: birthdays and holidays are whole days. */
function isBusy({ isAllDay, of, uid }: Entry, { allDay, host }: Asked): boolean {
  const shown = textOf(of, 'x-microsoft-cdo-busystatus')
  const isFree =
    textOf(of, 'transp') === 'TRANSPARENT' || shown === 'FREE' || textOf(of, 'status') === 'CANCELLED'
  return !isFree && !uid.endsWith(`@${host}`.toUpperCase()) && (!isAllDay || allDay || shown === 'OOF')
}

/** When an entry takes place, without what is taken out of its series or stands elsewhere. */
function spansOf(entry: Entry, moved: readonly Entry[], { from, to }: Asked): MinuteSpan[] {
  const { isAllDay, minutes, replaces, start, walls } = entry
  const others = replaces ? [] : moved.map((one) => one.replaces!)
  const out = new Set(
    [...walls('exdate'), ...others].map((wall) =>
      isAllDay || wall.time.isDate ? dateOf(wall) : minuteOf(wall),
    ),
  )
  return [...(replaces ? [start] : occurrencesOf(entry, from, to)), ...walls('rdate')].flatMap((wall) => {
    const first = isAllDay ? minuteOf({ ...wall, time: dateOnly(wall.time) }) : minuteOf(wall)
    const span = { start: Math.max(first, from), end: Math.min(first + minutes, to) }
    return out.has(first) || out.has(dateOf(wall)) || span.start >= span.end ? [] : [span]
  })
}

function dateOnly(time: ICAL.Time): ICAL.Time {
  const date = time.clone()
  date.isDate = true
  return date
}

/** The date that a calendar shows it on: whole days are also taken out by their midnight, here or in UTC. */
const dateOf = (wall: Wall) => `${dateOnly(wall.zone === 'UTC' ? inZone(wall, timeZone) : wall.time)}`

const steps: Partial<Record<string, number>> = { DAILY: 1, WEEKLY: 7 }

function occurrencesOf({ minutes, of, start }: Entry, from: number, to: number): Wall[] {
  const rules = of.getAllProperties('rrule').map((rule) => rule.getFirstValue() as ICAL.Recur)
  if (rules.length === 0) return [start]
  return rules.flatMap((rule) => {
    // A date is the whole of that day.
    if (rule.until?.isDate) rule.until = ICAL.Time.fromString(`${rule.until}T23:59:59`, null)
    else if (rule.until) rule.until = inZone(wallOf(rule.until, start.zone), start.zone)
    const first = start.time.clone()
    const step = (steps[rule.freq] ?? 0) * rule.interval
    const ahead = Math.floor((from - minutes - minuteOf(start)) / 1440) - 2
    // A series of years ago is taken up near to now, in its own rhythm.
    if (step > 0 && !rule.count && ahead > step) first.adjust(ahead - (ahead % step), 0, 0, 0)
    const iterator = rule.iterator(first)
    const found: Wall[] = []
    for (let time = iterator.next(); time; time = iterator.next()) {
      const wall = { ...start, time: time.clone() }
      if (minuteOf(wall) >= to) break
      if (found.push(wall) > mostOccurrences) throw new Error('a rule without end')
    }
    return found
  })
}

/** Windows' names of zones, by which Outlook writes them: those of this continent, and the most frequent others (CLDR). */
const windowsZones: Partial<Record<string, string>> = {
  'Central Standard Time (Mexico)': timeZone,
  'Mountain Standard Time (Mexico)': 'America/Mazatlan',
  'Pacific Standard Time (Mexico)': 'America/Tijuana',
  'Eastern Standard Time (Mexico)': 'America/Cancun',
  'Eastern Standard Time': 'America/New_York',
  'Central Standard Time': 'America/Chicago',
  'Mountain Standard Time': 'America/Denver',
  'US Mountain Standard Time': 'America/Phoenix',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Central America Standard Time': 'America/Guatemala',
  'SA Pacific Standard Time': 'America/Bogota',
  'SA Western Standard Time': 'America/La_Paz',
  'Pacific SA Standard Time': 'America/Santiago',
  'Argentina Standard Time': 'America/Buenos_Aires',
  'E. South America Standard Time': 'America/Sao_Paulo',
  'GMT Standard Time': 'Europe/London',
  'Romance Standard Time': 'Europe/Paris',
  'W. Europe Standard Time': 'Europe/Berlin',
  'China Standard Time': 'Asia/Shanghai',
  'Tokyo Standard Time': 'Asia/Tokyo',
}

/** The zone that a name of a file means: its own, or its maker's for it; else the offset that the file calls usual; else here. */
const zoneOf = (name: string, offsets: Offsets) =>
  [name, windowsZones[name], name.split('/').slice(-2).join('/'), offsets.get(name)].find(
    (zone) => zone && attempt(() => Temporal.PlainDate.from('2026-01-01').toZonedDateTime(zone)),
  ) ?? timeZone
