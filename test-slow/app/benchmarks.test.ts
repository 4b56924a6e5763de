import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../../src/platform/database/client.ts'
import { ensureDatabase, startEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

const root = path.resolve(import.meta.dirname, '../..')
const benchmarks = readdirSync(path.join(root, 'bench')).filter((name) => name.endsWith('.bench.ts'))
/** Those that ask the calendar for starts; what the others ask is alike on every day. */
const isOfCalendar = (name: string) => /allStarts/.test(readFileSync(path.join(root, 'bench', name), 'utf8'))

/** What moves the clocks, by moment: Sunday evening, the last hour of the year, the evening before a long weekend. */
const clocks: [string, Record<string, string>][] = Object.entries(
  JSON.parse(process.env.BENCH_CLOCKS ?? '{"without libfaketime":{}}'),
)

/** Made once and copied: each benchmark starts a database of its own. */
const cluster = newPlace('bench-cluster-')
beforeAll(async () => {
  const server = await startEmbedded(cluster, { settings: { fsync: 'off' } })
  await ensureDatabase(server.connection, 'carga')
  const db = openDatabase({ ...server.connection, database: 'carga' }, 2)
  await migrate(db)
  await db.$client.end()
  await server.stop()
})
afterAll(() => rmSync(cluster, { recursive: true, force: true }))

async function runsShort(name: string, clock: Record<string, string> = {}) {
  const env = { ...process.env, ...clock, BENCH_SHORT: '1', BENCH_CLUSTER: cluster }
  const { stdout } = await promisify(execFile)(process.execPath, [`bench/${name}`], { cwd: root, env })
  const { lines } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { lines: { goal?: string }[] }
  expect(lines.filter(({ goal }) => goal)).not.toEqual([])
}

describe.skipIf(!process.env.BENCH_CLOCKS).each(clocks)('%s', (_moment, clock) => {
  test.concurrent.each(benchmarks.filter(isOfCalendar))(
    '%s runs in its short form and judges its goals',
    { timeout: 120_000 },
    (name) => runsShort(name, clock),
  )
})

test.concurrent.each(benchmarks.filter((name) => !isOfCalendar(name)))(
  '%s runs in its short form and judges its goals',
  { timeout: 120_000 },
  (name) => runsShort(name),
)

/** The exit code of a program, and what it says of what went wrong. */
const ended = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, BENCH_SHORT: '' } }).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

const reporting = (line: string) =>
  ended(
    '--input-type=module-typescript',
    '--eval',
    `import { isFast, report } from './bench/report.ts'; report('a', 'b', [{ what: 'c', goal: '<= 1 ms', ${line} }])`,
  )

test('a full run ends with 1 where a goal is not met, and with 0 where it only aims at it', async () => {
  expect(await reporting('met: isFast(2 <= 1)')).toMatchObject({ code: 1 })
  expect(await reporting('met: isFast(2 <= 1), fails: false')).toMatchObject({ code: 0 })
  expect(await reporting('met: isFast(1 <= 1)')).toMatchObject({ code: 0 })
  expect(await reporting('met: true, fails: true')).toMatchObject({ code: 1 })
})

test('npm run tasks names its ways and tasks to whoever mistypes one', { timeout: 120_000 }, async () => {
  const { code, stderr } = await ended('bench/office/run.ts', 'keybord')
  expect(code).toBe(2)
  expect(stderr).toContain('keyboard')
  expect(stderr).toContain('Review a proof')
  expect(await ended('bench/office/run.ts', 'keyboard', '--write')).toMatchObject({ code: 2 })
})
