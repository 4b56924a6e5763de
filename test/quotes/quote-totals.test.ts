import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChargedLine, DiscountLine, QuoteLine } from '../../src/domain/quotes/content.ts'
import {
  depositOf,
  discountLabel,
  discountShareOf,
  discountsOf,
  grossOf,
  priceWithIva,
  spread,
  sumRows,
  totalsOf,
  totalsOfOption,
} from '../../src/domain/quotes/totals.ts'

const charged = (quantity: number, unitPrice: number, iva: 16 | 0 = 16, id = 'a'): ChargedLine => ({
  id,
  kind: 'material',
  description: 'Cable',
  unit: 'm',
  quantity,
  unitPrice,
  iva,
  satProduct: '26121600',
  satUnit: 'MTR',
})
const neither = { amount: null, percent: null }
const taken = (what: { amount: number } | { percent: number }): DiscountLine => ({
  id: 'd',
  kind: 'discount',
  description: 'Descuento',
  ...neither,
  ...(what as { amount: number; percent: null }),
})

const lines: fc.Arbitrary<QuoteLine[]> = fc
  .tuple(
    fc.array(
      fc
        .tuple(
          fc.integer({ min: 1, max: 9_999_999 }),
          fc.integer({ min: 0, max: 9_999_999_999 }),
          fc.constantFrom(16 as const, 0 as const),
        )
        .map(([quantity, price, iva]) => charged(quantity, price, iva)),
      { minLength: 1, maxLength: 60 },
    ),
    fc.array(
      fc.oneof(
        fc.integer({ min: 1, max: 9_999_999_999 }).map((amount) => taken({ amount })),
        fc.integer({ min: 1, max: 10_000 }).map((percent) => taken({ percent })),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([some, discounts]) => [...some, ...discounts])

describe('what lines come to', () => {
  test.each([
    // 13.5 m at $48.3750: 653.0625 -> 653.06
    [
      'a quantity with decimals',
      [charged(13_500, 483_750)],
      { subtotal: 653_06, iva: 104_49, total: 757_55 },
    ],
    // 0.005 pesos is half a centavo: up.
    ['half a centavo goes up', [charged(1000, 50)], { subtotal: 1, iva: 0, total: 1 }],
    [
      'IVA is rounded line by line',
      [charged(1000, 300), charged(1000, 300)],
      { subtotal: 6, iva: 0, total: 6 },
    ],
    ['without IVA', [charged(1000, 1_000_0000, 0)], { subtotal: 1_000_00, iva: 0, total: 1_000_00 }],
    [
      'a percentage is taken before IVA',
      [charged(1000, 1_000_0000), taken({ percent: 10_00 })],
      { subtotal: 1_000_00, discount: 100_00, net: 900_00, iva: 144_00, total: 1_044_00 },
    ],
    [
      'no discount takes more than there is',
      [charged(1000, 100_0000), taken({ amount: 500_00 })],
      { subtotal: 100_00, discount: 100_00, net: 0, iva: 0, total: 0 },
    ],
  ])('%s', (_, some, expected) => expect(totalsOf(some)).toMatchObject(expected))

  test('sums agree to the centavo, for any lines', () => {
    fc.assert(
      fc.property(lines, (some) => {
        const { discount, iva, lines: worked, net, subtotal, total } = totalsOf(some)
        const sum = (of: 'gross' | 'discount' | 'net' | 'iva' | 'total') =>
          worked.reduce((all, line) => all + line[of], 0)
        expect(sum('gross')).toBe(subtotal)
        expect(sum('discount')).toBe(discount)
        expect(sum('net')).toBe(net)
        expect(sum('iva')).toBe(iva)
        expect(sum('total')).toBe(total)
        for (const line of worked) {
          expect(Number.isSafeInteger(line.total)).toBe(true)
          expect(line.discount).toBeGreaterThanOrEqual(0)
          expect(line.net).toBeGreaterThanOrEqual(0)
          // Half-up: off by at most half a centavo, upwards at the half.
          const off = 100 * line.iva - line.net * line.line.iva
          expect(off).toBeGreaterThan(-50)
          expect(off).toBeLessThanOrEqual(50)
        }
      }),
    )
  })

  test('a line is rounded half-up, once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999 }),
        fc.integer({ min: 0, max: 9_999_999_999 }),
        (quantity, unitPrice) => {
          const off =
            100_000n * BigInt(grossOf({ quantity, unitPrice })) - BigInt(quantity) * BigInt(unitPrice)
          expect(off > -50_000n && off <= 50_000n).toBe(true)
        },
      ),
    )
  })
})

