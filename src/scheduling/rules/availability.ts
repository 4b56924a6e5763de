import { performers, type Service, serviceFacts, services } from '../../appointments/rules/appointment.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { addDays, isHoliday, type LocalDay, localDate } from '../../shared/calendar.ts'
import { type Busy, noZone, type PackedSpans, type Roster, travelBetween, zoneCount } from './roster.ts'

/** A query to the engine. All times are epoch minutes. */
export type Ask = {
  service: Service
  /** Zone of the address; -1 for a service without a place. */
  zone: number
  now: number
  /** The local days to offer, in order. */
  days: readonly LocalDay[]
  settings: Settings
  travel: Uint16Array
  /** The time is already promised to the customer: notice, horizon and grid no longer count. */
  promised?: boolean
  /** A start of that day before this epoch minute is judged as if it were then. */
  notBefore?: number
}

export type OpenDay = { date: string; starts: number[] }

/**
 * The slots that at least one person can take, by day; days without any are included, empty. The time it takes grows at
 * most with people × (days + appointments), and it stops as soon as every slot of every day is known to be open.
 */
export function openSlots(roster: Roster, busy: Busy, ask: Ask): OpenDay[] {
  const search = slotSearch(roster, ask)
  search.look(search.people, busy)
  return search.days()
}

/**
 * The same query in batches of eligible people: each batch needs only its own people's appointments. `look` returns
 * whether more people could still open more slots.
 */
export function slotSearch(roster: Roster, ask: Ask) {
  const grid = gridOf(ask)
  const rules = rulesOf(ask)
  return {
    people: roster.ids.flatMap((_, person) => (couldGo(roster, person, ask.zone, rules) ? [person] : [])),
    look(people: readonly number[], busy: Busy): boolean {
      for (const person of people) if (grid.unsettled > 0) openFor(person, roster, busy, grid, rules)
      return grid.unsettled > 0
    },
    days: (): OpenDay[] => ask.days.map(({ date }, day) => ({ date, starts: startsOf(grid, day) })),
  }
}

const couldGo = (roster: Roster, person: number, zone: number, { kind }: Rules) =>
  roster.active[person] === 1 &&
  roster.kinds[person] === kind &&
  roster.shiftAt[person * 7]! < roster.shiftAt[person * 7 + 7]! &&
  serves(roster, person, zone)

/** Whether a person serves a zone: always when the service needs no travel or the person lists no zones. */
export function serves(roster: Roster, person: number, zone: number): boolean {
  const zones = roster.zones[person]!
  return zone === noZone || zones === 0 || (zones & (1 << zone)) !== 0
}

/** Whether a person has no valid paper that a service needs, at an epoch minute of its day. */
export const lacksPaper = (
  { papers }: Roster,
  person: number,
  at: number,
  { now, service }: Pick<Ask, 'now' | 'service'>,
): boolean =>
  !!papers[person]?.some(
    ({ services, valid }) =>
      services.includes(service) &&
      !valid.some(({ end, start, until }) => start <= at && at < end && (until === null || now < until)),
  )

/** The last local date that can be booked. */
export const lastDate = ({ now, service, settings }: Ask) =>
  addDays(localDate(now), settings.services[service].horizonDays)

/** The first epoch minute that respects the notice. */
export const earliest = ({ now, service, settings }: Pick<Ask, 'now' | 'service' | 'settings'>) =>
  now + settings.services[service].noticeHours * 60

/** The period of a local day in which the service may take place, in epoch minutes; null when closed. */
export function openingOf(day: LocalDay, { hours }: Settings) {
  const opening = hours[day.weekday]
  if (!opening) return null
  return {
    start: Math.max(day.start, day.base + opening.from),
    end: day.base + opening.to,
  }
}

/** Whether a start is on the grid of slots, counted from local midnight. */
export const onGrid = (start: number, day: LocalDay, { stepMinutes }: Settings) =>
  (start - day.base) % stepMinutes === 0

