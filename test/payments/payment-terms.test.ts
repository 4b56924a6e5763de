import {
  type Consequence,
  consequenceOf,
  fullRefundUntil,
  isSure,
  isWithdrawn,
  monthsFor,
  type RefundState,
  receiptSums,
  refundStandingOf,
  type Sure,
  standingOf,
  takesCard,
  takesOxxo,
} from '../../src/payments/rules/payment.ts'

test.each([
  // A Monday: until the end of the next one.
  ['2026-11-23T10:00', [], '2026-12-01T06:00:00.000Z'],
  // Late on a Friday; Saturday and Sunday don't count.
  ['2026-11-27T23:59', [], '2026-12-05T06:00:00.000Z'],
  // 16 November 2026 is a holiday.
  ['2026-11-13T12:00', [], '2026-11-24T06:00:00.000Z'],
  ['2026-11-23T10:00', ['2026-11-25'], '2026-12-02T06:00:00.000Z'],
])('refunds all within five working days after %s, besides %j', (accepted, own, end) =>
  expect(fullRefundUntil(new Date(`${accepted}-06:00`), own).toISOString()).toBe(end),
)

test.each<[number, number | null, number, ReturnType<typeof consequenceOf>]>([
  [100_00, 100_00, 100_00, null],
  // As it was asked for, and no longer owed: since, it was paid otherwise, or its quote ended.
  [100_00, 100_00, 50_00, { kind: 'undue', by: 50_00 }],
  [100_00, 100_00, 0, { kind: 'undue', by: 100_00 }],
  [80_00, 100_00, 150_00, { kind: 'short', by: 20_00 }],
  [120_00, 100_00, 150_00, { kind: 'more', by: 20_00 }],
  // All that is owed and more than was asked for is no excess.
  [150_00, 100_00, 150_00, { kind: 'more', by: 50_00 }],
  [150_01, 100_00, 150_00, { kind: 'over', by: 1 }],
  [150_01, null, 150_00, { kind: 'over', by: 1 }],
  [150_00, null, 150_00, null],
])('what booking %i leaves where %j was asked for and %i is owed', (amount, asked, owed, consequence) =>
  expect(consequenceOf(amount, asked, owed)).toEqual(consequence),
)

test.each<[Consequence['kind'], Partial<Sure>, boolean]>([
  ['short', {}, false],
  ['short', { sure: 100_00 }, true],
  ['short', { sure: 100_01 }, false],
  ['more', { again: 100_00 }, false],
  ['undue', { sure: 100_00 }, true],
  ['over', { sure: 100_00 }, false],
  ['over', { again: 100_00 }, true],
  ['over', { again: -1 }, false],
])('an amount that is %s, confirmed by %j: %j', (kind, sure, expected) =>
  expect(isSure({ kind, by: 1 }, 100_00, { sure: null, again: null, sureKey: null, ...sure })).toBe(expected),
)

test('labels a reversed row and its reversal as corrections', () => {
  const label = (row: Parameters<typeof standingOf>[0]) => standingOf(row).label
  expect(label({ state: 'paid', reversedAt: null, reversesId: null })).toBe('Pagado')
  expect(label({ state: 'paid', reversedAt: new Date(), reversesId: null })).toBe('Corregido')
  expect(label({ state: 'paid', reversedAt: null, reversesId: 'a' })).toBe('Corrección')
})

test('labels a refund that nobody refused as withdrawn', () => {
  const of = (state: RefundState, decidedBy: string | null) =>
    refundStandingOf({ state, isWithdrawn: isWithdrawn({ state, decidedBy }) }).label
  expect([of('refused', 'a'), of('refused', null), of('requested', null)]).toEqual([
    'No procede',
    'Retirado',
    'Solicitado',
  ])
})

test.each([
  [9_99, false, false, []],
  [10_00, true, true, []],
  [299_99, true, true, []],
  [300_00, true, true, [3]],
  [900_00, true, true, [3, 6, 9]],
  [10_000_00, true, true, [3, 6, 9, 12]],
  [10_000_01, true, false, [3, 6, 9, 12]],
])('whether %i centavos are paid by card: %s; at an OXXO: %s; in months: %j', (amount, card, oxxo, months) =>
  expect([takesCard(amount), takesOxxo(amount), monthsFor(amount)]).toEqual([card, oxxo, months]),
)

test.each([
  ['the usual IVA where it is for no quote', 116_00, null, 16_00],
  ['that of what was agreed', 1_080_00, { iva: 80_00, total: 1_080_00 }, 80_00],
  ['in proportion, half-up', 50, { iva: 1, total: 100 }, 1],
  ['none where there was none', 500_00, { iva: 0, total: 500_00 }, 0],
  ['the usual one where a quote comes to nothing', 116_00, { iva: 0, total: 0 }, 16_00],
  ['what is given back, with its sign', -116_00, null, -16_00],
])('a receipt has %s', (_, amount, paidFor, iva) =>
  expect(receiptSums(amount, paidFor)).toEqual({ iva, net: amount - iva }),
)
