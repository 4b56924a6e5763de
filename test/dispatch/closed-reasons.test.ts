import { type Ask, openSlots } from '../../src/scheduling/rules/availability.ts'
import {
  isHard,
  type ReasonCode,
  rank,
  reasons,
  reasonWords,
  whyNot,
} from '../../src/scheduling/rules/eligibility.ts'
import {
  type BusyRow,
  busyOf,
  defaultTravel,
  noZone,
  type PersonRow,
  rosterOf,
  travelBetween,
  zoneCount,
} from '../../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import { daysFrom, minuteAt } from '../../src/shared/calendar.ts'
import { municipalities } from '../../src/shared/places.ts'

const at = minuteAt
const tuesday = '2026-11-24'
const coyoacan = 3

const technician: PersonRow = {
  id: 'b',
  kind: 'tecnician',
  active: true,
  zones: [],
  // With lunch from 14:00 to 15:00.
  shifts: [0, 1, 2, 3, 4, 5, 6].flatMap((weekday) => [
    { weekday, from: 540, to: 840 },
    { weekday, from: 900, to: 1080 },
  ]),
  timeOff: [],
}
const travel = defaultTravel()
const ask: Ask = {
  service: 'technical_visit',
  zone: coyoacan,
  now: at('2026-11-20', '10:00'),
  days: daysFrom(at('2026-11-20', '10:00'), 31),
  settings: defaultSettings,
  travel,
}
const visit = (date: string, time: string, zone = coyoacan, minutes = 60): BusyRow => {
  const start = at(date, time)
  return { person: 0, start, end: start + minutes, zone, service: 'technical_visit' }
}

/** A paper that every visit needs, valid until the end of a day. */
const until = (date: string) => ({
  services: ['technical_visit' as const],
  valid: [{ start: at('2026-01-01', '00:00'), end: at(date, '23:59'), until: null }],
})

const why = (
  time: string,
  change: Partial<PersonRow> = {},
  rows: BusyRow[] = [],
  other: Partial<Ask> = {},
  date = tuesday,
) =>
  whyNot(rosterOf([{ ...technician, ...change }]), busyOf(1, rows), 0, at(date, time), { ...ask, ...other })
const codes = (...asked: Parameters<typeof why>): ReasonCode[] => why(...asked).map(({ code }) => code)
const starts = (rows: BusyRow[], change: Partial<PersonRow> = {}, date = tuesday, other: Partial<Ask> = {}) =>
  openSlots(rosterOf([{ ...technician, ...change }]), busyOf(1, rows), { ...ask, ...other })
    .find((day) => day.date === date)!
    .starts.map((start) => start - at(date, '00:00'))

describe('why a person cannot take a time', () => {
  const timeOff = [{ start: at(tuesday, '09:30'), end: at(tuesday, '09:31') }]
  const four = ['09:00', '10:15', '11:30', '12:45'].map((time) => visit('2026-11-24', time))
  const cases: [ReasonCode, () => ReasonCode[]][] = [
    ['inactive', () => codes('09:00', { active: false })],
    ['wrong_kind', () => codes('09:00', { kind: 'analyst' })],
    ['zone', () => codes('09:00', { zones: [coyoacan + 1] })],
    ['shift', () => codes('13:30')],
    ['paper', () => codes('09:00', { papers: [until('2026-11-24'), until('2026-11-23')] })],
    ['time_off', () => codes('09:00', { timeOff })],
    ['calendar', () => codes('09:00', { busy: timeOff })],
    ['holiday', () => codes('09:00', {}, [], { promised: true }, '2026-12-25')],
    ['holiday', () => codes('09:00', {}, [], { settings: { ...defaultSettings, holidays: [tuesday] } })],
    ['daily_max', () => codes('16:30', {}, four)],
    ['overlap', () => codes('09:00', {}, [visit(tuesday, '09:30')])],
    ['travel_before', () => codes('10:00', {}, [visit(tuesday, '09:00')])],
    ['delayed', () => codes('11:00', {}, [{ ...visit(tuesday, '09:00'), until: at(tuesday, '10:45') }])],
    ['travel_after', () => codes('09:00', {}, [visit(tuesday, '10:00')])],
    ['notice', () => codes('09:30', {}, [], {}, '2026-11-21')],
    ['horizon', () => codes('09:00', {}, [], {}, '2026-12-21')],
    ['hours', () => codes('10:00', {}, [], {}, '2026-11-29')],
    ['grid', () => codes('09:07')],
  ]
  test.each(cases)('%s', (code, found) => expect(found()).toEqual([code]))

  test('has a case for every reason', () =>
    expect(new Set(cases.map(([code]) => code))).toEqual(new Set(Object.keys(reasons))))

  test('lists all reasons at once', () =>
    expect(codes('18:07', { active: false, zones: [0] }, [], {}, '2026-11-29')).toEqual([
      'inactive',
      'zone',
      'shift',
      'hours',
      'grid',
    ]))

  test('names the missing minutes of travel, in words too', () => {
    // 15 within one municipality and a buffer of 15.
    expect(why('10:00', {}, [visit(tuesday, '09:00')])).toEqual([{ code: 'travel_before', missing: 30 }])
    expect(reasonWords({ code: 'travel_before', missing: 30 })).toBe(
      'No llega a tiempo desde su cita anterior (le faltan 30\u00a0min)',
    )
    expect(reasonWords({ code: 'holiday' })).toBe('Es día festivo')
  })

  test('has the hard reasons overlap, time off, inactivity and another trade', () =>
    expect((Object.keys(reasons) as ReasonCode[]).filter((code) => isHard({ code }))).toEqual([
      'inactive',
      'wrong_kind',
      'overlap',
      'time_off',
    ]))
})

