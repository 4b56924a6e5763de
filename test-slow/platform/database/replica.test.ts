import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { closeDatabase, type Db, openDatabase } from '../../../src/platform/database/client.ts'
import {
  type Embedded,
  type EmbeddedConnection,
  ensureDatabase,
  startEmbedded,
} from '../../../src/platform/database/embedded/cluster.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { listsFrom, openReplica, replicaStatus } from '../../../src/platform/database/replica.ts'
import { bookBy, startsOn } from '../../../test/appointments/history/town.ts'
import { everyModule } from '../../../test/kit/fixture.ts'
import { insertAgency, insertHome, insertPeople, type Person } from '../../../test/kit/people.ts'
import { freePort, startServer } from '../../../test/kit/two-servers.ts'
import { listenAs } from '../../../test/platform/live/ear.ts'

/** Long enough on a busy machine. */
const soon = { timeout: 15_000, interval: 50 }

const folder = mkdtempSync(path.join(tmpdir(), 'replica-'))
const place = (name: string) => path.join(folder, name)
const settings = {
  fsync: 'off',
  autovacuum: 'off',
  jit: 'off',
  shared_buffers: '32MB',
  shared_preload_libraries: 'pg_stat_statements',
}

let first: Embedded
let second: Embedded
let db: Db
/** The test's own connection to the replica. */
let replica: pg.Client
let people: Record<'manager' | 'analyst' | 'customer' | 'ally', Person>
let metrics: number
let servers: Awaited<ReturnType<typeof startServer>>[]

const urlOf = ({ host, user }: EmbeddedConnection) =>
  `postgres://${user}@localhost/carga?host=${encodeURIComponent(host)}`

/** Starts the replica: a copy of the stopped primary that streams from it. */
async function startSecond() {
  const { host, user } = first.connection
  const upstream = { primary_conninfo: `host=${host} user=${user}`, hot_standby_feedback: 'on' }
  second = await startEmbedded(place('second'), { settings: { ...settings, ...upstream } })
  replica = new pg.Client({ ...second.connection, database: 'carga' })
  replica.on('error', () => undefined)
  await replica.connect()
}

async function stopSecond() {
  await replica.end()
  await second.stop()
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const made = await startEmbedded(place('first'), { settings })
  await ensureDatabase(made.connection, 'carga')
  const fixture = openDatabase({ ...made.connection, database: 'carga' }, 4)
  await migrate(fixture)
  await fixture.$client.query('create extension pg_stat_statements')
  people = await insertPeople(fixture)
  await insertHome(fixture, people.customer)
  await closeDatabase(fixture)
  await made.stop()
  spawnSync('cp', ['-a', place('first'), place('second')])
  spawnSync('cp', ['-p', place('second/postgres/PG_VERSION'), place('second/postgres/standby.signal')])
  first = await startEmbedded(place('first'), { settings })
  db = openDatabase({ ...first.connection, database: 'carga' }, 8)
  await startSecond()
  const environment = { ...everyModule, DATABASE_REPLICA_URL: urlOf(second.connection) }
  metrics = await freePort()
  servers = await Promise.all([
    startServer(db, { ...environment, METRICS_PORT: String(metrics) }),
    startServer(db, environment),
  ])
  await becomes('serving')
}, 120_000)
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGKILL')
  await closeDatabase(db)
  await stopSecond()
  await first.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Waits until every process says so of its replica, while it is ready all along. */
async function becomes(state: string) {
  for (const { browser } of servers)
    await vi.waitFor(async () => {
      const { status, text } = await browser.visit('/readyz')
      expect([status, JSON.parse(text)]).toMatchObject([200, { ready: true, replica: state }])
    }, soon)
}

const figures = async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()

const browser = () => servers[0]!.browser
const other = () => servers[1]!.browser

/** The statements of the application that the replica ran meanwhile. */
async function askedOfReplica(work: () => Promise<{ status: number }>) {
  await replica.query('select pg_stat_statements_reset()')
  expect((await work()).status).toBeLessThan(400)
  const { rows } = await replica.query<{ query: string }>('select query from pg_stat_statements')
  return rows.map(({ query }) => query).filter((query) => !/pg_is_in_recovery|pg_stat_statements/.test(query))
}