function gridOf(ask: Ask): SlotGrid {
  const { days, settings } = ask
  const grid = slotGrid(days, settings.stepMinutes)
  const lastDay = lastDate(ask)
  for (let day = 0; day < days.length; day++) {
    const local = days[day]!
    const opening = openingOf(local, settings)
    if (!opening || (!ask.promised && local.date > lastDay) || isHoliday(local.date, settings.holidays))
      continue
    grid.first[day] = local.base + Math.ceil((opening.start - local.base) / grid.step) * grid.step
    grid.last[day] = opening.end - settings.services[ask.service].minutes
    wantFrom(grid, day, ask.promised ? opening.start : earliest(ask))
  }
  return grid
}

/** Precomputed numbers for the decision. Index 0 of before and after is "no place", zone z is z + 1. */
type Rules = {
  ask: Pick<Ask, 'now' | 'service'>
  kind: number
  service: number
  minutes: number
  dailyMax: number
  /** Minutes from the end of an appointment in a zone to the earliest start here. */
  after: Int32Array
  /** Minutes from a start here to the earliest next start in a zone. */
  before: Int32Array
}

function rulesOf(ask: Ask): Rules {
  const { service, settings, travel, zone } = ask
  const { minutes, dailyMax } = settings.services[service]
  const after = new Int32Array(zoneCount + 1)
  const before = new Int32Array(zoneCount + 1)
  for (let other = noZone; other < zoneCount; other++) {
    after[other + 1] = settings.bufferMinutes + travelBetween(travel, other, zone)
    before[other + 1] = minutes + settings.bufferMinutes + travelBetween(travel, zone, other)
  }
  const kind = performers.indexOf(serviceFacts[service].by)
  return { ask, kind, service: services.indexOf(service), minutes, dailyMax, after, before }
}

/** Opens the slots that one person can take: a single pass over their appointments, day by day. */
function openFor(person: number, roster: Roster, busy: Busy, grid: SlotGrid, rules: Rules) {
  const stop = busy.at[person + 1]!
  const { starts } = busy
  let from = busy.at[person]!
  for (let day = 0; day < grid.days.length; day++) {
    const { start, end } = grid.days[day]!
    if (settled(grid, day) || lacksPaper(roster, person, start, rules.ask)) continue
    while (from < stop && starts[from]! < start) from++
    let to = from
    let held = 0
    for (; to < stop && starts[to]! < end; to++) if (busy.services[to] === rules.service) held++
    if (held < rules.dailyMax && markGaps(person, from, to, busy, grid, day, rules)) {
      blockSpans(person, roster.off, grid, day, rules)
      blockSpans(person, roster.busy, grid, day, rules)
      openInShifts(person, roster, grid, day, rules)
      grid.free.fill(0)
    }
    from = to
  }
}

/**
 * Frees the starts that leave enough travel time after the previous appointment and before the next; the day's are
 * from..to. Returns whether there is any: most people's days have no gap for a long service, and need no further work.
 */
function markGaps(
  person: number,
  from: number,
  to: number,
  busy: Busy,
  grid: SlotGrid,
  day: number,
  rules: Rules,
): boolean {
  const { starts, until, zones } = busy
  const first = grid.first[day]!
  const last = grid.last[day]!
  let found = false
  let low = from > busy.at[person]! ? until[from - 1]! + rules.after[zones[from - 1]! + 1]! : 0
  const stop = to < busy.at[person + 1]! ? to + 1 : to
  for (let i = from; i < stop; i++) {
    const zone = zones[i]! + 1
    const high = starts[i]! - rules.before[zone]!
    if (low <= high && high >= first && low <= last) {
      freeBetween(grid, day, low, high)
      found = true
    }
    low = until[i]! + rules.after[zone]!
  }
  if (stop !== to || low > last) return found
  freeBetween(grid, day, low, last)
  return true
}

function blockSpans(person: number, spans: PackedSpans, grid: SlotGrid, day: number, { minutes }: Rules) {
  const { at, ends, starts } = spans
  const { end, start } = grid.days[day]!
  for (let i = at[person]!; i < at[person + 1]!; i++)
    if (starts[i]! - minutes < end && ends[i]! > start)
      blockBetween(grid, day, starts[i]! - minutes + 1, ends[i]! - 1)
}

/**
 * Opens the free starts that fit in full into one shift, and counts the day as settled once all its wanted slots are
 * open.
 */
