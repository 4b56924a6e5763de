import { performers, serviceFacts, services } from '../../appointments/rules/appointment.ts'
import { dayOf, isHoliday, type LocalDay } from '../../shared/calendar.ts'
import {
  type Ask,
  earliest,
  lacksPaper,
  lastDate,
  type OpenDay,
  onGrid,
  openingOf,
  serves,
} from './availability.ts'
import { type Busy, type MinuteSpan, noZone, type PackedSpans, type Roster, travelBetween } from './roster.ts'

/** Why a person cannot take a time. Hard reasons always hold; a manager may override the others with a reason. */
export const reasons = {
  inactive: { hard: true, words: 'Su cuenta está inactiva' },
  wrong_kind: { hard: true, words: 'No realiza este servicio' },
  overlap: { hard: true, words: 'Ya tiene otra cita a esa hora' },
  time_off: { hard: true, words: 'Tiene permiso o vacaciones' },
  calendar: { hard: false, words: 'Ocupado en su calendario' },
  zone: { hard: false, words: 'No atiende esta zona' },
  shift: { hard: false, words: 'Queda fuera de su turno' },
  paper: { hard: false, words: 'No tiene papel vigente ese día' },
  holiday: { hard: false, words: 'Es día festivo' },
  hours: { hard: false, words: 'Queda fuera del horario de servicio' },
  grid: { hard: false, words: 'No es una hora de la agenda' },
  daily_max: { hard: false, words: 'Ya tiene su máximo de citas de ese día' },
  delayed: { hard: false, words: 'Va retrasado con su cita anterior' },
  travel_before: { hard: false, words: 'No llega a tiempo desde su cita anterior' },
  travel_after: { hard: false, words: 'No llega a tiempo a su cita siguiente' },
  notice: { hard: false, words: 'Es con menos anticipación de la permitida' },
  horizon: { hard: false, words: 'La fecha es más lejana de lo permitido' },
} as const satisfies Record<string, { hard: boolean; words: string }>

export type ReasonCode = keyof typeof reasons

/** `missing` is the number of minutes short, where travel is the reason. */
export type Reason = { code: ReasonCode; missing?: number }

/** A reason in words for staff. */
export const reasonWords = ({ code, missing }: Reason) =>
  missing ? `${reasons[code].words} (le faltan ${missing}\u00a0min)` : reasons[code].words

export const isHard = ({ code }: Reason) => reasons[code].hard

/** What is learnt of a person after they were given an appointment: it takes none from them. */
export const isLearntLater = ({ code }: Reason) => code === 'calendar' || code === 'paper'

/** Whether someone would work outside their hours. */
export const isOffShift = ({ code }: Reason) => code === 'shift'

const unavailable: readonly ReasonCode[] = ['calendar', 'delayed', 'travel_before', 'travel_after']

/** Whether a reason is a rule that a manager may set aside: no one is sent who is busy, or cannot arrive in time. */
export const isException = (reason: Reason) => !isHard(reason) && !unavailable.includes(reason.code)

/** Rules that another appointment breaks, where it came meanwhile. */
const byOthers: readonly ReasonCode[] = ['daily_max', 'travel_before', 'travel_after']

/**
 * Whether a reason keeps an appointment from going back to where it was: a hard one always; one that comes of another
 * appointment unless it stood there in spite of a rule. The others were known before.
 */
export const blocksUndo = (reason: Reason, wasOverridden: boolean) =>
  isHard(reason) || (!wasOverridden && byOthers.includes(reason.code))

/** Everything that keeps a person from starting at an epoch minute; empty when the person can take it. An appointment that is
 * being moved or confirmed must not be among the busy ones. */
export function whyNot(roster: Roster, busy: Busy, person: number, start: number, ask: Ask): Reason[] {
  const { day, ...span } = spanOf(start, ask)
  return [...whyNotAlone(roster, person, start, ask), ...aboutBusy(busy, person, start, span, day, ask)]
}

/**
 * The reasons that keep a person from a start (epoch minutes) regardless of their other appointments: the rules by
 * which a change of people, hours or holidays can invalidate an appointment.
 */
export function whyNotAlone(roster: Roster, person: number, from: number, ask: Ask): Reason[] {
  const { day, end, start } = spanOf(from, ask)
  return [...aboutPerson(roster, person, start, end, day, ask), ...aboutTime(start, end, day, ask)]
}

