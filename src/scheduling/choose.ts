import pg from 'pg'
import type { Service } from '../appointments/rules/appointment.ts'
import type { Db, Tx } from '../platform/database/client.ts'
import { ranges, type Settings } from '../settings/rules/settings-schema.ts'
import {
  addDays,
  dayOf,
  daysFrom,
  daysOn,
  type LocalDay,
  localDate,
  toDate,
  toMinutes,
} from '../shared/calendar.ts'
import {
  currentStaffing,
  loadBusy,
  loadBusyOf,
  loadBusyOfSome,
  type Staffing,
  staffingAt,
  staffingInside,
} from './roster.ts'
import { type Ask, type OpenDay, slotSearch } from './rules/availability.ts'
import { withoutNotice } from './rules/desk-slots.ts'
import { nearestFree, type Reason, rank, type SlotCandidate, whyNot } from './rules/eligibility.ts'
import { type Busy, travelRange } from './rules/roster.ts'

const aDay = 1440

/** The question for the engine: this service in this zone, seen from now, over its whole horizon. */
function askFor({ settings, travel }: Staffing, service: Service, zone: number, now: Date): Ask {
  const minute = toMinutes(now)
  const days = daysFrom(minute, settings.services[service].horizonDays + 1)
  return { service, zone, now: minute, days, settings, travel }
}

/** Of so many people the appointments are read at first; each time this does not settle every slot, of twice as many. */
const atFirst = 16

type Offering = {
  /** An appointment that would be moved there. */
  without?: string | undefined
  /** Only what this person can take. */
  personId?: string | null
  /** Also what is sooner than the notice. */
  urgent?: boolean
}

/** Every slot that a person can really take, day by day. A day more on both sides is loaded, for what reaches over
 * midnight. What it reads grows with how rare free time is, not with the house. */
export async function offeredDays(
  db: Db,
  service: Service,
  zone: number,
  now: Date,
  { personId = null, urgent = false, without }: Offering = {},
): Promise<OpenDay[]> {
  const staffing = await currentStaffing(db)
  const asked = askFor(staffing, service, zone, now)
  const ask = urgent ? withoutNotice(asked) : asked
  const first = ask.days[0]
  const last = ask.days.at(-1)
  if (!first || !last) return []
  const range = { from: first.start - aDay, to: last.end + aDay, now, without }
  const search = slotSearch(staffing.roster, ask)
  const people = search.people.filter(
    (person) => personId === null || staffing.roster.ids[person] === personId,
  )
  for (let done = 0, some = atFirst; done < people.length; done += some, some *= 2) {
    const part = people.slice(done, done + some)
    if (!search.look(part, await loadBusyOfSome(db.$client, staffing, part, range))) break
  }
  return search.days()
}

/**
 * The next free start of each of some people for an appointment that would be moved, the soonest first; of the first of
 * them only, since each one's whole horizon is read.
 */
export async function soonestOfEach(
  db: Db,
  { id, service, startsAt, zone }: { id: string; service: Service; startsAt: Date; zone: number },
  personIds: readonly string[],
  now: Date,
): Promise<{ personId: string; start: number }[]> {
  const staffing = await currentStaffing(db)
  const { indexOf, roster } = staffing
  const ask = askFor(staffing, service, zone, now)
  const able = new Set(slotSearch(roster, ask).people)
  const people = personIds.map((personId) => indexOf.get(personId) ?? -1).filter((person) => able.has(person))
  const some = people.slice(0, atFirst)
  const range = { from: ask.days[0]!.start - aDay, to: ask.days.at(-1)!.end + aDay, now, without: id }
  const busy = await loadBusyOfSome(db.$client, staffing, some, range)
  return some
    .flatMap((person) => {
      const search = slotSearch(roster, ask)
      search.look([person], busy)
      const starts = search.days().flatMap((day) => day.starts)
      const start = starts.find((one) => one !== toMinutes(startsAt))
      return start === undefined ? [] : [{ personId: roster.ids[person]!, start }]
    })
    .sort((a, b) => a.start - b.start)
}

/**
 * The days of a service and the free starts of one of them, the wanted one or the first, for a slot to be chosen from;
 * `without` is an appointment that would be moved there: its own start is no other one.
 */
