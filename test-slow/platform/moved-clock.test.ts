import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Db } from '../../src/platform/database/client.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

/** Debian's library, where `npm run test:slow` found it. */
const clocks: Record<string, { LD_PRELOAD?: string }> = JSON.parse(process.env.BENCH_CLOCKS ?? '{}')
const library = Object.values(clocks)[0]?.LD_PRELOAD

const folder = newPlace('carga-clock-data-')
/** Apart: a data folder is closed to the database's user. */
const clockFiles = newPlace('carga-clock-')
/** The clock that a process reads again and again from a file: "+26h", and "+0" where it is right. */
const clockOf = (whose: 'app' | 'database') => ({
  LD_PRELOAD: library ?? '',
  FAKETIME_TIMESTAMP_FILE: path.join(clockFiles, whose),
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
})
const move = (to: { app?: string; database?: string }) => {
  for (const [whose, clock] of Object.entries(to)) writeFileSync(path.join(clockFiles, whose), `${clock}\n`)
}

let db: Db
let begin: () => Promise<{ kill: () => Promise<void>; stop: () => Promise<void> }>
let app: Awaited<ReturnType<typeof begin>>
let stopDatabase: () => Promise<void>
beforeAll(async () => {
  if (!library) return
  move({ app: '+0', database: '+0' })
  for (const [name, value] of Object.entries(clockOf('database'))) vi.stubEnv(name, value)
  // Read when it is loaded: which clock the database gets.
  const { ensureDatabase, startEmbedded } = await import('../../src/platform/database/embedded/cluster.ts')
  const { openDatabase } = await import('../../src/platform/database/client.ts')
  const { startServer } = await import('../../test/kit/two-servers.ts')
  const server = await startEmbedded(folder)
  stopDatabase = () => server.stop()
  await ensureDatabase(server.connection, 'carga')
  db = openDatabase({ ...server.connection, database: 'carga' }, 4)
  begin = async () => (await startServer(db, { ...clockOf('app'), ROLE: 'all', DEMO: 'false' })).browser
  app = await begin()
}, 240_000)
afterAll(async () => {
  await app?.stop()
  await db?.$client.end()
  await stopDatabase?.()
  for (const place of [folder, clockFiles]) rmSync(place, { recursive: true, force: true })
}, 60_000)

/** How often each round of at most so many minutes was done, by its jobs. */
async function countsOf(minutes: number) {
  const { rows } = await db.$client.query<{ name: string; done: number }>(
    `select rounds.name, count(job.id)::int as done from rounds
     left join pgboss.job on job.name = rounds.name and state = 'completed' where minutes <= $1 group by 1`,
    [minutes],
  )
  return new Map(rows.map(({ done, name }) => [name, done]))
}

/** Waits until every round of at most so many minutes was done again. */
async function runsAgain(minutes: number, timeout: number) {
  const before = await countsOf(minutes)
  const missing = async () => {
    const now = await countsOf(minutes)
    return [...now.keys()].filter((name) => now.get(name) === before.get(name))
  }
  await expect.poll(missing, { timeout, interval: 500 }).toEqual([])
}

const day = 1_440
test.skipIf(!library)(
  'every round runs again within its interval and a minute, whichever clock jumps, back and forth, with restarts',
  async () => {
    await runsAgain(1, 90_000)
    // By the database's clock alone: what the application's does changes nothing.
    for (const clock of ['+26h', '-3h', '+0']) {
      move({ app: clock })
      await runsAgain(1, 120_000)
    }
    // A jump of the database's is noticed at the next beat, and every round's time has come.
    for (const clock of ['+26h', '+0', '-27h', '+0']) {
      move({ database: clock })
      await runsAgain(day, 60_000)
    }
    for (const clock of ['+26h', '-27h', '+0']) {
      move({ app: clock, database: clock })
      await runsAgain(day, 60_000)
    }
    move({ app: '+42h', database: '+42h' })
    await runsAgain(day, 60_000)
    await app.kill()
    move({ app: '+0', database: '+0' })
    app = await begin()
    await runsAgain(day, 90_000)
    await runsAgain(1, 120_000)
  },
  900_000,
)
