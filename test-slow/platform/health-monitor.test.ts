import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { openProxy } from '../../faults/proxy.ts'
import { type Db, databaseRefusal, openDatabase, transaction } from '../../src/platform/database/client.ts'
import { isUnavailable, startHealthMonitor } from '../../src/platform/database/health.ts'
import { log } from '../../src/platform/telemetry/log.ts'
import { freshDatabase } from '../../test/kit/fresh-database.ts'

let proxy: Awaited<ReturnType<typeof openProxy>>
let db: Db
let direct: Db
let stop: () => void
beforeAll(async () => {
  log.level = 'silent'
  direct = await freshDatabase(2)
  const { host, user } = inject('postgres')
  proxy = await openProxy({ path: `${host}/.s.PGSQL.5432` })
  db = openDatabase(
    { host: '127.0.0.1', port: proxy.port, user, database: direct.$client.options.database! },
    4,
  )
  stop = startHealthMonitor(db, { beatMs: 50, patience: 8 })
})
afterAll(async () => {
  log.level = process.env.LOG_LEVEL ?? 'info'
  stop()
  await db.$client.end()
  await direct.$client.end()
  await proxy.close()
})

const asked = (text = 'select 1') =>
  db.$client.query(text).then(
    () => 'answered',
    (error) => databaseRefusal(error)?.code,
  )

test('who waits for a database that fell silent is told so, and it is back by itself', async () => {
  expect(await asked()).toBe('answered')
  proxy.turn({ kind: 'silent' })
  const from = performance.now()
  expect(await asked()).toBe('unavailable')
  expect(performance.now() - from).toBeLessThan(5_000)
  await vi.waitFor(() => expect(isUnavailable(db)).toBe(true), 2_000)
  // What the same request asks next is refused without a wait, by whichever way it asks.
  const again = performance.now()
  expect([await asked(), await asked('select 2')]).toEqual(['unavailable', 'unavailable'])
  await expect(transaction(db, async () => 'done')).rejects.toThrow('does not answer')
  expect(performance.now() - again).toBeLessThan(200)
  proxy.turn({ kind: 'fair' })
  await vi.waitFor(() => expect(isUnavailable(db)).toBe(false), 2_000)
  await vi.waitFor(async () => expect(await asked()).toBe('answered'), 2_000)
})

test('a connection that is cut is no database that is gone', async () => {
  proxy.reset()
  await sleep(200)
  expect(isUnavailable(db)).toBe(false)
  await vi.waitFor(async () => expect(await asked()).toBe('answered'), 2_000)
})

test('nobody is given up because this process had no time to listen', async () => {
  const slow = asked('select pg_sleep(0.2)')
  await sleep(60)
  const end = performance.now() + 800
  while (performance.now() < end);
  expect(await slow).toBe('answered')
  expect(isUnavailable(db)).toBe(false)
})

test('one that can not be reached is gone at once, and back as soon as it can', async () => {
  for (let round = 0; round < 2; round++) {
    proxy.turn({ kind: 'closed' })
    await vi.waitFor(() => expect(isUnavailable(db)).toBe(true), 2_000)
    // Long enough for many questions that nobody answers.
    await sleep(600)
    proxy.turn({ kind: 'fair' })
    await vi.waitFor(() => expect(isUnavailable(db)).toBe(false), 2_000)
    await vi.waitFor(async () => expect(await asked()).toBe('answered'), 2_000)
  }
})

test('one that answers those who are in, and lets nobody else in, is gone until it does', async () => {
  const { host, user } = inject('postgres')
  const folder = mkdtempSync(path.join(tmpdir(), 'pulse-'))
  const socket = path.join(folder, '.s.PGSQL.5432')
  symlinkSync(path.join(host, '.s.PGSQL.5432'), socket)
  const own = openDatabase({ host: folder, user, database: direct.$client.options.database! }, 2)
  const end = startHealthMonitor(own, { beatMs: 20, patience: 100 })
  try {
    await own.$client.query('select 1')
    await sleep(100)
    expect(isUnavailable(own)).toBe(false)
    rmSync(socket)
    await vi.waitFor(() => expect(isUnavailable(own)).toBe(true), 10_000)
    symlinkSync(path.join(host, '.s.PGSQL.5432'), socket)
    await vi.waitFor(() => expect(isUnavailable(own)).toBe(false), 10_000)
  } finally {
    end()
    await own.$client.end()
    rmSync(folder, { recursive: true })
  }
})

test('it is asked where statements wait, and seldom where others are answered or nothing is asked', async () => {
  const own = openDatabase(direct.$client.options, 2)
  const asks = vi.spyOn(pg.Client.prototype, 'query')
  /** How often the monitor asked meanwhile. */
  const during = async (work: () => Promise<unknown>) => {
    asks.mockClear()
    await work()
    return asks.mock.calls.filter(([text]) => String(text) === 'select 1').length
  }
  const end = startHealthMonitor(own, { beatMs: 20, patience: 1_000 })
  try {
    const often = async () => {
      const until = performance.now() + 1_000
      for (; performance.now() < until; await sleep(5)) await own.$client.query('select 2')
    }
    // Fifty intervals: five new connections. On a machine that is busy a statement may wait for several of them.
    for (const work of [() => sleep(1_000), often])
      await vi.waitFor(async () => expect(await during(work)).toBeLessThan(10), 15_000)
    expect(await during(() => own.$client.query('select pg_sleep(0.5)'))).toBeGreaterThan(3)
  } finally {
    end()
    asks.mockRestore()
    await own.$client.end()
  }
})
