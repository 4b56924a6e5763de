import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { staffKinds } from '../../src/domain/access/actor.ts'
import {
  conversionOf,
  inMonths,
  monthsPeriod,
  monthsTotal,
  percentageOf,
  sectionsFor,
} from '../../src/domain/agencies/agency.ts'

describe('the period', () => {
  test('the last twelve months, this one among them, and the twelve before', () => {
    const { months, before } = monthsPeriod(null, '2026-11-22')
    expect([months[0], months.at(-1), months.length]).toEqual(['2025-12', '2026-11', 12])
    expect([before[0], before.at(-1), before.length]).toEqual(['2024-12', '2025-11', 12])
  })

  test('a year is its own months', () => {
    const { months, before } = monthsPeriod('2024', '2026-11-22')
    expect([months[0], months.at(-1), before[0], before.at(-1)]).toEqual([
      '2024-01',
      '2024-12',
      '2023-01',
      '2023-12',
    ])
  })

  test('months without a row are nothing, and rows of other months are left out', () => {
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
})

describe('conversion', () => {
  test('each step as a share of all, and of the step before', () => {
    const rows = conversionOf({ brought: 8, joined: 5, accepted: 2, installed: 1 })
    expect(rows.map(({ count, ofAll, ofBefore }) => [count, ofAll, ofBefore])).toEqual([
      [8, 100, null],
      [5, 63, 63],
      [2, 25, 40],
      [1, 13, 50],
    ])
  })

  test('of nobody there is no share', () => {
    const rows = conversionOf({ brought: 0, joined: 0, accepted: 0, installed: 0 })
    expect(rows.every(({ ofAll, ofBefore }) => ofAll === null && ofBefore === null)).toBe(true)
  })

  test('a share is a whole number from 0 to 100, half-up', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (one, other) => {
        const [part, whole] = [Math.min(one, other), Math.max(one, other)]
        const share = percentageOf(part, whole)
        if (whole === 0) return share === null
        return share === Math.round((100 * part) / whole) && share >= 0 && share <= 100
      }),
    )
  })
})

test.each([
  ['manager', ['resumen', 'codigos', 'clientes', 'comisiones', 'integracion', 'datos']],
  ['analyst', ['resumen', 'codigos', 'clientes', 'datos']],
  ['tecnician', ['datos']],
  ['gester', ['datos']],
  ['alliate', ['resumen', 'codigos', 'clientes', 'comisiones', 'datos']],
] as const)('the parts that a %s finds, and no other', (kind, sections) => {
  expect(sectionsFor({ kind })).toEqual(sections)
})

test('every kind finds something', () => {
  for (const kind of staffKinds) expect(sectionsFor({ kind }).length).toBeGreaterThan(0)
})
