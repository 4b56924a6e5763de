import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  balanceWords,
  chargeable,
  chargesAfter,
  type LedgerFacts,
  type LedgerRow,
  ledgerOf,
  split,
} from '../../src/domain/payments/ledger.ts'
import { rounds } from '../kit/dice.ts'

const row = (wish: Partial<LedgerRow> & Pick<LedgerRow, 'amount'>): LedgerRow => ({
  concept: 'deposit',
  state: 'paid',
  feeOutcome: null,
  ...wish,
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

describe('what is owed', () => {
  test('of an accepted quote is its total until something is paid', () => {
    const { charged, credit, held, owed, quote } = ledgerOf(
      facts([row({ state: 'pending', amount: 5_000_00 })]),
    )
    expect({ charged, credit, held, owed }).toEqual({
      charged: 10_000_00,
      credit: 0,
      held: 0,
      owed: 10_000_00,
    })
    expect(quote).toMatchObject({ paid: 0, owed: 10_000_00, depositDue: 5_000_00 })
  })

  test('a fee that was credited pays for the quote, one that was kept does not', () => {
    const fee = row({ concept: 'visit_fee', amount: 500_00, feeOutcome: 'credited' })
    expect(ledgerOf(facts([fee])).quote).toMatchObject({ paid: 500_00, depositDue: 4_500_00 })
    expect(ledgerOf(facts([{ ...fee, feeOutcome: 'kept' }])).quote).toMatchObject({
      paid: 0,
      depositDue: 5_000_00,
    })
    expect(ledgerOf(facts([{ ...fee, feeOutcome: 'kept' }], []))).toMatchObject({ owed: 0, credit: 0 })
    expect(ledgerOf(facts([{ ...fee, feeOutcome: 'returned' }], []))).toMatchObject({
      owed: 0,
      credit: 500_00,
    })
  })

  test('more than everything is credit, and given back it is none', () => {
    const over = [row({ amount: 5_000_00 }), row({ concept: 'balance', amount: 5_200_00 })]
    expect(ledgerOf(facts(over))).toMatchObject({ owed: 0, credit: 200_00 })
    const back = row({ concept: 'refund', amount: -200_00 })
    expect(ledgerOf(facts([...over, back]))).toMatchObject({ owed: 0, credit: 0, refunded: 200_00 })
  })

  test('a cancelled quote leaves what was paid as credit, less what was bought for it', () => {
    const rows = [row({ amount: 5_000_00 })]
    expect(ledgerOf(facts(rows, []))).toMatchObject({ owed: 0, credit: 5_000_00, quote: null })
    expect(ledgerOf(facts(rows, [], 1_200_00))).toMatchObject({ owed: 0, credit: 3_800_00 })
  })

  test('what is on its way back pays for nothing else', () => {
    const rows = [row({ amount: 5_000_00 })]
    expect(ledgerOf(facts(rows, [], 0, 5_000_00))).toMatchObject({ owed: 0, credit: 0, held: 5_000_00 })
    const again = ledgerOf(facts(rows, [installation], 0, 5_000_00))
    expect(again).toMatchObject({ owed: 10_000_00, credit: 0 })
    expect(again.quote).toMatchObject({ paid: 0, depositDue: 5_000_00 })
  })

  test('extra work has its own money; what was given back of it takes nothing from the deposit', () => {
    const extra = { kind: 'extra_work', total: 800_00, deposit: 0 } as const
    const rows = [row({ amount: 5_000_00 }), row({ concept: 'extra_work', amount: 800_00 })]
    expect(ledgerOf(facts(rows, [installation, extra])).quote).toMatchObject({
      paid: 5_000_00,
      depositDue: 0,
    })
    const back = row({ concept: 'refund', amount: -800_00 })
    expect(ledgerOf(facts([...rows, back])).quote).toMatchObject({ paid: 5_000_00, depositDue: 0 })
  })
})

test.each([
  [5_000_00, 4_800_00, { paid: 4_800_00, rest: 200_00, excess: 0 }],
  [5_000_00, 5_000_00, { paid: 5_000_00, rest: 0, excess: 0 }],
  [5_000_00, 5_300_00, { paid: 5_000_00, rest: 0, excess: 300_00 }],
])('of %i asked for, %i received', (asked, received, parts) => {
  expect(split(asked, received)).toEqual(parts)
})

test('what was paid otherwise is no longer asked for', () => {
  const asked = [row({ state: 'pending', amount: 5_000_00 }), row({ concept: 'balance', amount: 3_000_00 })]
  expect(chargesAfter(facts(asked))).toEqual([2_000_00, null])
  expect(chargesAfter(facts([asked[0]!, row({ concept: 'balance', amount: 10_000_00 })]))).toEqual([0, null])
  expect(chargeable('balance', facts(asked))).toBe(2_000_00)
})

type Step = { do: string; size: number; which: number }
const steps = fc.array(
  fc.record({
    do: fc.constantFrom(
      'accept',
      'accept',
      'extra',
      'pay',
      'pay',
      'pay',
      'loose',
      'review',
      'balance',
      'cancel',
      'fee',
      'kept',
      'returned',
      'refund',
      'promise',
      'expire',
    ),
    size: fc.integer({ min: 1, max: 30_000_00 }),
    which: fc.nat(50),
  }),
  { maxLength: 40 },
)
type State = {
  quotes: { kind: 'installation' | 'extra_work'; total: number; deposit: number }[]
  rows: LedgerRow[]
  materials: number
  promised: number
}

/** What the server does with each step, without its database. */
function take(state: State, { do: step, size, which }: Step) {
  const { quotes, rows } = state
  const pick = (states: string[]) => {
    const open = rows.filter((one) => states.includes(one.state))
    return open[which % Math.max(1, open.length)]
  }
  const add = (one: Partial<LedgerRow> & Pick<LedgerRow, 'amount'>) => one.amount > 0 && rows.push(row(one))
  const pay = (one: LedgerRow | undefined) => {
    if (!one) return
    const { paid, rest, excess } = split(one.amount, size)
    Object.assign(one, { amount: paid, state: 'paid' })
    add({ ...one, amount: rest, state: 'pending' })
    add({ concept: 'balance', amount: excess })
  }
  const hasQuote = quotes.some(({ kind }) => kind === 'installation')
  const doing: Record<string, () => void> = {
    accept() {
      if (hasQuote) return
      quotes.push({ kind: 'installation', total: size, deposit: Math.round((size * (which % 101)) / 100) })
      for (const one of rows) {
        if (one.concept !== 'visit_fee' || one.feeOutcome) continue
        if (one.state === 'pending') one.state = 'cancelled'
        if (one.state === 'paid' || one.state === 'in_review') one.feeOutcome = 'credited'
      }
      add({ state: 'pending', amount: chargeable('deposit', state) })
    },
    extra() {
      if (!hasQuote) return
      quotes.push({ kind: 'extra_work', total: size, deposit: 0 })
      add({ concept: 'extra_work', state: 'pending', amount: size })
    },
    pay: () => pay(pick(['pending', 'in_review', 'expired', 'cancelled'])),
    loose: () => add({ concept: 'balance', amount: size }),
    review() {
      const one = pick(['pending'])
      if (one) one.state = 'in_review'
    },
    balance: () => add({ concept: 'balance', state: 'pending', amount: chargeable('balance', state) }),
    cancel() {
      quotes.length = 0
      for (const one of rows)
        if (one.state === 'pending' && one.concept !== 'visit_fee') one.state = 'cancelled'
    },
    fee: () => !hasQuote && add({ concept: 'visit_fee', state: 'pending', amount: size }),
    kept: () => void rows.filter(isOpenFee).map((one) => Object.assign(one, { feeOutcome: 'kept' })),
    returned: () => void rows.filter(isOpenFee).map((one) => Object.assign(one, { feeOutcome: 'returned' })),
    refund() {
      const { credit } = ledgerOf(state)
      const bought = hasQuote ? 0 : Math.min(credit, which * 10_00)
      state.materials += bought
      if (credit > bought) rows.push(row({ concept: 'refund', amount: bought - credit }))
    },
    promise() {
      const { promised } = state
      state.promised = promised > 0 ? 0 : ledgerOf(state).credit
      if (promised > 0) rows.push(row({ concept: 'refund', amount: -promised }))
    },
    expire() {
      const one = pick(['pending'])
      if (one && one.concept !== 'visit_fee') one.state = 'expired'
    },
  }
  doing[step]!()
  chargesAfter(state).forEach((asked, at) => {
    if (asked === null) return
    if (asked === 0) rows[at]!.state = 'cancelled'
    else rows[at]!.amount = asked
  })
}
const isOpenFee = ({ concept, feeOutcome, state }: LedgerRow) =>
  concept === 'visit_fee' && feeOutcome === null && state === 'paid'

test('whatever happens in whatever order, the sums match', () => {
  fc.assert(
    fc.property(steps, (story) => {
      const state: State = { quotes: [], rows: [], materials: 0, promised: 0 }
      for (const step of story) {
        take(state, step)
        const { charged, credit, held, owed, paid, quote, refunded } = ledgerOf(state)
        // What is charged is paid, or owed; what is held beyond it is credit, or on its way back.
        expect(charged + credit + state.promised).toBe(held + owed)
        expect(paid - refunded).toBe(held)
        expect(Math.min(owed, credit)).toBe(0)
        for (const amount of [charged, credit, held, owed]) expect(amount).toBeGreaterThanOrEqual(0)
        expect(owed).toBeLessThanOrEqual(charged)
        if (!quote) continue
        expect(quote.owed).toBe(quote.total - quote.paid)
        for (const amount of [quote.owed, quote.depositDue]) expect(amount).toBeGreaterThanOrEqual(0)
        expect(quote.owed).toBeLessThanOrEqual(quote.total)
        expect(quote.depositDue).toBeLessThanOrEqual(quote.owed)
      }
    }),
    { numRuns: rounds(400) },
  )
})

test('and no more is asked for than is owed, where nothing waits for a review', () => {
  fc.assert(
    fc.property(steps, (story) => {
      const state: State = { quotes: [], rows: [], materials: 0, promised: 0 }
      for (const step of story) {
        take(state, step)
        if (state.rows.some((one) => one.state === 'in_review' || one.concept === 'visit_fee')) continue
        const { demanded, owed } = ledgerOf(state)
        expect(demanded).toBeLessThanOrEqual(owed)
      }
    }),
    { numRuns: rounds(400) },
  )
})

test.each<[string, Partial<LedgerRow>[], string]>([
  ['asked for', [{ state: 'pending' }], 'Te toca pagar $5,000.00.'],
  ['under review: nothing is asked for', [{ state: 'in_review' }], 'Revisamos tu comprobante de $5,000.00.'],
  [
    'asked for, and another under review',
    [{ state: 'in_review' }, { state: 'pending', concept: 'extra_work', amount: 800_00 }],
    'Te toca pagar $800.00. Revisamos tu comprobante de $5,000.00.',
  ],
  [
    'paid in part: what is missing, and of what',
    [{ amount: 4_800_00 }, { state: 'pending', amount: 200_00 }],
    'Te faltan $200.00 de tu anticipo.',
  ],
  ['paid', [{}], 'Te faltan $5,000.00; los pagas cuando te entreguemos la instalación.'],
  ['all paid', [{ amount: 10_000_00 }], 'Estás al corriente.'],
  ['paid too much', [{ amount: 11_000_00 }], 'Tienes $1,000.00 a tu favor.'],
])('a balance in words: %s', (_, wishes, words) => {
  const rows = wishes.map((wish) => row({ amount: 5_000_00, ...wish }))
  const asked = rows.map((one) => ({ ...one, isRest: one.state === 'pending' && rows[0]!.state === 'paid' }))
  expect(balanceWords(ledgerOf(facts(rows)), asked)).toBe(words)
})
