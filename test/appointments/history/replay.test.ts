import { expect, test } from 'vitest'
import { contradictions, type Row, type Told } from './replay.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 24, hour))
const row = (id: string, wish: Partial<Row> = {}): Row => ({
  id,
  folio: id,
  customerId: `customer of ${id}`,
  state: 'requested',
  assigneeId: 'tomás',
  startsAt: at(15),
  minutes: 60,
  version: 1,
  ...wish,
})

/** Events in order, each in a transaction of its own unless given. */
const history = (...told: [entityId: string, name: string, wish?: Partial<Told>][]): Told[] =>
  told.map(([entityId, name, wish], n) => ({
    id: n + 1,
    tx: `tx ${n}`,
    entityId,
    name,
    fromState: name === 'book' ? null : 'requested',
    toState: 'requested',
    data: name === 'book' ? { assigneeId: 'tomás', startsAt: at(15).toISOString(), minutes: 60 } : null,
    ...wish,
  }))

test('the checker of histories finds overlaps, and rows that their events do not tell, in no consistent history', () => {
  const rows = [row('a', { state: 'cancelled', version: 2 }), row('b')]
  const end = ['a', 'cancel', { toState: 'cancelled' }] as const
  expect(contradictions(rows, history(['a', 'book'], [...end], ['b', 'book']))).toEqual([])
  expect(contradictions(rows, history(['a', 'book'], ['b', 'book'], [...end]))).toEqual([
    'after book (event 2) b and a overlap',
  ])
  expect(contradictions([row('a', { version: 2 })], history(['a', 'book']))).toEqual([
    'a: version is 2, its events say 1',
  ])
})