test('offers starts with time to arrive and to leave, to the minute', () => {
  // 11:00 needs 30 minutes before and after: 10:30 and 12:30 are exactly enough.
  for (const [before, next, after, offered] of [
    [90, '12:30', 90, true],
    [91, '12:30', 90, false],
    [90, '12:29', 91, false],
  ] as const) {
    const rows = [visit(tuesday, '09:00', coyoacan, before), visit(tuesday, next, coyoacan, after)]
    expect(starts(rows).includes(660)).toBe(offered)
  }
})

const three = ['c', 'a', 'b'].map((id) => ({ ...technician, id }))
const ranked = (rows: BusyRow[]) =>
  rank(rosterOf(three), busyOf(3, rows), at(tuesday, '12:00'), ask).map(({ addedTravel, id, load }) => [
    id,
    addedTravel,
    load,
  ])

test('the ranking sorts by added travel, then load of the day, then id', () => {
  expect(ranked([])).toEqual(['a', 'b', 'c'].map((id) => [id, 0, 0]))
  const far = visit(tuesday, '09:00', 13, 30)
  const near = visit(tuesday, '09:00', coyoacan, 30)
  expect(ranked([far, { ...near, person: 1 }])).toEqual([
    ['b', 0, 0],
    ['a', 15, 1],
    ['c', travel[13 * zoneCount + coyoacan], 1],
  ])
  const morning = near
  const afternoon = visit(tuesday, '16:00', coyoacan, 30)
  expect(ranked([morning, { ...morning, person: 1 }, { ...afternoon, person: 1 }])).toEqual([
    ['b', 0, 0],
    ['c', 15, 1],
    ['a', 15, 2],
  ])
})

test('the ranking counts only the detour between two visits, and no travel of other days', () => {
  const rows = [visit(tuesday, '09:00', 13, 30), visit(tuesday, '16:00', 13)]
  const others = [visit('2026-11-23', '16:00', 13), visit('2026-11-25', '09:00', 13)]
  const detour = travel[13 * zoneCount + coyoacan]! + travel[coyoacan * zoneCount + 13]! - 15
  expect(ranked([...rows, ...others])).toContainEqual(['c', detour, 2])
  expect(ranked(others)).toContainEqual(['c', 0, 0])
})

const zone = (slug: string) => municipalities.findIndex((one) => one.slug === slug)
const minutes = (from: string, to: string) => travelBetween(travel, zone(from), zone(to))

describe('default travel', () => {
  test('covers every pair of the 20 municipalities, both ways alike, 15 minutes within each and at least', () => {
    expect(travel).toHaveLength(zoneCount ** 2)
    expect(zoneCount).toBe(20)
    for (let a = 0; a < zoneCount; a++) {
      expect(travelBetween(travel, a, a)).toBe(15)
      for (let b = 0; b < zoneCount; b++)
        expect(travelBetween(travel, a, b)).toBe(travelBetween(travel, b, a))
    }
    expect(Math.min(...travel)).toBe(15)
  })

  test('matches distances on the map', () => {
    // Straight-line kilometres between the town halls, divided by 22 km/h, and ten minutes.
    expect(minutes('coyoacan', 'benito-juarez')).toBe(17)
    expect(Math.abs(minutes('tlalpan', 'cuauhtemoc') - 57)).toBeLessThan(6)
    expect(Math.abs(minutes('toluca', 'lerma') - 51)).toBeLessThan(6)
    expect(Math.abs(minutes('toluca', 'venustiano-carranza') - 168)).toBeLessThan(10)
    expect(minutes('toluca', 'tlahuac')).toBe(Math.max(...travel))
  })

  test('is zero from and to an appointment without a place', () => {
    expect(travelBetween(travel, noZone, 3)).toBe(0)
    expect(travelBetween(travel, 3, noZone)).toBe(0)
  })
})
