import fc from 'fast-check'
import { performers, serviceFacts, services } from '../../src/appointments/rules/appointment.ts'
import type { Ask } from '../../src/scheduling/rules/availability.ts'
import {
  type BusyRow,
  busyOf,
  type PersonRow,
  rosterOf,
  zoneCount,
} from '../../src/scheduling/rules/roster.ts'
import { defaultSettings, type Settings } from '../../src/settings/rules/settings-schema.ts'
import { daysFrom, minuteAt } from '../../src/shared/calendar.ts'
import { cases } from '../kit/dice.ts'

/** A fixture as rows and as the engine wants it. */
export type SmallWorld = { people: PersonRow[]; rows: BusyRow[]; ask: Ask }

export const packed = ({ people, rows }: SmallWorld) => ({
  roster: rosterOf(people),
  busy: busyOf(people.length, rows),
})

/** Where things go wrong: ends of month and year, leap days, holidays, and years when Mexico still changed its clocks. */
const moments = [
  '2026-11-14T10:10', // third Monday of November on the 16th
  '2026-12-30T08:00',
  '2028-02-27T23:50', // leap day on the 29th
  '2027-02-26T00:00',
  '2024-09-29T12:01', // 1 October 2024: the handover of power
  '2026-04-29T17:29',
  '2021-04-02T15:00', // clocks go forward on the 4th, at 2 in the night
  '2022-10-28T11:00', // and back on the 30th
]
const usedZones = 4

const zone = fc.integer({ min: 0, max: usedZones - 1 })
const service = fc.constantFrom(...services)
/** Mostly quarters of an hour. Not before 3 in the morning: on a day when clocks change, the engine's wall clock is right from then on. */
const wall = fc.oneof(
  fc.integer({ min: 12, max: 96 }).map((quarter) => quarter * 15),
  fc.integer({ min: 180, max: 1440 }),
)
const between = fc
  .tuple(wall, wall)
  .map(([a, b]) => ({ from: Math.min(a, b, 1425), to: Math.max(a, b, Math.min(a, b) + 15) }))
const stretch = fc.oneof(between, fc.constant({ from: 180, to: 1440 }))
const hours = fc.array(fc.option(stretch, { freq: 5, nil: null }), { minLength: 7, maxLength: 7 })

/** One service's rules; those of a neighbour's must never count. */
const rules = fc.record({
  minutes: fc.constantFrom(20, 30, 45, 60, 240),
  noticeHours: fc.integer({ min: 0, max: 30 }),
  horizonDays: fc.integer({ min: 1, max: 5 }),
  dailyMax: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant(12)),
  freeChangeHours: fc.constant(24),
})

const settings: fc.Arbitrary<Settings> = fc
  .record({
    hours,
    stepMinutes: fc.constantFrom(15, 20, 30, 60),
    bufferMinutes: fc.constantFrom(0, 10, 15, 30),
    holidays: fc.subarray(['2026-12-31', '2028-02-28', '2021-04-03']),
    services: fc.record({ technical_visit: rules, installation: rules, videocall: rules }),
  })
  .map((own) => ({ ...defaultSettings, ...own }))

/** Minutes without any order: not symmetrical, not metric. */
const travel = fc
  .array(fc.oneof(fc.constantFrom(0, 15, 45), fc.nat(150)), {
    minLength: usedZones ** 2,
    maxLength: usedZones ** 2,
  })
  .map((minutes) => {
    const matrix = new Uint16Array(zoneCount ** 2)
    for (const [i, value] of minutes.entries())
      matrix[Math.floor(i / usedZones) * zoneCount + (i % usedZones)] = value
    return matrix
  })

/** Minutes up to a multiple of 15, most of them such that things fit exactly. */
const minutesUpTo = (max: number) =>
  fc.oneof(
    fc.nat(max / 15).map((n) => n * 15),
    fc.nat(max / 5).map((n) => n * 5),
    fc.nat(max),
  )

const untilMidnight = -1
const gap = fc.oneof(fc.constantFrom(0, untilMidnight), minutesUpTo(300), minutesUpTo(1500))

const spanIn = (first: number) =>
  fc
    .tuple(minutesUpTo(7995), minutesUpTo(1995))
    .map(([from, length]) => ({ start: first - 1005 + from, end: first - 1005 + from + Math.max(length, 1) }))