test('shares of an amount are whole, add up, and differ from the exact ones by less than one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_000_000_00 }), { minLength: 1, maxLength: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (weights, part) => {
        const whole = weights.reduce((a, b) => a + b, 0)
        const amount = Math.floor(whole * part)
        const shares = spread(amount, weights)
        expect(shares.reduce((a, b) => a + b, 0)).toBe(amount)
        for (const [n, share] of shares.entries()) {
          expect(share).toBeLessThanOrEqual(weights[n]!)
          if (whole > 0) expect(Math.abs(share - (amount * weights[n]!) / whole)).toBeLessThan(1.001)
        }
      },
    ),
  )
})

describe('an option', () => {
  const addOns = [charged(1000, 500_0000, 16, 'surge'), charged(1000, 200_0000, 16, 'lock')]
  const option = { lines: [charged(1000, 1_000_0000), taken({ percent: 50_00 })], addOns }
  test.each([
    [[], 580_00],
    [['surge'], 1_160_00],
    [['surge', 'lock'], 1_392_00],
    [['unknown'], 580_00],
  ])('with %j comes to %i centavos: nothing is taken off what is added', (chosen, total) =>
    expect(totalsOfOption(option, chosen).total).toBe(total),
  )
})

test.each([
  [1_000_01, 50, 500_01],
  [1_000_00, 0, 0],
  [1_000_00, 100, 1_000_00],
  [99, 33, 33],
])('of %i centavos, %i %% is %i', (total, percent, deposit) =>
  expect(depositOf(total, percent)).toBe(deposit),
)

test.each([
  [200_00, 1_000_00, 20_00],
  [200_01, 1_000_00, 20_01],
  [1, 9_999_99, 1],
  [5_000_00, 1_000_00, 100_00],
])('%i centavos off %i count as %i hundredths of a percent', (amount, subtotal, share) =>
  expect(discountShareOf([charged(1000, subtotal * 100), taken({ amount })])).toBe(share),
)

test('each discount is told by what it takes off, together the whole, and never more than there is', () => {
  const off = [taken({ percent: 33_33 }), taken({ amount: 80_00 }), taken({ amount: 50_00 })]
  const amountsOf = (cents: number) =>
    discountsOf([charged(1000, cents * 100), ...off]).map(({ amount }) => amount)
  expect(amountsOf(300_01)).toEqual([99_99, 80_00, 50_00])
  expect(amountsOf(150_00)).toEqual([50_00, 80_00, 20_00])
})

test('where nothing is taken off, or nothing charged, it is no share', () => {
  expect(discountShareOf([charged(1000, 100_0000)])).toBe(0)
  expect(discountShareOf([taken({ percent: 10_00 })])).toBe(0)
})

test('percentages of any sum count as what they say, also together, and a centavo more as more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 49_99 }),
      fc.integer({ min: 1, max: 50_00 }),
      fc.integer({ min: 1, max: 9_999_999 }),
      (one, other, cents) => {
        const lines = [charged(1000, cents * 100), taken({ percent: one }), taken({ percent: other })]
        expect(discountShareOf(lines)).toBe(one + other)
        expect(discountShareOf([...lines, taken({ amount: 1 })])).toBeGreaterThan(one + other)
      },
    ),
  )
})

test('a further metre is told with IVA', () => expect(priceWithIva(301_7241, 16)).toBe(350_00))

test('who adds up the rows of an option with a pencil finds its total', () => {
  fc.assert(
    fc.property(lines, (of) => {
      const option = { lines: of, addOns: [charged(1000, 500_0000, 16, 'added')] }
      for (const chosen of [[], ['added']]) {
        const totals = totalsOfOption(option, chosen)
        const [subtotal, ...rows] = sumRows(option, totals)
        const total = rows.pop()!
        const net = rows.findIndex(({ label }) => label === 'Subtotal con descuento')
        expect(subtotal!.amount).toBe(totals.lines.reduce((sum, { gross }) => sum + gross, 0))
        // A subtotal after discounts repeats what stands above it.
        const added = rows.filter((_, at) => at !== net).reduce((sum, { amount }) => sum + amount, 0)
        expect([subtotal!.amount + added, total.isTotal]).toEqual([total.amount, true])
        expect(total.amount).toBe(totals.total)
        if (net >= 0) expect(rows[net]!.amount).toBe(totals.net)
      }
    }),
  )
})

test('a discount says what it is once', () => {
  const words = (line: Partial<DiscountLine>) =>
    discountLabel({ ...taken({ percent: 5_00 }), ...line } as DiscountLine)
  expect(words({ description: 'Descuento por volumen' })).toBe('Descuento por volumen, 5\u00a0%')
  expect(words({ description: 'Promoción', amount: 500_00, percent: null })).toBe(
    'Descuento: Promoción, $500.00',
  )
  expect(words({ id: 'benefit', description: 'Código SOL: 5 % de descuento' })).toBe(
    'Código SOL: 5 % de descuento',
  )
})