function openInShifts(person: number, roster: Roster, grid: SlotGrid, day: number, { minutes }: Rules) {
  const { base, weekday } = grid.days[day]!
  const { shiftAt, shiftFrom, shiftTo } = roster
  const index = person * 7 + weekday
  for (let i = shiftAt[index]!; i < shiftAt[index + 1]!; i++)
    openBetween(grid, day, base + shiftFrom[i]!, base + shiftTo[i]! - minutes)
  if (settled(grid, day)) grid.unsettled--
}

/** Candidate slots as bits: `words` words for each day; bit k of a day is the start first[day] + k * step. */
type SlotGrid = {
  days: readonly LocalDay[]
  step: number
  words: number
  /** The first and the last start that fit in the opening hours, in epoch minutes. */
  first: Int32Array
  last: Int32Array
  /** The slots the calendar allows, and those among them that a person can take. */
  wanted: Int32Array
  open: Int32Array
  /** Days with a wanted slot that is not open yet. */
  unsettled: number
  /** Bits of the one person and day in progress; all zero between two of them. */
  free: Int32Array
}

/** A grid for these days with nothing wanted yet. */
function slotGrid(days: readonly LocalDay[], step: number): SlotGrid {
  const words = Math.ceil(1440 / step / 32)
  return {
    days,
    step,
    words,
    first: new Int32Array(days.length),
    last: new Int32Array(days.length),
    wanted: new Int32Array(days.length * words),
    open: new Int32Array(days.length * words),
    unsettled: 0,
    free: new Int32Array(words),
  }
}

/** Marks a day's slots from an epoch minute on as wanted. */
function wantFrom(grid: SlotGrid, day: number, from: number) {
  const { first, last, step, wanted, words } = grid
  const k = Math.max(0, Math.ceil((from - first[day]!) / step))
  setRange(wanted, day * words, k, Math.floor((last[day]! - first[day]!) / step))
  if (!settled(grid, day)) grid.unsettled++
}

/** Whether all wanted slots of a day are open. */
function settled({ open, wanted, words }: SlotGrid, day: number): boolean {
  for (let w = day * words; w < (day + 1) * words; w++) if (open[w] !== wanted[w]) return false
  return true
}

/** Frees the day's starts between two epoch minutes, both included. */
function freeBetween({ first, free, last, step }: SlotGrid, day: number, low: number, high: number) {
  const zero = first[day]!
  const from = Math.max(0, Math.ceil((low - zero) / step))
  setRange(free, 0, from, Math.floor((Math.min(high, last[day]!) - zero) / step))
}

/** Removes the day's free starts between two epoch minutes, both included. */
function blockBetween({ first, free, last, step }: SlotGrid, day: number, low: number, high: number) {
  const zero = first[day]!
  const from = Math.max(0, Math.ceil((low - zero) / step))
  const to = Math.floor((Math.min(high, last[day]!) - zero) / step)
  for (let w = from >> 5; from <= to && w <= to >> 5; w++) free[w]! &= ~mask(w, from, to)
}

/** Opens the free and wanted starts of a day between two epoch minutes, both included. */
function openBetween(grid: SlotGrid, day: number, low: number, high: number) {
  const { first, free, last, open, step, wanted, words } = grid
  const zero = first[day]!
  const from = Math.max(0, Math.ceil((low - zero) / step))
  const to = Math.floor((Math.min(high, last[day]!) - zero) / step)
  for (let w = from >> 5; from <= to && w <= to >> 5; w++)
    open[day * words + w]! |= free[w]! & wanted[day * words + w]! & mask(w, from, to)
}

/** The open starts of a day, in epoch minutes. */
function startsOf({ first, open, step, words }: SlotGrid, day: number): number[] {
  const starts: number[] = []
  for (let k = 0; k < words * 32; k++)
    if (open[day * words + (k >> 5)]! & (1 << (k & 31))) starts.push(first[day]! + k * step)
  return starts
}

/** The bits of word w that belong to the range from..to, both included. */
const mask = (w: number, from: number, to: number) =>
  (w === from >> 5 ? -1 << (from & 31) : -1) & (w === to >> 5 ? -1 >>> (31 - (to & 31)) : -1)

function setRange(bits: Int32Array, at: number, from: number, to: number) {
  if (from <= to) for (let w = from >> 5; w <= to >> 5; w++) bits[at + w]! |= mask(w, from, to)
}
