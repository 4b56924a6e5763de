import fc from 'fast-check'
import type { DiscountLine, QuoteLine } from '../../src/quotes/rules/content.ts'
import {
  addOnField,
  choiceTotal,
  depositOf,
  discountLabel,
  discountShareOf,
  discountsOf,
  priceWithIva,
  quoteChoiceIn,
  spread,
  sumRows,
  totalsOf,
  totalsOfOption,
} from '../../src/quotes/rules/totals.ts'
import { money } from '../../src/shared/format.ts'
import { line, option } from '../kit/quotes.ts'

const charged = (quantity: number, unitPrice: number, iva: 16 | 0 = 16, id = 'a') =>
  line(id, { quantity, unitPrice, iva })
const taken = (what: { amount: number } | { percent: number }) =>
  ({
    id: 'd',
    kind: 'discount',
    description: 'Descuento',
    amount: null,
    percent: null,
    ...what,
  }) as DiscountLine

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

test.each([
  // 13.5 m at $48.3750: 653.0625 -> 653.06
  [
    'keep decimals of a quantity',
    [charged(13_500, 483_750)],
    { subtotal: 653_06, iva: 104_49, total: 757_55 },
  ],
  // 0.005 pesos is half a centavo: up.
  ['round half a centavo up', [charged(1000, 50)], { subtotal: 1, iva: 0, total: 1 }],
  ['round IVA line by line', [charged(1000, 300), charged(1000, 300)], { subtotal: 6, iva: 0, total: 6 }],
  ['may have no IVA', [charged(1000, 1_000_0000, 0)], { subtotal: 1_000_00, iva: 0, total: 1_000_00 }],
  [
    'take a percentage before IVA',
    [charged(1000, 1_000_0000), taken({ percent: 10_00 })],
    { subtotal: 1_000_00, discount: 100_00, net: 900_00, iva: 144_00, total: 1_044_00 },
  ],
  [
    'take no more than there is',
    [charged(1000, 100_0000), taken({ amount: 500_00 })],
    { subtotal: 100_00, discount: 100_00, net: 0, iva: 0, total: 0 },
  ],
])('totals %s', (_, some, expected) => expect(totalsOf(some)).toMatchObject(expected))

test('totals are the sums of the lines to the centavo', () => {
  fc.assert(
    fc.property(lines, (some) => {
      const { discount, iva, lines: worked, net, subtotal, total } = totalsOf(some)
      for (const [part, sum] of Object.entries({ gross: subtotal, discount, net, iva, total }))
        expect(worked.reduce((all, line) => all + line[part as 'net'], 0)).toBe(sum)
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

const addOns = [line('surge', { unitPrice: 500_0000 }), line('lock', { unitPrice: 100_0000 })]
const half = { lines: [line('a'), taken({ percent: 50_00 })], addOns }
test.each([
  [[], 580_00],
  [['surge'], 1_160_00],
  [['surge', 'lock'], 1_276_00],
  [['unknown'], 580_00],
])('an option with %j comes to %i centavos: nothing is taken off what is added', (chosen, total) =>
  expect(totalsOfOption(half, chosen).total).toBe(total),
)

test.each([
  [1_000_01, 50, 500_01],
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

test('each discount has its amount, together never more than there is', () => {
  const off = [taken({ percent: 33_33 }), taken({ amount: 80_00 }), taken({ amount: 50_00 })]
  const amountsOf = (cents: number) =>
    discountsOf([charged(1000, cents * 100), ...off]).map(({ amount }) => amount)
  expect(amountsOf(300_01)).toEqual([99_99, 80_00, 50_00])
  expect(amountsOf(150_00)).toEqual([50_00, 80_00, 20_00])
})

test('the share of no discount, or of no charge, is zero', () => {
  expect(discountShareOf([charged(1000, 100_0000)])).toBe(0)
  expect(discountShareOf([taken({ percent: 10_00 })])).toBe(0)
})

test('percentages count exactly, whatever they round to, and a centavo more exceeds them', () => {
  const lines = [charged(1000, 300), taken({ percent: 10_00 }), taken({ percent: 5_00 })]
  expect(discountShareOf(lines)).toBe(15_00)
  expect(discountShareOf([...lines, taken({ amount: 1 })])).toBe(48_34)
})

test('a further metre is priced with IVA', () => expect(priceWithIva(301_7241, 16)).toBe(350_00))

test('the shown rows of an option add up to its total', () => {
  fc.assert(
    fc.property(lines, (of) => {
      const option = { lines: of, addOns: [charged(1000, 500_0000, 16, 'added')] }
      for (const chosen of [[], ['added']]) {
        const totals = totalsOfOption(option, chosen)
        const [subtotal, ...rows] = sumRows(option, totals)
        const total = rows.pop()!
        const net = rows.findIndex(({ label }) => label === 'Subtotal con descuento')
        expect(subtotal!.amount).toBe(totals.lines.reduce((sum, { gross }) => sum + gross, 0))
        for (const { label } of rows.filter(({ label: words }) => /%/.test(words) && !/^IVA/.test(words)))
          expect(label.includes(`de ${money(totalsOf(of).subtotal)}, sin adicionales`)).toBe(
            chosen.length > 0,
          )
        // A subtotal after discounts repeats what stands above it.
        const added = rows.filter((_, at) => at !== net).reduce((sum, { amount }) => sum + amount, 0)
        expect([subtotal!.amount + added, total.isTotal]).toEqual([total.amount, true])
        expect(total.amount).toBe(totals.total)
        if (net >= 0) expect(rows[net]!.amount).toBe(totals.net)
      }
    }),
  )
})

test('a discount is labelled once', () => {
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

const twice = option('complete', { addOns, lines: [line('base', { unitPrice: 2000_0000 })] })
const content = { options: [option('essential', { addOns }), twice], depositPercent: 50 }

test('an add-on counts with the option that it belongs to', () => {
  const choice = quoteChoiceIn(content, {
    option: 'complete',
    [addOnField('essential', 'surge')]: 'on',
    [addOnField('complete', 'lock')]: 'on',
    'add-complete-unknown': 'on',
  })
  expect(choice).toEqual({ option: 'complete', addOns: { essential: ['surge'], complete: ['lock'] } })
  expect(choiceTotal(content, choice)).toEqual({ option: 'complete', total: 2_436_00, deposit: 1_218_00 })
})

test('no option is chosen without a known one', () => {
  for (const fields of [{}, { option: 'recommended' }, { option: '' }])
    expect(choiceTotal(content, quoteChoiceIn(content, fields))).toBeNull()
})
