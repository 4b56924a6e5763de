import fc from 'fast-check'
import {
  balanceWords,
  chargeable,
  chargesAfter,
  type LedgerFacts,
  type LedgerRow,
  ledgerOf,
  split,
} from '../../src/payments/rules/ledger.ts'
import { rounds } from '../kit/dice.ts'

const row = (input: Partial<LedgerRow> & Pick<LedgerRow, 'amount'>): LedgerRow => ({
  concept: 'deposit',
  state: 'paid',
  feeOutcome: null,
  ...input,
})
const installation = { kind: 'installation', total: 10_000_00, deposit: 5_000_00 } as const
const facts = (
  rows: LedgerRow[],
  quotes: LedgerFacts['quotes'] = [installation],
  materials = 0,
  promised = 0,
): LedgerFacts => ({
  rows,
  quotes,
  materials,
  promised,
})

test('a ledger counts a credited fee for the quote, and a kept one not', () => {
  const fee = row({ concept: 'visit_fee', amount: 500_00, feeOutcome: 'credited' })
  expect(ledgerOf(facts([fee])).quote).toMatchObject({ paid: 500_00, depositDue: 4_500_00 })
  const kept = [{ ...fee, feeOutcome: 'kept' as const }]
  expect(ledgerOf(facts(kept)).quote).toMatchObject({ paid: 0, depositDue: 5_000_00 })
  expect(ledgerOf(facts(kept, []))).toMatchObject({ owed: 0, credit: 0 })
  const returned = [{ ...fee, feeOutcome: 'returned' as const }]
  expect(ledgerOf(facts(returned, []))).toMatchObject({ owed: 0, credit: 500_00 })
})

test('a ledger has credit of a cancelled quote, less its materials', () => {
  const rows = [row({ amount: 5_000_00 })]
  expect(ledgerOf(facts(rows, []))).toMatchObject({ owed: 0, credit: 5_000_00, quote: null })
  expect(ledgerOf(facts(rows, [], 1_200_00))).toMatchObject({ owed: 0, credit: 3_800_00 })
})

test.each([
  [0, { credit: 0, difference: 0 }],
  [1, { credit: 0, difference: 1 }],
  [99, { credit: 0, difference: 99 }],
  [1_00, { credit: 1_00, difference: 0 }],
])('a ledger gives back no excess below a peso: %s', (excess, expected) => {
  const rows = [row({ amount: 10_000_00 + excess })]
  expect(ledgerOf(facts(rows))).toMatchObject({ owed: 0, held: 10_000_00 + excess, ...expected })
})

test('a ledger pays for nothing with an approved refund', () => {
  const rows = [row({ amount: 5_000_00 })]
  expect(ledgerOf(facts(rows, [], 0, 5_000_00))).toMatchObject({ owed: 0, credit: 0, held: 5_000_00 })
  const again = ledgerOf(facts(rows, [installation], 0, 5_000_00))
  expect(again).toMatchObject({ owed: 10_000_00, credit: 0 })
  expect(again.quote).toMatchObject({ paid: 0, depositDue: 5_000_00 })
})

test('a ledger keeps extra work and its refund apart from the deposit', () => {
  const extra = { kind: 'extra_work', total: 800_00, deposit: 0 } as const
  const rows = [row({ amount: 5_000_00 }), row({ concept: 'extra_work', amount: 800_00 })]
  const deposit = { paid: 5_000_00, depositDue: 0 }
  expect(ledgerOf(facts(rows, [installation, extra])).quote).toMatchObject(deposit)
  const back = row({ concept: 'refund', amount: -800_00 })
  expect(ledgerOf(facts([...rows, back])).quote).toMatchObject(deposit)
})

test.each([
  [5_000_00, 4_800_00, { paid: 4_800_00, rest: 200_00, excess: 0 }],
  [5_000_00, 5_000_00, { paid: 5_000_00, rest: 0, excess: 0 }],
  [5_000_00, 5_300_00, { paid: 5_000_00, rest: 0, excess: 300_00 }],
])('splits %i asked for and %i received', (asked, received, parts) =>
  expect(split(asked, received)).toEqual(parts),
)

test('asks no longer for what was paid otherwise', () => {
  const asked = [row({ state: 'pending', amount: 5_000_00 }), row({ concept: 'balance', amount: 3_000_00 })]
  expect(chargesAfter(facts(asked))).toEqual([2_000_00, null])
  expect(chargesAfter(facts([asked[0]!, row({ concept: 'balance', amount: 10_000_00 })]))).toEqual([0, null])
  expect(chargeable('balance', facts(asked))).toBe(2_000_00)
})