const caughtUp = () =>
  vi.waitFor(async () => {
    const { rows } = await db.$client.query('select pg_current_wal_flush_lsn()::text as position')
    const { rows: seen } = await replica.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as all', [
      rows[0].position,
    ])
    expect(seen[0].all).toBe(true)
  })

/** What was announced before has arrived, and the replica has it. */
async function quiet() {
  await wait(300)
  await caughtUp()
}

/** The cookie of a browser that has just changed something. */
async function writtenNow() {
  const position = `select (pg_current_wal_insert_lsn() - '0/0')::text as position`
  return `carga.written=${(await db.$client.query(position)).rows[0].position}`
}

const agencies = async (as: Person, at = browser()) => (await at.visit('/admin/agencies', as)).text

const inOffice = [
  '/admin',
  '/admin/appointments-pending',
  '/admin/appointments-done.data',
  '/admin/users',
  '/admin/clients',
  '/admin/cifras',
  '/admin/cotizations',
  '/admin/agencies',
  '/admin/gesties',
  '/admin/buscar?q=camila',
  '/admin/appointments-pending.csv',
  '/admin/clients.csv',
  '/admin/cotizations.csv',
  '/admin/gesties.csv',
  '/admin/cifras/puntualidad.csv',
]

test.each(inOffice)('%s is read from the replica', async (screen) => {
  await caughtUp()
  const asked = await askedOfReplica(() => browser().visit(screen, people.manager))
  expect(asked.length).toBeGreaterThan(0)
  // The session is read from the primary, and so is money.
  expect(asked.filter((query) => /"?sessions"?|"?refunds"?|"?payment_proofs"?/.test(query))).toEqual([])
})

test('an ally reads clients and codes from the replica', async () => {
  for (const screen of ['/admin/alliate/clients', '/admin/alliate/codes', '/admin/alliate/clients.csv'])
    expect((await askedOfReplica(() => browser().visit(screen, people.ally))).length).toBeGreaterThan(0)
})

test.each([
  ['/admin/payments', 'manager'],
  ['/admin/payments/libro', 'manager'],
  ['/admin/payments.csv', 'manager'],
  ['/admin/assignations', 'manager'],
  ['/admin/account', 'manager'],
  ['/', 'customer'],
  ['/payments', 'customer'],
  ['/agenda-technics-visit', 'customer'],
  ['/v1/session', 'customer'],
] as const)('%s is read from the primary', async (screen, who) =>
  expect(await askedOfReplica(() => browser().visit(screen, people[who]))).toEqual([]),
)

test('while the replica stands still, one sees the own change and an announced one, at each process', async () => {
  await quiet()
  const ear = await listenAs(other(), people.analyst)
  await replica.query('select pg_wal_replay_pause()')
  await insertAgency(db, { name: 'Sin Aviso' })
  // Only the cookie tells a browser that changed something from another one.
  const own = { ...people.analyst, cookies: new Map(people.analyst.cookies) }
  own.cookies.set('carga.written', (await writtenNow()).split('=')[1]!)
  expect(await agencies(people.analyst)).not.toContain('Sin Aviso')
  expect(await agencies(own)).toContain('Sin Aviso')
  const details = {
    name: 'Volta Nueva',
    commissionKind: 'percent',
    commissionValue: '5',
    benefitKind: 'none',
  }
  expect((await browser().post('/admin/agencies/add', details, people.manager)).status).toBe(303)
  expect(people.manager.cookies.get('carga.written')).toMatch(/^\d+$/)
  expect(await agencies(people.manager)).toContain('Volta Nueva')
  expect(await agencies(people.manager, other())).toContain('Volta Nueva')
  expect(await ear.hears()).toBe(true)
  expect(await agencies(people.analyst, other())).toContain('Volta Nueva')
  await ear.close()
  expect(await askedOfReplica(() => browser().visit('/admin/agencies', people.manager))).toEqual([])
  await vi.waitFor(
    async () => expect(await figures()).toMatch(/^carga_replica_lag_seconds(\{.*\})? [1-9]/m),
    {
      timeout: 4_000,
    },
  )
  await replica.query('select pg_wal_replay_resume()')
  await becomes('serving')
  expect(await figures()).toMatch(/^carga_replica_serving(\{.*\})? 1$/m)
  const asked = await askedOfReplica(() => other().visit('/admin/agencies', people.analyst))
  expect(asked.length).toBeGreaterThan(0)
  expect(await agencies(people.analyst, other())).toContain('Sin Aviso')
})

