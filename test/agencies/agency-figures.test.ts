import { conversionOf, inMonths, monthsPeriod, monthsTotal } from '../../src/agencies/rules/agency.ts'

test.each([
  [null, ['2025-12', '2026-11', '2024-12', '2025-11', 12]],
  ['2024', ['2024-01', '2024-12', '2023-01', '2023-12', 12]],
])('the period of %s is twelve months and the twelve before', (year, ends) => {
  const { months, before } = monthsPeriod(year, '2026-11-22')
  expect([months[0], months.at(-1), before[0], before.at(-1), months.length]).toEqual(ends)
})

test('the period fills months without rows with zero, and leaves out rows of other months', () => {
  const months = inMonths(
    ['2026-01', '2026-02'],
    [
      { month: '2026-02', count: 3 },
      { month: '2025-02', count: 9 },
    ],
  )
  expect(months.map(({ count }) => count)).toEqual([0, 3])
  expect(monthsTotal(months)).toBe(3)
})

test('conversion gives each step as a percentage of all and of the step before', () => {
  const rows = conversionOf({ brought: 8, joined: 5, accepted: 2, installed: 1 })
  expect(rows.map(({ count, ofAll, ofBefore }) => [count, ofAll, ofBefore])).toEqual([
    [8, 100, null],
    [5, 63, 63],
    [2, 25, 40],
    [1, 13, 50],
  ])
})

test('conversion gives no percentage of zero clients', () => {
  const rows = conversionOf({ brought: 0, joined: 0, accepted: 0, installed: 0 })
  expect(rows.every(({ ofAll, ofBefore }) => ofAll === null && ofBefore === null)).toBe(true)
})
