import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inherited } from '../../test/kit/two-servers.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

const base = newPlace('data-folder-')
const data = path.join(base, 'inner', 'data')
const isRoot = process.getuid?.() === 0
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** Starts the program itself on the folder, as `npm start` does, under the umask that most systems have. */
async function startAndEnd() {
  const child = spawn('/bin/sh', ['-c', 'umask 022; exec "$0" src/app/main.ts', process.execPath], {
    env: { ...inherited, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text))
  await expect
    .poll(() => child.exitCode !== null || said.includes('is ready'), { timeout: 120_000 })
    .toBe(true)
  child.kill()
  await once(child, 'exit')
  expect(said).toContain('is ready')
}

/** Whatever others may do something with, below the folder; the cluster is asked for as a whole. */
const open = () =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .map((entry) => path.relative(data, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('postgres/'))
    .filter((name) => (statSync(path.join(data, name)).mode & 0o077) !== 0)

test('npm start makes a data folder that nobody else reads, with a demo world in it', {
  timeout: 180_000,
}, async () => {
  await startAndEnd()
  expect(readdirSync(path.join(data, 'files')).length).toBeGreaterThan(0)
  expect(open()).toEqual([])
  expect(statSync(data).mode & 0o777).toBe(isRoot ? 0o710 : 0o700)
  expect(statSync(path.join(data, 'postgres')).mode & 0o777).toBe(0o700)
})

test('a folder of before is closed at the next start, and PostgreSQL still gets in', {
  timeout: 180_000,
}, async () => {
  for (const folder of [data, path.dirname(data)]) chmodSync(folder, 0o755)
  for (const name of ['files', 'auth-secret', 'app.pid']) chmodSync(path.join(data, name), 0o755)
  mkdirSync(path.join(data, 'files/old'), { mode: 0o755 })
  const paper = path.join(data, 'files/old/paper')
  writeFileSync(paper, 'somebody’s', { mode: 0o644 })
  chmodSync(path.dirname(paper), 0o755)
  const asNobody = () => (isRoot ? spawnSync('cat', [paper], { uid: 65_534, gid: 65_534 }).status : 1)
  if (isRoot) expect(asNobody()).toBe(0)
  await startAndEnd()
  expect(statSync(data).mode & 0o777).toBe(isRoot ? 0o710 : 0o700)
  expect(asNobody()).not.toBe(0)
  for (const [name, mode] of [
    ['files', 0o700],
    ['auth-secret', 0o600],
    ['app.pid', 0o600],
  ] as const)
    expect([name, statSync(path.join(data, name)).mode & 0o777]).toEqual([name, mode])
})