test('a booking, and a form answered without JavaScript, ask nothing of the replica', async () => {
  expect(
    await askedOfReplica(() => bookBy(browser(), people.customer, 'technical_visit', startsOn(1)[4]!)),
  ).toEqual([])
  expect(
    await askedOfReplica(async () => {
      await browser().post('/admin/users', { intent: 'invite', email: 'no' }, people.manager)
      return { status: 200 }
    }),
  ).toEqual([])
})

/** A second reader of the same replica, in this process and less patient. */
async function closely(work: () => Promise<void>) {
  await quiet()
  const closed = openReplica(db, urlOf(second.connection), 2, {
    beat: 40,
    lag: 1_500,
    look: 300,
    patience: 300,
  })
  await vi.waitFor(() => expect(replicaStatus(db)?.state).toBe('serving'), soon)
  await work().finally(closed)
  expect(replicaStatus(db)).toBeUndefined()
}

const delay = (by: string) =>
  replica
    .query(`alter system set recovery_min_apply_delay = '${by}'`)
    .then(() => replica.query('select pg_reload_conf()'))

test('a replica that follows late is read until it is too late, and not by those who changed something since', () =>
  closely(async () => {
    await delay('1s')
    await wait(100)
    await insertAgency(db)
    const cookie = await writtenNow()
    for (const sent of [cookie, `other=1; __Host-${cookie}`]) expect(await listsFrom(db, sent)).toBe(db)
    expect(await listsFrom(db, null)).not.toBe(db)
    await vi.waitFor(async () => expect(await listsFrom(db, cookie)).not.toBe(db), soon)
    await delay('1h')
    await wait(100)
    await insertAgency(db)
    await vi.waitFor(() => expect(replicaStatus(db)?.state).toBe('lagging'), soon)
    expect(await listsFrom(db, null)).toBe(db)
    await delay('0')
    await vi.waitFor(() => expect(replicaStatus(db)).toMatchObject({ state: 'serving', lagMs: 0 }), soon)
  }))

test('a list of a replica that falls silent comes from the primary', () =>
  closely(async () => {
    const lists = await listsFrom(db, null)
    const { rows } = await replica.query<{ pid: number }>('select pid from pg_stat_activity')
    const postmaster = Number(readFileSync(place('second/postgres/postmaster.pid'), 'utf8').split('\n')[0])
    const all = [postmaster, ...rows.map(({ pid }) => pid)]
    for (const pid of all) process.kill(pid, 'SIGSTOP')
    const asked = await lists.$client.query('select pg_is_in_recovery() as standby')
    expect(asked.rows).toEqual([{ standby: false }])
    await vi.waitFor(() => expect(replicaStatus(db)?.state).toBe('unreachable'), soon)
    expect(await listsFrom(db, null)).toBe(db)
    for (const pid of all) process.kill(pid, 'SIGCONT')
    await vi.waitFor(() => expect(replicaStatus(db)?.state).toBe('serving'), soon)
  }))

test('a replica that stops is missed on no screen, and is read again when it is back', async () => {
  await stopSecond()
  for (const screen of [...inOffice, ...inOffice]) {
    expect([screen, (await browser().visit(screen, people.manager)).status]).toEqual([screen, 200])
  }
  expect(await agencies(people.manager)).toContain('Volta Nueva')
  await becomes('unreachable')
  await startSecond()
  await becomes('serving')
  await caughtUp()
  expect(
    (await askedOfReplica(() => browser().visit('/admin/users', people.manager))).length,
  ).toBeGreaterThan(0)
})

test('a replica that became a database of its own is not read again', async () => {
  await replica.query('select pg_promote()')
  await becomes('promoted')
  await replica.query(`insert into agencies (name) values ('De Otra Base')`)
  const shown = await agencies(people.manager)
  expect(shown).toContain('Volta Nueva')
  expect(shown).not.toContain('De Otra Base')
  await wait(1_500)
  await becomes('promoted')
})
