import fc from 'fast-check'
import {
  agencyState,
  approvableFrom,
  type CommissionState,
  commissionOf,
  commissionStates,
  notYetApproved,
  type SummedPayout,
  type SummedRow,
  statementOf,
  stateOfAdjustment,
  sumsByMonth,
  sumsOf,
} from '../../src/agencies/rules/commissions.ts'
import { rounds } from '../kit/dice.ts'

test.each([
  [{ kind: 'percent', value: 5_00 }, 10, 1],
  [{ kind: 'percent', value: 4_99 }, 10, 0],
  [{ kind: 'percent', value: 100_00 }, 12_345_67, 12_345_67],
  [{ kind: 'percent', value: 0 }, 12_345_67, 0],
  [{ kind: 'amount', value: 1_500_00 }, 12_345_67, 1_500_00],
  [{ kind: 'amount', value: 0 }, 12_345_67, 0],
] as const)('what an agency earns earns %o of %i centavos: %i', (terms, net, earned) =>
  expect(commissionOf(terms, net)).toBe(earned),
)

test('what an agency earns rounds a percentage of any price half up to the centavo', () => {
  const price = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  fc.assert(
    fc.property(price, fc.integer({ min: 0, max: 100_00 }), (net, value) => {
      const twice = 2n * BigInt(commissionOf({ kind: 'percent', value }, net)) * 10_000n
      const exact = 2n * BigInt(net) * BigInt(value)
      expect(twice - exact > -10_000n && twice - exact <= 10_000n).toBe(true)
    }),
    { numRuns: rounds(500) },
  )
})

// 22:30 of the 6th in Mexico City is already the 7th elsewhere.
const finishedAt = new Date('2026-11-07T04:30:00Z')
const at = (local: string) => new Date(`${local}-06:00`)

test('when it is approved approves from the fifteenth day after the installation, by days of Mexico City', () => {
  expect(approvableFrom(finishedAt)).toBe('2026-11-21')
  const settled = { finishedAt, owed: 0, stands: true }
  expect(notYetApproved(settled, at('2026-11-20T23:59:59'))).toBe('early')
  expect(notYetApproved(settled, at('2026-11-21T00:00:00'))).toBeNull()
})

test('an agency reads of a pending row from which day it may be approved, until that day', () => {
  const read = (now: string, state: CommissionState = 'pending') =>
    agencyState({ kind: 'commission', state, earnedAt: finishedAt }, at(now))
  const note = 'A partir del sáb 21 nov, cuando su cliente termine de pagar'
  expect(read('2026-11-20T23:59:59')).toMatchObject({ words: 'Por aprobar', note })
  expect(read('2026-11-21T00:00:00').note).toBe('Cuando su cliente termine de pagar')
  expect(read('2026-11-20T12:00:00', 'approved')).toMatchObject({ words: 'Por pagar' })
})

test('when it is approved approves neither with a centavo owed nor once the quote is cancelled', () => {
  const late = at('2027-11-21T00:00:00')
  expect(notYetApproved({ finishedAt, owed: 1, stands: true }, late)).toBe('owed')
  expect(notYetApproved({ finishedAt, owed: 0, stands: false }, late)).toBe('cancelled')
})

test('gives an adjustment the state of its commission, and leaves it for the next payout when that is paid', () =>
  expect(commissionStates.map(stateOfAdjustment)).toEqual(['pending', 'approved', 'approved']))

const day = fc
  .tuple(
    fc.integer({ min: 2025, max: 2027 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, of]) => `${year}-${String(month).padStart(2, '0')}-${String(of).padStart(2, '0')}`)
const row: fc.Arbitrary<SummedRow> = fc
  .record({
    state: fc.constantFrom(...commissionStates),
    amount: fc.integer({ min: -5_000_00, max: 50_000_00 }).filter((amount) => amount !== 0),
    on: day,
  })
  .map((made) => ({ ...made, kind: made.amount < 0 ? 'adjustment' : 'commission' }))
const payout: fc.Arbitrary<SummedPayout> = fc.record({
  amount: fc.integer({ min: 1, max: 90_000_00 }),
  on: day,
})
const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

test('sums of months equal those of rows, and consecutive statements lead to the amount owed', () =>
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.array(payout, { maxLength: 8 }), (rows, payouts) => {
      const months = sumsByMonth(rows)
      const all = sumsOf(rows)
      expect(all.total).toBe(sum(rows.map(({ amount }) => amount)))
      expect(all.total).toBe(all.pending + all.approved + all.paid)
      for (const part of ['pending', 'approved', 'paid', 'total'] as const)
        expect(sum(months.map((month) => month[part]))).toBe(all[part])
      expect(months.map(({ month }) => month)).toEqual(
        [...new Set(rows.map(({ on }) => on.slice(0, 7)))].toSorted().toReversed(),
      )
      let owed = 0
      for (let year = 2025; year <= 2027; year++)
        for (let month = 1; month <= 12; month++) {
          const made = statementOf(rows, payouts, `${year}-${String(month).padStart(2, '0')}`)
          expect(made.opening).toBe(owed)
          expect(made.closing).toBe(made.opening + made.earned + made.adjusted - made.transferred)
          owed = made.closing
        }
      expect(owed).toBe(all.total - sum(payouts.map(({ amount }) => amount)))
    }),
    { numRuns: rounds(100) },
  ))
