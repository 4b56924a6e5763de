import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '../../test/kit/two-servers.ts'

const repository = path.resolve(import.meta.dirname, '../..')
let folder: string
let supervisor: ChildProcess | undefined
let said: string

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'supervise-'))
  cpSync(path.join(repository, 'bin'), path.join(folder, 'bin'), { recursive: true })
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  mkdirSync(path.join(folder, 'src'))
})
afterEach(() => {
  supervisor?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A server of these words, below what `npm start` runs once everything is installed and built. */
function supervised(server: string) {
  writeFileSync(path.join(folder, 'src/server.mjs'), server)
  const start = path.join(folder, 'start.mjs')
  writeFileSync(start, `import { supervise } from './bin/processes.mjs'; supervise('src/server.mjs')`)
  said = ''
  const child = spawn(process.execPath, [start], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  supervisor = child
  return child
}
const serving = `process.on('disconnect', () => process.exit()); process.send('ready'); console.log('up ' + process.pid + '.'); setInterval(() => {}, 1000)`
const pids = () => [...said.matchAll(/up (\d+)\./g)].map(([, pid]) => Number(pid))
const starts = (count: number) => vi.waitFor(() => expect(pids()).toHaveLength(count), 10_000)
const end = (child: ChildProcess) => once(child, 'exit')

test('a server that is killed is started again, as often as that happens; a clean end is one', async () => {
  const child = supervised(`process.on('SIGTERM', () => process.exit(0)); ${serving}`)
  for (const count of [1, 2, 3]) {
    await starts(count)
    process.kill(pids().at(-1)!, 'SIGKILL')
  }
  await starts(4)
  expect(said.match(/ended unexpectedly \(SIGKILL\)/g)).toHaveLength(3)
  child.kill('SIGTERM')
  expect(await end(child)).toEqual([0, null])
  expect(pids()).toHaveLength(4)
})

/** Serves a port as the application does: after a kill only once it is ready, and the supervisor leaves the port then. */
const ready = () => path.join(folder, 'ready')
const listening = (port: number) => `import fs from 'node:fs'
  import http from 'node:http'
  const late = process.argv.includes('--late')
  const listen = () => new Promise((resolve, reject) => {
    const server = http.createServer((request, response) => response.end('served'))
    server.once('error', reject)
    server.listen({ port: ${port}, host: '127.0.0.1' }, resolve)
  })
  while (late && !fs.existsSync('${ready()}')) await new Promise((resolve) => setTimeout(resolve, 10))
  for (;;) try { await listen(); break } catch { process.send('port'); await new Promise((resolve) => setTimeout(resolve, 5)) }
  process.send({ listening: { port: ${port}, host: '127.0.0.1' } })
  ${serving}`

test('visitors are answered while a killed server starts again, but for some milliseconds', async () => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  supervised(listening(port))
  await starts(1)
  const ask = (init: RequestInit = {}) =>
    fetch(origin, { ...init, headers: { connection: 'close', ...init.headers } })
  const words = () =>
    ask().then(
      (one) => one.text(),
      () => 'refused',
    )
  for (const count of [1, 2, 3]) {
    process.kill(pids().at(-1)!, 'SIGKILL')
    await expect.poll(words, { interval: 1 }).toContain('Volvemos en unos segundos')
    writeFileSync(ready(), '')
    let refusedAt = 0
    let longest = 0
    for (let answer = ''; answer !== 'served'; answer = await words()) {
      refusedAt = answer !== 'refused' ? 0 : refusedAt || performance.now()
      if (refusedAt) longest = Math.max(longest, performance.now() - refusedAt)
    }
    // Some milliseconds, on a busy machine too far less than a start takes.
    expect(longest).toBeLessThan(1_000)
    await starts(count + 1)
    rmSync(ready())
  }
  process.kill(pids().at(-1)!, 'SIGKILL')
  const html = { accept: 'text/html' }
  await expect
    .poll(() => ask({ headers: html }).then(({ status }) => status, String), { interval: 5 })
    .toBe(503)
  const page = await ask({ headers: html })
  expect([page.headers.get('retry-after'), page.headers.get('refresh')]).toEqual(['2', '2'])
  expect(await page.text()).toContain('<h1>Volvemos en unos segundos</h1>')
  const sent = await ask({ headers: html, method: 'POST', body: 'x'.repeat(1_000_000) })
  expect([sent.status, sent.headers.get('refresh')]).toEqual([503, null])
  expect(await sent.text()).toContain('No se hizo ningún cambio')
  expect(await (await ask()).json()).toMatchObject({ code: 'unavailable' })
})

test('SIGUSR2 is passed on, and ends nothing', async () => {
  const child = supervised(`process.on('SIGUSR2', () => console.log('heard')); ${serving}`)
  await starts(1)
  child.kill('SIGUSR2')
  await vi.waitFor(() => expect(said).toContain('heard'), 10_000)
  expect(pids()).toHaveLength(1)
  expect(child.exitCode).toBeNull()
})

test('one that fails before it ever served is not tried again, and its code is passed on', async () => {
  expect(await end(supervised(`console.error('Port 3000 is in use.'); process.exit(1)`))).toEqual([1, null])
  expect(said).toBe('Port 3000 is in use.\n')
})

test('one that lost the database while starting is tried once more, and only once', async () => {
  const mark = path.join(folder, 'tried')
  const lost = `console.error('The database was lost.'); process.exit(75)`
  const child = supervised(
    `import { existsSync, writeFileSync } from 'node:fs'
    if (!existsSync('${mark}')) { writeFileSync('${mark}', ''); ${lost} }
    process.on('SIGTERM', () => process.exit(0)); ${serving}`,
  )
  await starts(1)
  expect(said).toMatch(/^The database was lost\.\nTrying once more\.\nup /)
  child.kill('SIGTERM')
  expect(await end(child)).toEqual([0, null])
  expect(await end(supervised(lost))).toEqual([75, null])
  expect(said.match(/was lost/g)).toHaveLength(2)
})

test('one that served and then fails is tried later each time, until somebody ends the trying', async () => {
  const child = supervised(
    `process.send('ready', () => { console.log('up ' + process.pid + '.'); process.exit(3) })`,
  )
  // Told of its last end: while it still ran, what is asked would be passed on to it.
  await vi.waitFor(() => expect(said.match(/\(exit code 3\)/g)).toHaveLength(4), 10_000)
  child.kill('SIGTERM')
  expect(await end(child)).toEqual([0, null])
})
