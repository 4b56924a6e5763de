import { expect, test } from 'vitest'
import { dayRanges, daysOfRange, withDays } from '../../src/domain/shared/day-range.ts'

// Monday the 23rd; in Mexico City it is still Sunday until 6:00 UTC.
const sunday = new Date('2026-11-23T05:59:00Z')
const monday = new Date('2026-11-23T06:00:00Z')

test('ranges are days of Mexico City, and weeks begin on Monday', () => {
  const at = (now: Date) =>
    (Object.keys(dayRanges) as (keyof typeof dayRanges)[]).map((name) => daysOfRange(name, now).join(' '))
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
] as const)('%o are the days of %o', (asked, days) => {
  expect(withDays(asked, monday)).toEqual(days)
})