const anyShifts = fc.array(
  stretch.chain((span) => fc.nat(6).map((weekday) => ({ ...span, weekday }))),
  { maxLength: 14 },
)
/** Every day before and after lunch: nothing may reach across it. */
const withLunch = fc
  .record({ from: minutesUpTo(240), lunch: minutesUpTo(120), rest: minutesUpTo(90), to: minutesUpTo(360) })
  .map(({ from, lunch, rest, to }) =>
    [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => [
      { weekday, from: 300 + from, to: 720 + lunch },
      { weekday, from: 720 + lunch + rest, to: 1080 + to },
    ]),
  )

/** Valid for whole days, some of them counting no longer. */
const paperIn = (first: number) => {
  const day = fc.integer({ min: -1, max: 7 }).map((n) => daysFrom(first, 9)[n]?.start ?? first - 1440)
  const until = fc.constantFrom(null, null, first, first + 1440)
  return fc.record({
    services: fc.subarray([...services]),
    valid: fc.array(fc.record({ start: day, end: day, until }), { maxLength: 2 }),
  })
}

const personOf = (first: number) =>
  fc.record({
    kind: fc.constantFrom(...performers, 'tecnician' as const),
    active: fc.nat(9).map((roll) => roll > 0),
    zones: fc.oneof(fc.constant([]), fc.uniqueArray(zone)),
    shifts: fc.oneof(anyShifts, withLunch),
    timeOff: fc.array(spanIn(first), { maxLength: 2 }),
    papers: fc.oneof(fc.constant([]), fc.array(paperIn(first), { maxLength: 2 })),
  })

const length = minutesUpTo(240).map((minutes) => Math.max(minutes, 5))
const anywhere = fc.oneof(zone, fc.constant(-1))
/** By how much it is expected to end later than planned. */
const delay = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: minutesUpTo(120) })
const aFewRows = fc.array(fc.record({ gap, length, delay, zone: anywhere, service }), { maxLength: 10 })
/** A week with hardly a gap in it, and that gap nearly always too small. */
const nearlyFull = fc.array(
  fc.record({
    gap: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: minutesUpTo(240) }),
    length: fc.constantFrom(120, 240, 480),
    delay,
    zone: anywhere,
    service,
  }),
  { minLength: 30, maxLength: 50 },
)

/** One person's appointments, one after another from the day before on; some touch, some meet midnight, none overlap. */
const busyFrom = (first: number) =>
  fc.oneof({ weight: 4, arbitrary: aFewRows }, { weight: 1, arbitrary: nearlyFull }).map((steps) => {
    let at = first - 1440
    return steps.map(({ delay, gap, length, ...rest }) => {
      const start = gap === untilMidnight ? first + Math.ceil((at - first) / 1440) * 1440 : at + gap
      at = start + length
      return { ...rest, start, end: at, until: at + delay }
    })
  })

/** Small random fixtures, full of edges. */
export const smallWorld: fc.Arbitrary<SmallWorld> = fc.constantFrom(...moments).chain((moment) => {
  const [date, time] = moment.split('T') as [string, string]
  const now = minuteAt(date, time)
  const days = daysFrom(now, 7)
  return fc
    .record({
      people: fc.array(fc.tuple(personOf(days[0]!.start), busyFrom(days[0]!.start)), {
        minLength: 1,
        maxLength: 3,
      }),
      service,
      zone,
      settings,
      travel,
      promised: fc.nat(4).map((roll) => roll === 0),
    })
    .map(({ people, promised, zone, ...ask }) => ({
      people: people.map(([person], index) => ({ ...person, id: `person-${index}` })),
      rows: people.flatMap(([, rows], person) => rows.map((row) => ({ ...row, person }))),
      ask: {
        ...ask,
        now,
        zone: serviceFacts[ask.service].needsTravel ? zone : -1,
        days,
        ...(promised && { promised }),
      },
    }))
})

/** Checks so many small fixtures, each with some number to choose by. */
export const inSmallWorlds = (usual: number, check: (fixture: SmallWorld, nth: number) => void) =>
  fc.assert(fc.property(smallWorld, fc.nat(), check), cases(usual))
