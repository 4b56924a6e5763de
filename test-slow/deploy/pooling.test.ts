import { sql } from 'drizzle-orm'
import { parseEnv } from '../../src/app/env.ts'
import {
  checkPooler,
  closeDatabase,
  type Db,
  directPool,
  openDatabase,
  transaction,
} from '../../src/platform/database/client.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { listenOn } from '../../src/platform/live/announcements.ts'
import { freshDatabase } from '../../test/kit/fresh-database.ts'
import { openPooler } from './transaction-pooler.ts'

let own: Db
let db: Db
let pooler: Awaited<ReturnType<typeof openPooler>>
beforeAll(async () => {
  own = await freshDatabase(2)
  const { host = '', user = '', database = '' } = own.$client.options
  await own.$client.query(`alter database ${database} set timezone = 'America/Mexico_City'`)
  pooler = await openPooler({ host, user, database }, 3)
  db = openDatabase({ connectionString: pooler.url }, 4, { host, user, database })
})
afterAll(async () => {
  await closeDatabase(db)
  pooler.close()
  await own.$client.end()
})

test('a pooler whose connections know nothing of our settings is refused; once the role has them, new ones do', async () => {
  const stale = openDatabase({ connectionString: pooler.url }, 1, own.$client.options)
  await expect(checkPooler(stale.$client)).rejects.toThrow('RECONNECT')
  pooler.reconnect()
  await migrate(db)
  await migrate(db)
  await checkPooler(stale.$client)
  await closeDatabase(stale)
})

test('statements prepared by name are asked on whatever connection comes', async () => {
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  const named = (n: number) =>
    db.$client.query<{ n: number }>({ name: 'number', text: 'select $1::int as n', values: [n] })
  expect((await Promise.all(numbers.map(named))).map(({ rows }) => rows[0]?.n)).toEqual(numbers)
})

test('a transaction keeps its connection, its lock and its settings, and leaves none of them behind', async () => {
  const pids = await Promise.all(
    [1, 2, 3, 4, 5].map(() =>
      transaction(
        db,
        async (tx) => {
          const ask = () => tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          const asked = [...(await ask()).rows, ...(await ask()).rows]
          expect(asked[0]).toEqual(asked[1])
          // Long enough for the next one to begin on a connection of its own.
          await tx.execute(sql`select pg_sleep(0.1)`)
          return asked[0]?.pid
        },
        'select pg_advisory_xact_lock(1)',
      ),
    ),
  )
  expect(new Set(pids).size).toBeGreaterThan(1)
  const locks = await own.execute(sql`select 1 from pg_locks where locktype = 'advisory' and objid = 1
    and database = (select oid from pg_database where datname = current_database())`)
  expect(locks.rowCount).toBe(0)
})

test('listening goes past the pooler, and hears what is said through it', async () => {
  const heard: string[] = []
  const connected = Promise.withResolvers<void>()
  const stop = listenOn(db, ['pooled'], {
    heard: (_channel, payload) => heard.push(payload),
    connected: connected.resolve,
  })
  await connected.promise
  expect(directPool(db).totalCount).toBeGreaterThan(0)
  await db.execute(sql`select pg_notify('pooled', 'hola')`)
  await vi.waitFor(() => expect(heard).toEqual(['hola']))
  await stop()
})

test('the addresses of database and pooler are checked together', () => {
  const url = 'postgres://localhost/carga'
  const other = `${url}2`
  const pooled = { DATABASE_POOLING: 'transaction' }
  const external = (more: object) => parseEnv({ DATABASE_URL: url, ...more }).external
  expect(external({})).toEqual({ url, direct: null, sessions: url, replica: null })
  const direct = { DATABASE_DIRECT_URL: other }
  expect(external({ ...pooled, ...direct })).toEqual({ url, direct: other, sessions: other, replica: null })
  expect(external({ DATABASE_REPLICA_URL: other })?.replica).toBe(other)
  expect(() => external(pooled)).toThrow('DATABASE_DIRECT_URL')
  expect(() => external(direct)).toThrow('is only used')
  expect(() => parseEnv(pooled)).toThrow('DATABASE_URL')
  expect(() => parseEnv({ DATABASE_REPLICA_URL: url })).toThrow('is only used with DATABASE_URL')
})
