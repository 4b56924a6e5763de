import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ampacityOf,
  breakerFor,
  type Circuit,
  calculate,
  conductors,
  currentOf,
  dropOf,
} from '../../src/domain/reports/circuit.ts'

const circuit = (wish: Partial<Circuit>): Circuit => ({
  supply: 'two',
  kilowatts: 7,
  plateAmps: null,
  metres: 15,
  terminals75: false,
  ...wish,
})

// The worked cases of the product's design.
test.each([
  [{ plateAmps: 32, metres: 15, supply: 'two' }, 40, '8', 1.12],
  [{ plateAmps: 32, metres: 30, supply: 'two' }, 40, '8', 2.23],
  [{ plateAmps: 48, metres: 30, supply: 'two' }, 60, '4', 1.34],
  [{ plateAmps: 16, metres: 30, supply: 'single' }, 20, '10', 2.95],
] as const)('%j: breaker %i A, %s AWG, drop %f %%', (wish, breaker, gauge, drop) => {
  const found = calculate(circuit(wish))
  expect(found).toMatchObject({ breaker, conductor: gauge })
  expect(found.choices.find((one) => one.gauge === gauge)!.drop).toBeCloseTo(drop, 2)
})

test('the plate says the current; without it, it follows from the power', () => {
  expect(currentOf({ supply: 'two', kilowatts: 7.04, plateAmps: null })).toBeCloseTo(32)
  expect(currentOf({ supply: 'three', kilowatts: 22, plateAmps: null })).toBeCloseTo(57.74, 2)
  expect(currentOf({ supply: 'two', kilowatts: 22, plateAmps: 16 })).toBe(16)
})

test('75 °C counts only where both terminals are marked for it', () => {
  expect(calculate(circuit({ plateAmps: 40, terminals75: false })).conductor).toBe('6')
  expect(calculate(circuit({ plateAmps: 40, terminals75: true })).conductor).toBe('8')
  expect(ampacityOf('6', true)).toBe(65)
})

test('no breaker, and so no conductor, above 80 A', () => {
  expect(breakerFor(80)).toBe(100)
  expect(breakerFor(80.1)).toBeNull()
  expect(calculate(circuit({ plateAmps: 80.1 })).choices.some(({ carries }) => carries)).toBe(false)
})

test('the proposed conductor is the thinnest that carries the breaker and drops at most 3 %', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 6, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 300, noNaN: true }),
      fc.constantFrom('single' as const, 'split' as const, 'two' as const, 'three' as const),
      fc.boolean(),
      (plateAmps, metres, supply, terminals75) => {
        const asked = circuit({ plateAmps, metres, supply, terminals75 })
        const { breaker, conductor, choices } = calculate(asked)
        const good = choices.filter(({ carries, drop }) => carries && drop <= 3)
        expect(conductor).toBe(good[0]?.gauge ?? null)
        for (const { carries, gauge } of choices)
          expect(carries).toBe(breaker !== null && ampacityOf(gauge, terminals75) >= breaker)
        const drops = conductors.map(({ gauge }) => dropOf(gauge, asked, plateAmps))
        expect(drops).toEqual(drops.toSorted((a, b) => b - a))
      },
    ),
  )
})
