import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type Embedded, ensureDatabase, startEmbedded } from '../../src/platform/database/embedded/cluster.ts'

const isRoot = process.getuid?.() === 0
// fsync on, as in production, for what kill -9 must not lose.
let base: string
let data: string
let server: Embedded | undefined

beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'embedded-'))
  spawnSync('chmod', ['755', base])
  data = path.join(base, 'data')
})
afterAll(async () => {
  await server?.stop()
  rmSync(base, { recursive: true, force: true })
})

const query = async (text: string) => {
  const client = new pg.Client({ ...server?.connection, database: 'carga' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}
const noted = async () => (await query('select count(*)::int as n from notes'))[0]!.n
const pidFile = () => path.join(data, 'postgres/postmaster.pid')
const serverPid = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0])
/** A zombie has ended: only whoever started it has not looked yet. */
const isAlive = (pid: number) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())

/** The servers of this cluster, without their own processes. */
const postmasters = () =>
  spawnSync('pgrep', ['-f', `postgres -D ${data}/postgres`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)

/** Another process that starts the server on the same data and says how it went; `hold` keeps it alive. */
function otherApp(): Promise<{ said: string; child: ChildProcess }> {
  const entry = path.resolve(import.meta.dirname, '../../src/platform/database/embedded/cluster.ts')
  const code = `import { startEmbedded } from ${JSON.stringify(entry)}
    await startEmbedded(${JSON.stringify(data)}).then(() => console.log('started'), (error) => console.log(error.message))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) =>
    child.stdout.once('data', (said) => resolve({ said: String(said).trim(), child })),
  )
}

test('a first start makes a server; the next finds its rows, and drops what a killed one left', async () => {
  server = await startEmbedded(data)
  await ensureDatabase(server.connection, 'carga')
  await ensureDatabase(server.connection, 'carga')
  await query('create table notes (n int)')
  await query('insert into notes select generate_series(1, 50)')
  const pid = serverPid()
  await server.stop()
  await server.stop()
  expect(isAlive(pid)).toBe(false)
  const part = path.join(data, 'postgres.new-left')
  mkdirSync(part)
  server = await startEmbedded(data)
  expect(existsSync(part)).toBe(false)
  expect(await noted()).toBe(50)
})

test('the server listens on a private socket only and keeps the values of refused rows out of its log', async () => {
  expect(await query('show listen_addresses')).toEqual([{ listen_addresses: '' }])
  expect(statSync(path.join(data, 'postgres')).mode & 0o777).toBe(0o700)
  await query('create table once (mail text primary key)')
  await query(`insert into once values ('ana@example.mx')`)
  await expect(query(`insert into once values ('ana@example.mx')`)).rejects.toThrow('once_pkey')
  const log = readFileSync(path.join(data, 'postgres/server.log'), 'utf8')
  expect(log).toContain('once_pkey')
  expect(log).not.toContain('ana@example.mx')
})

test('a second app on the same data is refused and told which is the first; a command may join it', async () => {
  const { said, child } = await otherApp()
  child.kill('SIGKILL')
  expect(said).toBe(`Carga en Casa is already running on this data folder (process ${process.pid})`)
  await (await startEmbedded(data, { join: true })).stop()
  expect(await query('select 1 as n')).toEqual([{ n: 1 }])
})

test('after kill -9 of the server every committed row is there', async () => {
  await query('insert into notes values (51)')
  const pid = serverPid()
  process.kill(pid, 'SIGKILL')
  await server?.stop()
  server = await startEmbedded(data)
  expect(serverPid()).not.toBe(pid)
  expect(await noted()).toBe(51)
})

test('killed under its app, the server is started again by itself, once, with every committed row', async () => {
  for (const n of [52, 53]) {
    await query(`insert into notes values (${n})`)
    const pid = serverPid()
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => expect(await noted()).toBe(n), 30_000)
    expect(serverPid()).not.toBe(pid)
  }
  expect(postmasters()).toEqual([serverPid()])
  await query('delete from notes where n > 51')
  const last = serverPid()
  await server?.stop()
  expect(isAlive(last)).toBe(false)
  server = await startEmbedded(data)
})

test('a server whose socket’s file is gone is started again by itself, with every committed row', async () => {
  const pid = serverPid()
  rmSync(path.join(server!.connection.host, '.s.PGSQL.5432'))
  await vi.waitFor(async () => expect(await noted()).toBe(51), 30_000)
  expect(serverPid()).not.toBe(pid)
  expect(postmasters()).toEqual([serverPid()])
})

const running = `select pid from pg_stat_activity where state = 'active' and query like '%generate_series%' and pid <> pg_backend_pid()`

test('a query that outlives its killed server does not keep the next one from starting', async () => {
  const endless = query('select count(*) from generate_series(1, 100000000000)').catch(
    (error: Error) => error.message,
  )
  await vi.waitFor(async () => expect(await query(running)).toHaveLength(1), 10_000)
  process.kill(serverPid(), 'SIGKILL')
  await server?.stop()
  server = await startEmbedded(data)
  expect(await endless).toMatch(/terminated|connection error/)
  expect(await noted()).toBe(51)
})

test('after kill -9 of the app its server is taken over', async () => {
  await server?.stop()
  const { said, child } = await otherApp()
  expect(said).toBe('started')
  const pid = serverPid()
  child.kill('SIGKILL')
  await new Promise((done) => child.once('exit', done))
  server = await startEmbedded(data)
  expect(serverPid()).toBe(pid)
  expect(await noted()).toBe(51)
  await server.stop()
  expect(existsSync(pidFile())).toBe(false)
})

test('of two apps that start at the same moment one gets the data', async () => {
  const apps = await Promise.all([otherApp(), otherApp()])
  expect(apps.filter(({ said }) => said === 'started')).toHaveLength(1)
  expect(apps.filter(({ said }) => said.startsWith('Carga en Casa is already running'))).toHaveLength(1)
  for (const { child } of apps) child.kill('SIGKILL')
})

test('a pid file with the number of a stranger does not block the start, nor harm the stranger', async () => {
  server = await startEmbedded(data)
  const text = readFileSync(pidFile(), 'utf8')
  await server.stop()
  // The same user as the server's: PostgreSQL alone would believe this number.
  const { uid, gid } = statSync(path.join(data, 'postgres'))
  const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  writeFileSync(pidFile(), text.replace(/^\d+/, String(stranger.pid)))
  server = await startEmbedded(data)
  expect(await noted()).toBe(51)
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  stranger.kill()
})

test.runIf(isRoot)('run as root, the server is another user', async () => {
  const owner = spawnSync('ps', ['-o', 'uid=', '-p', String(serverPid())], { encoding: 'utf8' }).stdout.trim()
  expect(Number(owner)).toBeGreaterThan(0)
  expect(statSync(path.join(data, 'postgres')).uid).toBe(Number(owner))
})

test('a deep folder with a difficult name gets a short socket', async () => {
  const deep = path.join(base, 'mis proyectos, "2026"', 'x'.repeat(120), 'data')
  mkdirSync(deep, { recursive: true })
  const second = await startEmbedded(deep, { settings: { fsync: 'off' } })
  expect(second.connection.host.length).toBeLessThan(90)
  await ensureDatabase(second.connection, 'carga')
  await second.stop()
  rmSync(second.connection.host, { recursive: true, force: true })
})

test.runIf(isRoot)(
  'under a folder that other users can not enter, the cluster is outside, linked, and stays found',
  async () => {
    const closed = path.join(base, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const options = { settings: { fsync: 'off' } }
    const first = await startEmbedded(path.join(closed, 'data'), options)
    await ensureDatabase(first.connection, 'carga')
    await first.stop()
    const moved = path.join(base, 'moved')
    renameSync(closed, moved)
    const second = await startEmbedded(path.join(moved, 'data'), options)
    const client = new pg.Client({ ...second.connection, database: 'carga' })
    await client.connect()
    await client.end()
    await second.stop()
    const outside = path.dirname(realpathSync(path.join(moved, 'data/postgres')))
    expect(outside).toMatch(/^\/var\/lib\/carga-en-casa\//)
    rmSync(outside, { recursive: true })
  },
)

test('a start killed in the middle of the making leaves nothing that blocks the next', async () => {
  const half = path.join(base, 'half')
  mkdirSync(path.join(half, 'postgres.new-abc123/base'), { recursive: true })
  await (await startEmbedded(half, { settings: { fsync: 'off' } })).stop()
  expect(existsSync(path.join(half, 'postgres.new-abc123'))).toBe(false)
})

test('a folder that is no database is refused in one line', async () => {
  mkdirSync(path.join(base, 'odd/postgres/things'), { recursive: true })
  await expect(startEmbedded(path.join(base, 'odd'))).rejects.toThrow('is not a database')
})