const someAmount = fc.integer({ min: 1, max: 30_000_00 })
const someRow = fc.record({
  concept: fc.constantFrom('deposit', 'balance', 'extra_work', 'visit_fee'),
  state: fc.constantFrom('pending', 'in_review', 'paid', 'expired', 'cancelled'),
  amount: someAmount,
  feeOutcome: fc.constantFrom(null, 'credited', 'kept', 'returned'),
}) as fc.Arbitrary<LedgerRow>
const percent = fc.nat(100)
const isFixed = ({ concept, state }: LedgerRow) => concept === 'visit_fee' || state === 'in_review'
/** A project with an installation, extra work, materials, and parts of its payments refunded and promised. */
const someFacts = fc
  .tuple(fc.array(someRow, { maxLength: 10 }), fc.array(someAmount, { maxLength: 2 }), fc.nat(5_000_00))
  .chain(([rows, [total, extra = 0], materials]) =>
    fc
      .tuple(percent, percent, percent, fc.boolean())
      .map(([deposit, back, promised, isPlain]): LedgerFacts => {
        const kept = rows.filter((one) => !isPlain || !isFixed(one))
        const paid = kept.reduce((all, { amount, state }) => all + (state === 'paid' ? amount : 0), 0)
        const part = (of: number, size: number) => Math.floor((of * size) / 100)
        const refunded = part(paid, back)
        const accepted = {
          kind: 'installation',
          total: total ?? 0,
          deposit: part(total ?? 0, deposit),
        } as const
        return {
          rows: [...kept, row({ concept: 'refund', amount: -refunded })],
          quotes: total ? [accepted, { kind: 'extra_work', total: extra, deposit: 0 }] : [],
          materials,
          promised: part(paid - refunded, promised),
        }
      }),
  )

test('the sums of any payments and quotes match, and no more is asked for than owed', () => {
  fc.assert(
    fc.property(someFacts, (some) => {
      const { charged, credit, difference, held, owed, paid, quote, refunded } = ledgerOf(some)
      // What is charged is paid, or owed; what is held beyond it is credit, to be refunded, or too little for that.
      expect(charged + credit + difference + some.promised).toBe(held + owed)
      expect(paid - refunded).toBe(held)
      expect(Math.min(owed, credit)).toBe(0)
      for (const amount of [charged, credit, held, owed]) expect(amount).toBeGreaterThanOrEqual(0)
      expect(owed).toBeLessThanOrEqual(charged)
      if (quote) {
        expect(quote.owed).toBe(quote.total - quote.paid)
        for (const amount of [quote.paid, quote.depositDue]) expect(amount).toBeGreaterThanOrEqual(0)
        expect(quote.depositDue).toBeLessThanOrEqual(quote.owed)
      }
      if (some.rows.some(isFixed)) return
      const asked = chargesAfter(some)
      const next = {
        ...some,
        rows: some.rows.map((one, at) => ({ ...one, amount: asked[at] ?? one.amount })),
      }
      const { demanded } = ledgerOf(next)
      for (const concept of ['deposit', 'balance'] as const)
        expect(demanded + chargeable(concept, next)).toBeLessThanOrEqual(owed)
    }),
    { numRuns: rounds(600) },
  )
})

test.each<[string, Partial<LedgerRow>[], string]>([
  ['asked for', [{ state: 'pending' }], 'Te toca pagar $5,000.00.'],
  ['in review', [{ state: 'in_review' }], 'Revisamos tu comprobante de $5,000.00.'],
  [
    'asked for, and another in review',
    [{ state: 'in_review' }, { state: 'pending', concept: 'extra_work', amount: 800_00 }],
    'Te toca pagar $800.00. Revisamos tu comprobante de $5,000.00.',
  ],
  [
    'paid in part',
    [{ amount: 4_800_00 }, { state: 'pending', amount: 200_00 }],
    'Te faltan $200.00 de tu anticipo.',
  ],
  ['paid', [{}], 'Te faltan $5,000.00; los pagas cuando te entreguemos la instalación.'],
  ['all paid', [{ amount: 10_000_00 }], 'Estás al corriente.'],
  ['paid too much', [{ amount: 11_000_00 }], 'Tienes $1,000.00 a tu favor.'],
])('words a balance that is %s', (_, inputs, words) => {
  const rows = inputs.map((input) => row({ amount: 5_000_00, ...input }))
  const asked = rows.map((one) => ({ ...one, isRest: one.state === 'pending' && rows[0]!.state === 'paid' }))
  expect(balanceWords(ledgerOf(facts(rows)), asked)).toBe(words)
})
