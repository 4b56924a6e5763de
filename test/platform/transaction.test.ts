import { databaseFault, type Tx, transaction } from '../../src/platform/database/client.ts'
import { record } from '../../src/platform/database/lists.ts'
import { db, openBare } from '../kit/open.ts'

openBare()

const keep = (tx: Tx, name: string) => tx.$client.query('insert into agencies (name) values ($1)', [name])

const fails = 'select 1 / 0'
test.each<[when: string, work: (tx: Tx) => Promise<unknown>, begin?: string]>([
  ['after others', (tx) => keep(tx, 'Una').then(() => tx.$client.query(fails))],
  ['sent with the begin', (tx) => keep(tx, 'Una'), fails],
])('a failing statement %s undoes the transaction, and says why', async (_when, work, begin) => {
  const change = transaction(db, work, begin)
  expect(await change.catch((error: unknown) => databaseFault(error).code)).toBe('22012')
  expect((await db.$client.query('select 1 from agencies where name = $1', ['Una'])).rowCount).toBe(0)
})

test('an event is written when its transaction is done', async () => {
  const id = '01900000-0000-7000-8000-00000000000a'
  await transaction(db, (tx) =>
    record(tx, { entity: 'agency', entityId: id, actorId: null, name: 'change', data: { name: 'Otra' } }),
  )
  const { rows } = await db.$client.query('select name, data, reason from events where entity_id = $1', [id])
  expect(rows).toEqual([{ name: 'change', data: { name: 'Otra' }, reason: null }])
})
