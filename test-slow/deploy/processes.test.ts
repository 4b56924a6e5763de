import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { freshDatabase } from '../../test/kit/fresh-database.ts'
import { freePort, inherited, startServer } from '../../test/kit/two-servers.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

const db = await freshDatabase()
const metrics = await freePort()
const site = await startServer(
  db,
  {
    ROLE: 'all',
    WEB_PROCESSES: '2',
    METRICS_PORT: String(metrics),
    LOG_LEVEL: 'silent',
    DRAIN_DELAY_MS: '200',
  },
  '--processes',
)
const { origin } = site.browser
afterAll(async () => {
  await site.browser.stop()
  await db.$client.end()
})

/** The web processes of a supervisor. */
function processesOf({ pid }: ChildProcess): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter((child) => commandOf(child).includes('--shared'))
}
const commandOf = (pid: number) =>
  existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''

/** One request by a connection of its own; the status, or the error's code. */
const ask = (address: string) =>
  new Promise<number | string | undefined>((resolve) =>
    http
      .get(address, { agent: false, timeout: 10_000 }, (answer) =>
        answer.resume().once('end', () => resolve(answer.statusCode)),
      )
      .once('timeout', () => resolve('timeout'))
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve(code)),
  )

/** Asks, by connections that are kept and others, until the work is done; returns what was not answered well. */
async function askingWhile(work: () => Promise<unknown>) {
  let working = true
  let answered = 0
  const bad: unknown[] = []
  const note = (answer: unknown) => (answer === 200 ? answered++ : bad.push(answer))
  const loop = async (one: () => Promise<unknown>) => {
    while (working) note(await one())
  }
  const kept = () => fetch(`${origin}/readyz`).then(({ status }) => status, String)
  const loops = [loop(() => ask(`${origin}/readyz`)), loop(() => ask(`${origin}/signin`)), loop(kept)]
  await work().finally(() => {
    working = false
  })
  await Promise.all(loops)
  expect(answered).toBeGreaterThan(20)
  return bad
}

const metricsOf = async (n: number) => (await fetch(`http://localhost:${metrics + n}/metrics`)).text()
const answersOf = (text: string) => /route="\/signin".* (\d+)/.exec(text)?.[1]

/** Both processes serve, none of these among them. */
const bothWithout = (...gone: number[]) =>
  vi.waitFor(async () => {
    const now = processesOf(site.child)
    expect(now).toHaveLength(2)
    expect(now.filter((pid) => gone.includes(pid))).toEqual([])
    const figures = await Promise.all([metricsOf(0), metricsOf(1)])
    for (const text of figures) expect(text).toContain('carga_database_up 1')
  }, 30_000)

test('two processes answer at one port, one of them takes the jobs', { timeout: 60_000 }, async () => {
  await bothWithout()
  await vi.waitFor(async () => {
    await Promise.all(Array.from({ length: 40 }, () => ask(`${origin}/signin`)))
    expect(answersOf(await metricsOf(0))).toBeDefined()
    expect(answersOf(await metricsOf(1))).toBeDefined()
  }, 30_000)
  await vi.waitFor(async () => expect(await metricsOf(0)).toMatch(/carga_jobs_total\{/), 10_000)
  expect(await metricsOf(1)).not.toMatch(/carga_jobs_total\{/)
})

test('one that is killed is started again by itself, and only its own requests fail', {
  timeout: 60_000,
}, async () => {
  const [first = 0, second = 0] = processesOf(site.child)
  const bad = await askingWhile(async () => {
    process.kill(first, 'SIGKILL')
    await bothWithout(first)
  })
  // Each of the three loops has at most one request at the killed process.
  expect(bad.length).toBeLessThanOrEqual(3)
  expect(processesOf(site.child)).toContain(second)
})

test('SIGUSR2 replaces one after the other, and no request fails', { timeout: 90_000 }, async () => {
  const before = processesOf(site.child)
  const bad = await askingWhile(async () => {
    site.child.kill('SIGUSR2')
    await bothWithout(...before)
  })
  expect(bad).toEqual([])
})

test('a stop ends all of them', { timeout: 30_000 }, async () => {
  const before = processesOf(site.child)
  await site.browser.stop()
  expect(site.child.exitCode).toBe(0)
  expect(before.map(commandOf)).toEqual(['', ''])
  expect(await ask(origin)).toBe('ECONNREFUSED')
})

test('the embedded database outlives a killed process, and stops with the last', {
  timeout: 120_000,
}, async () => {
  const place = newPlace('processes-')
  const data = path.join(place, 'data')
  const port = String(await freePort())
  const start = (more: Record<string, string> = {}) => {
    const child = spawn(process.execPath, ['src/app/main.ts', '--processes'], {
      env: {
        ...inherited,
        WEB_PROCESSES: '2',
        DEMO: 'false',
        LOG_LEVEL: 'silent',
        PORT: port,
        DATA_DIR: data,
        ...more,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    return { child, said: () => said.trim() }
  }
  const { child } = start()
  const ready = () => ask(`http://localhost:${port}/readyz`)
  const both = async () => expect([await ready(), processesOf(child).length]).toEqual([200, 2])
  await vi.waitFor(both, 60_000)
  const server = readFileSync(path.join(data, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]
  const [first = 0] = processesOf(child)
  process.kill(first, 'SIGKILL')
  await vi.waitFor(() => expect(processesOf(child)).not.toContain(first), 10_000)
  await vi.waitFor(both, 30_000)
  expect(readFileSync(path.join(data, 'postgres/postmaster.pid'), 'utf8')).toContain(server)
  for (const [more, refusal] of [
    [{}, `Carga en Casa is already running on this data folder (process ${child.pid})`],
    [{ DATA_DIR: `${data}-2` }, `Port ${port} is in use.`],
  ] as const) {
    const second = start(more)
    expect(await once(second.child, 'exit')).toEqual([1, null])
    expect(second.said()).toContain(refusal)
  }
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(existsSync(path.join(data, 'postgres/postmaster.pid'))).toBe(false)
  rmSync(place, { recursive: true, force: true })
})