export async function offeredSlots(
  db: Db,
  service: Service,
  zone: number,
  wanted: string | null,
  without?: { id: string; startsAt: Date },
) {
  const [{ settings }, open] = await Promise.all([
    currentStaffing(db),
    offeredDays(db, service, zone, new Date(), { without: without?.id }),
  ])
  const own = without && toMinutes(without.startsAt)
  const days = open.map(({ date, starts }) => ({ date, starts: starts.filter((start) => start !== own) }))
  const free = days.filter(({ starts }) => starts.length > 0)
  const chosen = free.find(({ date }) => date === wanted) ?? free[0]
  return {
    minutes: settings.services[service].minutes,
    window: settings.arrivalWindowMinutes,
    days: days.map(({ date, starts }) => ({ date, free: starts.length })),
    chosen: chosen
      ? { date: chosen.date, starts: chosen.starts.map((start) => toDate(start).toISOString()) }
      : null,
    soonest: free[0]?.starts[0] === undefined ? null : toDate(free[0].starts[0]).toISOString(),
  }
}

/**
 * An appointment to place: a service in a zone at an epoch minute; `without` is the appointment itself when it exists
 * already.
 */
export type Placement = {
  service: Service
  zone: number
  start: number
  without?: string
  promised?: boolean
  notBefore?: number
  /** Its duration where that is promised too; the service's setting may have changed. */
  minutes?: number
}

export type SlotQuestion = { staffing: Staffing; ask: Ask; busy: Busy }

/** The staffing and the appointments that can matter to a placement, as committed now. */
export async function questionFor(db: Db, placement: Placement, now: Date): Promise<SlotQuestion> {
  return (await questionAt(db, placement, now))(placement)
}

/** The same for a placement of which only the time is known yet. */
export async function questionAt(db: Db, time: Pick<Placement, 'start' | 'minutes' | 'without'>, now: Date) {
  const day = dayOf(time.start)
  const busy = await loadBusy(db.$client, { ...rangeOf(day, time), now })
  const staffing = await staffingAt(db, busy.version)
  return (placement: Placement): SlotQuestion => ({
    staffing,
    ask: askOn(day, staffing, placement, now),
    busy: busy.of(staffing),
  })
}

/** The engine's question for the one day of a placement. */
export const askOn = (
  day: LocalDay,
  { settings, travel }: Pick<Staffing, 'settings' | 'travel'>,
  { minutes, notBefore, promised, service, zone }: Placement,
  now: Date,
): Ask => ({
  service,
  zone,
  now: toMinutes(now),
  days: [day],
  settings: minutes === undefined ? settings : lasting(settings, service, minutes),
  travel,
  ...(promised && { promised }),
  ...(notBefore !== undefined && { notBefore }),
})

/** The same, on whatever day it falls. */
export const askOnItsDay = (
  staffing: Pick<Staffing, 'settings' | 'travel'>,
  placement: Placement,
  now: Date,
) => askOn(dayOf(placement.start), staffing, placement, now)

const lasting = (settings: Settings, service: Service, minutes: number): Settings => ({
  ...settings,
  services: { ...settings.services, [service]: { ...settings.services[service], minutes } },
})

/** How far apart two appointments can be and still be in each other's way: the longest ride and pause there can be. */
const reach = travelRange[1] + ranges.bufferMinutes[1]

/** The placement's day, whose appointments are counted, and what is near it over midnight. */
const rangeOf = (
  day: LocalDay,
  { start, minutes = ranges.minutes[1], without }: Pick<Placement, 'start' | 'minutes' | 'without'>,
) => ({
  from: Math.min(day.start, start - reach),
  to: Math.max(day.end, start + minutes + reach),
  without,
})

/** The people who can take it, the best first: least added travel, then least load that day. */
export const candidates = ({ staffing, busy, ask }: SlotQuestion, start: number): SlotCandidate[] =>
  rank(staffing.roster, busy, start, ask)

/** The answers being worked out for a database, by what was asked. */
const looking = new WeakMap<Db, Map<string, Promise<number[]>>>()

/**
 * The three free slots nearest to a wanted time, seen over the whole horizon. A crowd that lost the same slot in the same
 * minute shares the answer while it is being worked out: for the first of them too that slot was gone.
 */
export async function nearestSlots(db: Db, placement: Placement, now: Date): Promise<number[]> {
  const { service, zone, start, without } = placement
  const shared = looking.get(db) ?? new Map<string, Promise<number[]>>()
  looking.set(db, shared)
  const key = JSON.stringify([service, zone, start, without, toMinutes(now)])
  const known = shared.get(key)
  if (known) return known
  const answer = offeredDays(db, service, zone, now, { without })
    .then((days) => nearestFree(days, start, 3))
    .finally(() => shared.delete(key))
  shared.set(key, answer)
  return answer
}

/**
 * Changes of the staffing wait for a transaction that holds this lock, and the other way round. A transaction that also
 * locks an appointment takes this lock first, with its `begin`: a change of the staffing locks the appointments last.
 */
