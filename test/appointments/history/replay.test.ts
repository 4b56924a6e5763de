import { contradictions, type Row, type Told } from './replay.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 24, hour))
const row = (id: string, input: Partial<Row> = {}): Row => ({
  id,
  folio: id,
  customerId: `customer of ${id}`,
  state: 'requested',
  assigneeId: 'tomás',
  startsAt: at(15),
  minutes: 60,
  version: 1,
  ...input,
})

/** Events in order, each in a transaction of its own unless given. */
const history = (...told: [entityId: string, name: string, input?: Partial<Told>][]): Told[] =>
  told.map(([entityId, name, input], n) => ({
    id: n + 1,
    tx: `tx ${n}`,
    entityId,
    name,
    fromState: name === 'book' ? null : 'requested',
    toState: 'requested',
    data: name === 'book' ? { assigneeId: 'tomás', startsAt: at(15).toISOString(), minutes: 60 } : null,
    ...input,
  }))
const booked = (hour: number, assigneeId = 'tomás') => ({
  data: { assigneeId, startsAt: at(hour).toISOString(), minutes: 60 },
})

test('the checker of histories finds nothing in a consistent history', () => {
  const rows = [row('a', { state: 'cancelled', version: 2 }), row('b')]
  const events = history(['a', 'book'], ['a', 'cancel', { toState: 'cancelled' }], ['b', 'book'])
  expect(contradictions(rows, events)).toEqual([])
})

test('the checker of histories finds two appointments of one technician at once, although one was cancelled since', () => {
  const rows = [row('a', { state: 'cancelled', version: 2 }), row('b')]
  const events = history(['a', 'book'], ['b', 'book'], ['a', 'cancel', { toState: 'cancelled' }])
  expect(contradictions(rows, events)).toEqual(['after book (event 2) b and a overlap'])
})

test('the checker of histories finds two appointments of one customer at once', () => {
  const rows = [row('a', { customerId: 'camila' }), row('b', { customerId: 'camila', assigneeId: 'teresa' })]
  const events = history(['a', 'book'], ['b', 'book', booked(15, 'teresa')])
  expect(contradictions(rows, events)).toHaveLength(1)
})

test('the checker of histories finds missing and surplus events, wrong rows and wrong states', () => {
  expect(contradictions([row('a', { version: 2 })], history(['a', 'book']))).toEqual([
    'a: version is 2, its events say 1',
  ])
  expect(contradictions([row('a')], [])).toEqual(['a: no events'])
  expect(contradictions([], history(['a', 'book']))).toHaveLength(1)
  expect(contradictions([row('a', { assigneeId: 'teresa' })], history(['a', 'book']))).toHaveLength(1)
  expect(contradictions([row('a', { startsAt: at(16) })], history(['a', 'book']))).toHaveLength(1)
  const moved = history(['a', 'book'], ['a', 'start', { fromState: 'assigned', toState: 'in_progress' }])
  expect(contradictions([row('a', { version: 2 })], moved)).toContain(
    'start (event 2) of a: from assigned, but it was requested',
  )
})

test('the checker of histories takes the events of one transaction as one step', () => {
  const rows = [row('a', { assigneeId: 'teresa', version: 2 }), row('b', { version: 2 })]
  const swap = history(
    ['a', 'book'],
    ['b', 'book', booked(15, 'teresa')],
    ['a', 'reassign', { tx: 'swap', data: { assigneeId: 'teresa' } }],
    ['b', 'reassign', { tx: 'swap', data: { assigneeId: 'tomás' } }],
  )
  expect(contradictions(rows, swap)).toEqual([])
  expect(contradictions(rows, swap.with(3, { ...swap[3]!, tx: 'later' }))).toHaveLength(1)
})