/** Reasons against a start (epoch minutes) that do not depend on the person. */
export function whyNotThen(start: number, ask: Ask): Reason[] {
  const { day, end } = spanOf(start, ask)
  return aboutTime(start, end, day, ask)
}

/** The day of a start, and from when to when it would last. */
function spanOf(from: number, { days, notBefore = from, service, settings }: Ask) {
  const day = days.find((known) => known.start <= from && from < known.end) ?? dayOf(from)
  const start = notBefore < day.end ? Math.max(from, notBefore) : from
  return { day, start, end: start + settings.services[service].minutes }
}

/** Indexes of all people who can start at an epoch minute of a day: those for whom `whyNot` finds nothing. */
function whoCan(roster: Roster, busy: Busy, from: number, ask: Ask): number[] {
  const { day, ...span } = spanOf(from, ask)
  const { end, start } = span
  // Reasons against the time itself apply to all people: evaluated once.
  if (aboutTime(start, end, day, ask).length > 0) return []
  return [...roster.ids.keys()].filter(
    (person) =>
      aboutPerson(roster, person, start, end, day, ask).length === 0 &&
      aboutBusy(busy, person, from, span, day, ask).length === 0,
  )
}

/** Whether a person can start at an epoch minute: exactly the rules by which openSlots offers it. */
export const canTake = (roster: Roster, busy: Busy, person: number, start: number, ask: Ask) =>
  whyNot(roster, busy, person, start, ask).length === 0

const listed = (checks: Partial<Record<ReasonCode, boolean>>): Reason[] =>
  (Object.keys(checks) as ReasonCode[]).filter((code) => checks[code]).map((code) => ({ code }))

function aboutPerson(roster: Roster, person: number, start: number, end: number, day: LocalDay, ask: Ask) {
  return listed({
    inactive: !roster.active[person],
    wrong_kind: roster.kinds[person] !== performers.indexOf(serviceFacts[ask.service].by),
    time_off: touches(roster.off, person, start, end),
    calendar: touches(roster.busy, person, start, end),
    zone: !serves(roster, person, ask.zone),
    shift: !inShift(roster, person, start - day.base, end - day.base, day.weekday),
    paper: lacksPaper(roster, person, start, ask),
  })
}

function aboutTime(start: number, end: number, day: LocalDay, ask: Ask) {
  const opening = openingOf(day, ask.settings)
  return listed({
    holiday: isHoliday(day.date, ask.settings.holidays),
    hours: !opening || start < opening.start || end > opening.end,
    grid: !ask.promised && !onGrid(start, day, ask.settings),
    notice: !ask.promised && start < earliest(ask),
    horizon: !ask.promised && day.date > lastDate(ask),
  })
}

function touches({ at, ends, starts }: PackedSpans, person: number, start: number, end: number): boolean {
  for (let i = at[person]!; i < at[person + 1]!; i++) if (start < ends[i]! && end > starts[i]!) return true
  return false
}

const worksOn = ({ shiftAt }: Roster, person: number, weekday: number) =>
  shiftAt[person * 7 + weekday]! < shiftAt[person * 7 + weekday + 1]!

function inShift(roster: Roster, person: number, from: number, to: number, weekday: number): boolean {
  const { shiftAt, shiftFrom, shiftTo } = roster
  for (let i = shiftAt[person * 7 + weekday]!; i < shiftAt[person * 7 + weekday + 1]!; i++)
    if (from >= shiftFrom[i]! && to <= shiftTo[i]!) return true
  return false
}

function aboutBusy(
  busy: Busy,
  person: number,
  planned: number,
  { end, start }: MinuteSpan,
  day: LocalDay,
  ask: Ask,
): Reason[] {
  const { next, overlap, previous } = neighbours(busy, person, planned, planned + end - start)
  const { bufferMinutes, services: rules } = ask.settings
  const held = heldOn(busy, person, day, services.indexOf(ask.service))
  const found = listed({ overlap, daily_max: held >= rules[ask.service].dailyMax })
  const way = previous < 0 ? 0 : bufferMinutes + rideFrom(busy, previous, ask)
  const before = previous < 0 ? 0 : busy.ends[previous]! + way - start
  const delay = previous < 0 ? 0 : busy.until[previous]! + way - start
  const after = next < 0 ? 0 : end + bufferMinutes + rideTo(busy, next, ask) - busy.starts[next]!
  if (before > 0) found.push({ code: 'travel_before', missing: Math.max(before, delay) })
  else if (delay > 0) found.push({ code: 'delayed', missing: delay })
  if (after > 0) found.push({ code: 'travel_after', missing: after })
  return found
}