export const lockingStaffing = 'select pg_advisory_xact_lock_shared(726002)'

/** What a change of the staffing itself holds: no booking is between check and commit meanwhile. */
export const lockingAllStaffing = 'select pg_advisory_xact_lock(726002)'

/**
 * The statement that locks one person's day, and the adjacent days whose appointments are read: a transaction that
 * checks that person on one of these days next waits for this one. Only one person is locked at a time and a day before
 * the next, so no two bookings deadlock. As text, so that it can be sent with the `begin`.
 */
export const lockingDay = (personId: string, placement: Placement) => {
  const { from, to } = rangeOf(dayOf(placement.start), placement)
  const keys = datesIn(from, to).map((date) => pg.escapeLiteral(`${personId} ${date}`))
  const days = keys.map((key) => `select pg_advisory_xact_lock(hashtextextended(${key}, 726003))`)
  return [lockingStaffing, ...days].join('; ')
}

/** Holds several people's day and the days near it at once, in the order of their ids: two that do so wait for one another, not both for ever. */
export async function lockDays(tx: Tx, people: readonly string[], date: string): Promise<void> {
  const { end, start } = daysOn(date, 1)[0]!
  const dates = datesIn(start - reach, end + ranges.minutes[1] + reach)
  const days = [...new Set(people)].sort().flatMap((person) => dates.map((each) => `${person} ${each}`))
  await tx.$client.query(
    'select pg_advisory_xact_lock(hashtextextended(day, 726003)) from unnest($1::text[]) day',
    [days],
  )
}

/** The local dates from one minute to another, which is not part of it. */
function datesIn(from: number, to: number): string[] {
  const last = localDate(to - 1)
  const dates = [localDate(from)]
  while (dates.at(-1)! < last) dates.push(addDays(dates.at(-1)!, 1))
  return dates
}

/**
 * Returns the reasons against a placement as committed now, the person's day being locked: empty means that it can be
 * written. Null when the staffing is no longer the one the choice was made with.
 */
export async function checkLocked(
  tx: Tx,
  staffing: Staffing,
  placement: Placement,
  personId: string,
  now: Date,
): Promise<Reason[] | null> {
  const person = staffing.indexOf.get(personId)
  if (person === undefined) return null
  const day = dayOf(placement.start)
  const busy = await loadBusyOf(tx.$client, staffing, personId, { ...rangeOf(day, placement), now })
  return busy && whyNot(staffing.roster, busy, person, placement.start, askOn(day, staffing, placement, now))
}

/** Holds one person's day, and checks it. */
export async function lockAndCheck(
  tx: Tx,
  staffing: Staffing,
  placement: Placement,
  personId: string,
  now: Date,
): Promise<Reason[] | null> {
  await tx.$client.query(lockingDay(personId, placement))
  return checkLocked(tx, staffing, placement, personId, now)
}

/** The same by the staffing as it is by then: a change of it since it was read is no reason to refuse. */
export const lockAndCheckNow = async (
  tx: Tx,
  known: Staffing,
  placement: Placement,
  personId: string,
  now: Date,
): Promise<Reason[] | null> =>
  (await lockAndCheck(tx, known, placement, personId, now)) ??
  (await checkLocked(tx, await staffingInside(tx, known), placement, personId, now))

/** The attempts of this process, by person and local date, with their start (epoch minutes). */
const attempts = new Map<string, { start: number; ended: Promise<unknown> }>()

/**
 * Tries the first of some people for a start, best first, unless another booking of this process tries that person's
 * day. One at the very same start is about to take the person, so the next one is tried; where all are about to be
 * taken, or another start is tried, it waits. After a wait the answer is `again`: search again. So many requests for
 * one slot wait here, in memory, and not at a lock with a database connection each; between processes the lock decides.
 */
export async function tryBest<Result>(
  people: readonly { id: string }[],
  date: string,
  start: number,
  run: (personId: string) => Promise<Result>,
): Promise<Result | 'again'> {
  const keyOf = ({ id }: { id: string }) => `${id} ${date}`
  const best = people.find((one) => attempts.get(keyOf(one))?.start !== start)
  if (!best) {
    // Waits for all of them: a search after each would repeat as often as there are people, only to find the last one
    // taken too.
    await Promise.all(people.map((one) => attempts.get(keyOf(one))?.ended))
    return 'again'
  }
  const other = attempts.get(keyOf(best))
  if (other) {
    await other.ended
    return 'again'
  }
  const result = run(best.id)
  const ended = result.catch(() => undefined).finally(() => attempts.delete(keyOf(best)))
  attempts.set(keyOf(best), { start, ended })
  return result
}
