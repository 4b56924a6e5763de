import { openingOf, openSlots } from '../../src/scheduling/rules/availability.ts'
import { busyOf, defaultTravel, rosterOf } from '../../src/scheduling/rules/roster.ts'
import { defaultSettings } from '../../src/settings/rules/settings-schema.ts'
import {
  addDays,
  dayOf,
  daysFrom,
  daysOn,
  isHoliday,
  localDate,
  minuteAt,
  statutoryHolidays,
  toDate,
  toMinutes,
  wallMinute,
} from '../../src/shared/calendar.ts'
import { dayRanges, daysOfRange, withDays } from '../../src/shared/day-range.ts'
import { local } from '../scheduling/minute-by-minute.ts'

const utc = (text: string) => toMinutes(new Date(text))

describe.each(['UTC', 'America/Tijuana', 'Asia/Tokyo'])('on a machine in %s', (zone) => {
  const before = process.env.TZ
  afterEach(() => {
    process.env.TZ = before
  })
  const there = <T>(ask: () => T): T => {
    process.env.TZ = zone
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
    return ask()
  }

  test('a local day is Mexico City’s', () =>
    there(() => {
      expect(localDate(utc('2026-11-25T05:59:00Z'))).toBe('2026-11-24')
      expect(localDate(utc('2026-11-25T06:00:00Z'))).toBe('2026-11-25')
      expect(wallMinute(utc('2026-11-25T06:01:00Z'))).toBe(1)
      expect(dayOf(utc('2026-11-25T05:59:00Z'))).toEqual({
        date: '2026-11-24',
        weekday: 1,
        start: utc('2026-11-24T06:00:00Z'),
        end: utc('2026-11-25T06:00:00Z'),
        base: utc('2026-11-24T06:00:00Z'),
      })
      expect(minuteAt('2026-11-24', '18:00')).toBe(utc('2026-11-25T00:00:00Z'))
    }))

  test('the same slots are offered', () =>
    there(() => {
      const now = utc('2026-11-20T16:00:00Z')
      const shifts = [0, 1, 2, 3, 4].map((weekday) => ({ weekday, from: 540, to: 1080 }))
      const person = { id: 'a', kind: 'tecnician' as const, active: true, zones: [], shifts, timeOff: [] }
      const ask = {
        service: 'technical_visit' as const,
        zone: 0,
        now,
        days: daysFrom(now, 5),
        settings: defaultSettings,
        travel: defaultTravel(),
      }
      const days = openSlots(rosterOf([person]), busyOf(1, []), ask)
      expect(days.map(({ date, starts }) => [date, starts.length])).toEqual([
        ['2026-11-20', 0],
        ['2026-11-21', 0],
        ['2026-11-22', 0],
        ['2026-11-23', 17],
        ['2026-11-24', 17],
      ])
      expect(toDate(days[3]!.starts[0]!).toISOString()).toBe('2026-11-23T15:00:00.000Z')
    }))
})

describe('days', () => {
  test('months, years and leap days follow one another', () => {
    const dates = (first: string) => daysOn(first, 3).map(({ date }) => date)
    expect(dates('2028-02-28')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01'])
    expect(dates('2027-02-28')).toEqual(['2027-02-28', '2027-03-01', '2027-03-02'])
    expect(dates('2026-12-30')).toEqual(['2026-12-30', '2026-12-31', '2027-01-01'])
    expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
  })

  test('each begins where the one before ends, and starts at midnight', () => {
    const days = daysFrom(minuteAt('2020-01-01', '12:00'), 3000)
    for (const [i, day] of days.entries()) {
      if (i > 0) expect(day.start).toBe(days[i - 1]!.end)
      expect(local(day.start)).toEqual({ date: day.date, weekday: day.weekday, wall: 0 })
    }
  })

  test('working hours are right on days when clocks changed', () => {
    for (const [date, length] of [
      ['2021-04-04', 1380],
      ['2021-10-31', 1500],
      ['2026-04-05', 1440],
    ] as const) {
      const [day] = daysOn(date, 1)
      expect(day!.end - day!.start).toBe(length)
      expect(local(day!.base + 9 * 60)).toMatchObject({ date, wall: 9 * 60 })
      expect(minuteAt(date, '09:00')).toBe(day!.base + 9 * 60)
    }
  })

  test('a day that is open round the clock never reaches into its neighbours', () => {
    const settings = { ...defaultSettings, hours: defaultSettings.hours.map(() => ({ from: 0, to: 1440 })) }
    for (const day of ['2021-04-04', '2021-10-31', '2026-11-24'].flatMap((date) => daysOn(date, 1))) {
      const opening = openingOf(day, settings)!
      expect(opening.start).toBeGreaterThanOrEqual(day.start)
      expect(opening.end).toBe(day.end)
    }
  })

  test('minutes are rounded down, before 1970 too', () => {
    expect(toMinutes(new Date(59_999))).toBe(0)
    expect(toMinutes(new Date(-1))).toBe(-1)
  })
})

describe('holidays', () => {
  test.each([
    [2024, '01-01 02-05 03-18 05-01 09-16 10-01 11-18 12-25'],
    [2025, '01-01 02-03 03-17 05-01 09-16 11-17 12-25'],
    [2026, '01-01 02-02 03-16 05-01 09-16 11-16 12-25'],
    [2027, '01-01 02-01 03-15 05-01 09-16 11-15 12-25'],
  ])('of %i', (year, dates) =>
    expect(statutoryHolidays(year)).toEqual(dates.split(' ').map((date) => `${year}-${date}`)),
  )

  test('power is handed over every six years', () => {
    const years = Array.from({ length: 20 }, (_, n) => 2018 + n)
    expect(years.filter((year) => isHoliday(`${year}-10-01`, []))).toEqual([2024, 2030, 2036])
  })

  test('the company adds its own', () => {
    expect(isHoliday('2026-12-24', [])).toBe(false)
    expect(isHoliday('2026-12-24', ['2026-12-24'])).toBe(true)
  })
})

// Monday the 23rd; in Mexico City it is still Sunday until 6:00 UTC.
const sunday = new Date('2026-11-23T05:59:00Z')
const monday = new Date('2026-11-23T06:00:00Z')

test('ranges are days of Mexico City, and weeks begin on Monday', () => {
  const names = Object.keys(dayRanges) as (keyof typeof dayRanges)[]
  const at = (now: Date) => names.map((name) => daysOfRange(name, now).join(' '))
  expect(at(sunday)).toEqual([
    '2026-11-21 2026-11-21',
    '2026-11-22 2026-11-22',
    '2026-11-23 2026-11-23',
    '2026-11-16 2026-11-22',
    '2026-11-23 2026-11-29',
  ])
  expect(at(monday)).toEqual([
    '2026-11-22 2026-11-22',
    '2026-11-23 2026-11-23',
    '2026-11-24 2026-11-24',
    '2026-11-23 2026-11-29',
    '2026-11-30 2026-12-06',
  ])
})

test.each([
  [{ from: '2026-11-25' }, { from: '2026-11-25' }],
  [{ range: 'semana' }, { from: '2026-11-23', to: '2026-11-29' }],
  [
    { range: 'semana', from: '2026-11-25', to: '2026-12-25' },
    { from: '2026-11-25', to: '2026-11-29' },
  ],
  [
    { range: 'hoy', from: '2026-11-25', text: 'x' },
    { from: '2026-11-25', to: '2026-11-23', text: 'x' },
  ],
] as const)('%o are the days of %o', (asked, days) => expect(withDays(asked, monday)).toEqual(days))