/** Travel minutes from an appointment to the requested place, and from there to the next. */
const rideFrom = (busy: Busy, i: number, { travel, zone }: Ask) =>
  travelBetween(travel, busy.zones[i] ?? noZone, zone)
const rideTo = (busy: Busy, i: number, { travel, zone }: Ask) =>
  travelBetween(travel, zone, busy.zones[i] ?? noZone)

/** The appointments that end before and begin after a span, as indexes in `busy` or -1, and whether one overlaps it. */
function neighbours(busy: Busy, person: number, start: number, end: number) {
  const found = { previous: -1, next: -1, overlap: false }
  for (let i = busy.at[person]!; i < busy.at[person + 1]!; i++) {
    if (busy.ends[i]! <= start) found.previous = i
    else if (busy.starts[i]! < end) found.overlap = true
    else {
      found.next = i
      break
    }
  }
  return found
}

/** How many appointments of a service (of any, without one) a person has on a local day. */
function heldOn(busy: Busy, person: number, day: LocalDay, service?: number): number {
  let held = 0
  for (let i = busy.at[person]!; i < busy.at[person + 1]!; i++) {
    const today = busy.starts[i]! >= day.start && busy.starts[i]! < day.end
    if (today && (service === undefined || busy.services[i] === service)) held++
  }
  return held
}

/** A person who can take a time: added travel minutes, and appointments already on that day. */
export type SlotCandidate = { person: number; id: string; addedTravel: number; load: number }

/** The people who can start at an epoch minute, best first: least added travel, then least load that day, then by id. */
export function rank(roster: Roster, busy: Busy, start: number, ask: Ask): SlotCandidate[] {
  const { day, ...span } = spanOf(start, ask)
  return whoCan(roster, busy, start, ask)
    .map((person) => ({ person, id: roster.ids[person]!, ...costOf(busy, person, span, day, ask) }))
    .sort(better)
}

/**
 * The people at work that day who could start at an epoch minute if rules were set aside, best first: within their
 * shift, the fewest rules, then as in `rank`.
 */
export function rankExceptions(roster: Roster, busy: Busy, start: number, ask: Ask) {
  const { day, ...span } = spanOf(start, ask)
  const isOff = ({ against }: { against: readonly Reason[] }) => Number(against.some(isOffShift))
  return [...roster.ids.keys()]
    .filter((person) => worksOn(roster, person, day.weekday))
    .map((person) => ({ person, id: roster.ids[person]!, against: whyNot(roster, busy, person, start, ask) }))
    .filter(({ against }) => against.length > 0 && against.every(isException))
    .map((one) => ({ ...one, ...costOf(busy, one.person, span, day, ask) }))
    .sort((a, b) => isOff(a) - isOff(b) || a.against.length - b.against.length || better(a, b))
}

function better(a: SlotCandidate, b: SlotCandidate): number {
  return a.addedTravel - b.addedTravel || a.load - b.load || (a.id < b.id ? -1 : 1)
}

/** The cost for a person's day of a start at an epoch minute; only neighbours of the same local day count. */
function costOf(busy: Busy, person: number, { end, start }: MinuteSpan, day: LocalDay, ask: Ask) {
  const { next, previous } = neighbours(busy, person, start, end)
  const before = previous >= 0 && busy.starts[previous]! >= day.start ? previous : -1
  const after = next >= 0 && busy.starts[next]! < day.end ? next : -1
  const addedTravel =
    (before < 0 ? 0 : rideFrom(busy, before, ask)) +
    (after < 0 ? 0 : rideTo(busy, after, ask)) -
    (before < 0 || after < 0 ? 0 : travelBetween(ask.travel, busy.zones[before]!, busy.zones[after]!))
  return { addedTravel, load: heldOn(busy, person, day) }
}

/** The open starts nearest to a wanted one (epoch minutes), nearest first, the earlier one when equally near. */
export function nearestFree(days: readonly OpenDay[], wanted: number, count = 3): number[] {
  return days
    .flatMap(({ starts }) => starts)
    .sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)
    .slice(0, count)
}
