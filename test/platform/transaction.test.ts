import { expect, test } from 'vitest'
import {
  databaseFault,
  deferUntilCommit,
  type Tx,
  transaction,
} from '../../src/server/platform/database/client.ts'
import { record } from '../../src/server/platform/database/lists.ts'
import { openBare, world } from '../kit/open.ts'

openBare()

const keep = (tx: Tx, name: string) => tx.$client.query('insert into agencies (name) values ($1)', [name])
const kept = async (name: string) =>
  (await world.db.$client.query('select 1 from agencies where name = $1', [name])).rowCount

const fault = (change: Promise<unknown>) =>
  change.then(
    () => 'done',
    (error: unknown) => databaseFault(error).code,
  )

test('a statement left to the commit that fails takes everything with it, and says why', async () => {
  const change = transaction(world.db, async (tx) => {
    await keep(tx, 'Antes')
    deferUntilCommit(tx, tx.$client.query('select 1 / 0'))
  })
  expect(await fault(change)).toBe('22012')
  expect(await kept('Antes')).toBe(0)
})

test('so it does when more is asked after it', async () => {
  const change = transaction(world.db, async (tx) => {
    deferUntilCommit(tx, tx.$client.query('select 1 / 0'))
    await keep(tx, 'Después')
  })
  expect(await fault(change)).toBe('22012')
  expect(await kept('Después')).toBe(0)
})

test('nothing is written when what travels with the begin fails', async () => {
  const change = transaction(world.db, (tx) => keep(tx, 'Sin candado'), 'select 1 / 0')
  expect(await fault(change)).toBe('22012')
  expect(await kept('Sin candado')).toBe(0)
})

test('an event is written when its transaction is done', async () => {
  const id = '01900000-0000-7000-8000-00000000000a'
  await transaction(world.db, (tx) =>
    record(tx, { entity: 'agency', entityId: id, actorId: null, name: 'change', data: { name: 'Otra' } }),
  )
  const { rows } = await world.db.$client.query(
    'select name, data, reason from events where entity_id = $1',
    [id],
  )
  expect(rows).toEqual([{ name: 'change', data: { name: 'Otra' }, reason: null }])
})

test('nothing can be left to a commit that does not come', async () => {
  let late: Tx | undefined
  await transaction(world.db, async (tx) => {
    late = tx
  })
  expect(() => deferUntilCommit(late as Tx, Promise.resolve())).toThrow('no transaction is open')
})
