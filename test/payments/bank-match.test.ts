import fc from 'fast-check'
import {
  assertUndecided,
  type BankLineState,
  type Candidate,
  matchesOf,
  type OpenLine,
} from '../../src/payments/rules/bank-matching.ts'

const line = (input: Partial<OpenLine> & { id: string }): OpenLine => ({
  bookedOn: '2026-11-24',
  amount: 5_000_00,
  description: 'SPEI RECIBIDO',
  reference: '',
  trackingKey: null,
  ...input,
})
const payment = (input: Partial<Candidate> & { id: string }): Candidate => ({
  folio: `PAG-2026-${input.id.padStart(5, '0')}`,
  state: 'in_review',
  amount: 5_000_00,
  trackingKey: null,
  paidOn: null,
  ...input,
})
const recorded = { state: 'paid', paidOn: '2026-11-24' } as const
const matched = (lines: OpenLine[], payments: Candidate[]) =>
  matchesOf(lines, payments).map(
    ({ lineId, payment: { id }, reason, sure }) => `${lineId}=${id} ${reason}${sure ? '!' : ''}`,
  )

test.each<[string, Partial<OpenLine>, Partial<Candidate>[], string[]]>([
  ['by its key and amount', { trackingKey: 'ABC12345' }, [{}, { trackingKey: 'abc12345' }], ['a=2 key!']],
  [
    'by a key among its words',
    { description: 'SPEI RECIBIDO/abc12345/7' },
    [{ trackingKey: 'ABC12345' }],
    ['a=1 key!'],
  ],
  ['never by a part of a word', { description: 'XABC12345', amount: 1 }, [{ trackingKey: 'ABC12345' }], []],
  [
    'by its folio',
    { reference: 'pag 2026 00002' },
    [{ state: 'pending' }, { state: 'pending' }],
    ['a=2 folio!'],
  ],
  [
    'by its folio, written down already',
    { description: 'CARMEN DEMO PAG-2026-00001' },
    [{ ...recorded, trackingKey: 'WRONG123' }],
    ['a=1 folio!'],
  ],
  [
    'by its folio, of another amount',
    { description: 'PAGO PAG-2026-00001', amount: 1 },
    [{ state: 'pending' }],
    ['a=1 folio_other_amount'],
  ],
  [
    'never by its folio what was paid, by less than that',
    { description: 'PAG-2026-00001', amount: 1 },
    [recorded],
    [],
  ],
  [
    'never by a longer folio',
    { description: 'PAG-2026-000012 SPEI' },
    [{ state: 'pending', folio: 'PAG-2026-00001' }, { amount: 2 }],
    ['a=1 amount'],
  ],
  [
    'by its key before its folio',
    { description: 'PAG-2026-00001', trackingKey: 'ABC12345' },
    [{ state: 'pending' }, { trackingKey: 'ABC12345' }],
    ['a=2 key!'],
  ],
  [
    'by its key, of another amount',
    { trackingKey: 'ABC12345', amount: 1 },
    [{ trackingKey: 'ABC12345' }],
    ['a=1 other_amount'],
  ],
  ['by the amount, where it is the only one', {}, [{}, { amount: 1 }], ['a=1 amount']],
  ['not by the amount, where two wait for it', {}, [{}, {}], []],
  [
    'a transfer recorded by hand, by its key',
    { trackingKey: 'ABC12345' },
    [{ ...recorded, trackingKey: 'ABC12345' }],
    ['a=1 key!'],
  ],
  [
    'a transfer recorded under a mistyped key, by its amount',
    { trackingKey: 'RIGHT123' },
    [{ ...recorded, trackingKey: 'WRONG123' }],
    ['a=1 amount'],
  ],
  [
    'not by the amount, where one waits for it and one was recorded',
    { trackingKey: 'RIGHT123' },
    [{ ...recorded, trackingKey: 'WRONG123' }, { state: 'pending' }],
    [],
  ],
  [
    'not by the amount, where the one that was recorded is of a month before',
    {},
    [{ ...recorded, paidOn: '2026-10-24' }, {}],
    [],
  ],
  [
    'by the amount, where the one that was recorded is of longer before',
    {},
    [{ ...recorded, paidOn: '2026-10-23' }, {}],
    ['a=2 amount'],
  ],
  [
    'by the amount, where the one that was recorded is of long after',
    {},
    [{ ...recorded, paidOn: '2026-12-26' }, {}],
    ['a=2 amount'],
  ],
  [
    'never what was paid, by less than that',
    { trackingKey: 'ABC12345', amount: 1 },
    [{ ...recorded, trackingKey: 'ABC12345' }],
    [],
  ],
])('a movement is matched: %s', (_, input, candidates, expected) => {
  const payments = candidates.map((one, n) => payment({ id: String(n + 1), ...one }))
  expect(matched([line({ id: 'a', ...input })], payments)).toEqual(expected)
})

test('a movement is matched by a key with one payment only, and by an amount only where it is the one', () => {
  const key = { trackingKey: 'ABC12345' }
  expect(
    matched([line({ id: 'a', ...key }), line({ id: 'b', ...key })], [payment({ id: '1', ...key })]),
  ).toEqual(['a=1 key!'])
  expect(matched([line({ id: 'a' }), line({ id: 'b' })], [payment({ id: '1' })])).toEqual([])
})

test('a movement is matched by its amount with what is open, where the recorded one has its own by key', () => {
  const key = { trackingKey: 'ABC12345' }
  const payments = [payment({ id: '1', ...recorded, ...key }), payment({ id: '2' })]
  expect(matched([line({ id: 'a' }), line({ id: 'b', ...key })], payments)).toEqual([
    'a=2 amount',
    'b=1 key!',
  ])
})

test('a movement is matched with at most one payment and the other way round, and surely only with the same amount', () => {
  const key = fc.option(fc.constantFrom('AAAAA1', 'BBBBB2', 'CCCCC3'), { nil: null })
  const amount = fc.constantFrom(100, 200, 300)
  const lines = fc.array(fc.record({ amount, trackingKey: key }), { maxLength: 7 })
  const payments = fc.array(
    fc.record({ amount, trackingKey: key, state: fc.constantFrom('pending', 'in_review', 'paid') }),
    { maxLength: 7 },
  )
  fc.assert(
    fc.property(lines, payments, (some, others) => {
      const open = some.map((one, n) => line({ id: `l${n}`, ...one }))
      const found = matchesOf(
        open,
        others.map((one, n) =>
          payment({ id: String(n), ...one, paidOn: one.state === 'paid' ? '2026-11-24' : null }),
        ),
      )
      expect(new Set(found.map(({ lineId }) => lineId)).size).toBe(found.length)
      expect(new Set(found.map((one) => one.payment.id)).size).toBe(found.length)
      for (const { lineId, payment: one, sure } of found) {
        const same = open.find(({ id }) => id === lineId)!.amount === one.amount
        expect(same || !(sure || one.state === 'paid')).toBe(true)
      }
    }),
  )
})

test.each<[BankLineState[], string | null]>([
  [[], null],
  [['open', 'open'], null],
  [['open', 'ignored'], 'Regrésalos'],
  [['open', 'settled'], 'ya es un pago'],
  [['ignored', 'recorded'], 'ya es un pago'],
])('whether a file with movements %j is taken back: %s', (states, why) => {
  const tried = () => assertUndecided(states)
  if (why === null) expect(tried).not.toThrow()
  else expect(tried).toThrow(expect.objectContaining({ description: expect.stringContaining(why) }))
})
