import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from '../../../src/app/env.ts'
import { makeBackup } from '../../../src/platform/backup/backup.ts'
import { ensureDatabase, startEmbedded } from '../../../src/platform/database/embedded/cluster.ts'
import { authSecret } from '../../../src/platform/http/sealing.ts'
import { openDrive } from '../../../src/platform/storage/drive.ts'
import { inherited } from '../../../test/kit/two-servers.ts'
import { newPlace } from '../../../test/platform/backup/place.ts'
import { startProgram } from '../../start/program.ts'

const base = newPlace('killed-')
const files = Array.from({ length: 40 }, (_, nth) => `documents/${String(nth).padStart(4, '0')}`)
const environment = { DEMO: 'false', LOG_LEVEL: 'silent', BACKUP_PASSPHRASE: 'siete volcanes y un ajolote' }

let folder: string
beforeAll(async () => {
  const env = parseEnv({ DATA_DIR: path.join(base, 'data'), ...environment })
  const server = await startEmbedded(env.dataDir, { settings: { fsync: 'off' } })
  await ensureDatabase(server.connection, 'carga')
  authSecret(undefined, env.dataDir)
  for (const key of files)
    await openDrive(env.storage).put(key, Buffer.alloc(100_000, key), 'application/pdf')
  folder = (await makeBackup(env, new Date())).folder
  await server.stop()
}, 120_000)
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** The program itself: `npm start` or a command of it, under the test. */
const run = (dataDir: string, ...args: string[]) =>
  startProgram([process.execPath, 'src/app/main.ts', ...args], {
    env: { ...inherited, DATA_DIR: dataDir, PORT: '0', ...environment },
  })

/** How a start goes: its words where it is refused, or that it serves. */
async function started(dataDir: string): Promise<string> {
  const start = run(dataDir)
  await start.reaches('is ready').catch(() => undefined)
  await start.stop()
  await start.ended
  return start.said()
}

const isWhole = (dataDir: string) => {
  const restored = readdirSync(path.join(dataDir, 'files/documents')).sort()
  return (
    restored.join() === files.map((key) => path.basename(key)).join() &&
    existsSync(path.join(dataDir, 'auth-secret'))
  )
}

const countIn = (place: string) => (existsSync(place) ? readdirSync(place, { recursive: true }).length : 0)

test('a restore that is killed at any point does not start; run again it is whole', async () => {
  let refused = 0
  for (const stored of [0, 1, 20, files.length]) {
    const name = `${stored} files`
    const dataDir = path.join(base, name)
    const isReached = () =>
      existsSync(path.join(dataDir, 'app.lock')) && countIn(path.join(dataDir, 'files/documents')) >= stored
    const { child, ended, said } = run(dataDir, 'restore', folder)
    while (child.exitCode === null && !isReached()) await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGKILL')
    await ended
    const isRestored = existsSync(path.join(dataDir, 'postgres'))
    const words = await started(dataDir)
    expect([name, said(), words]).toEqual([
      name,
      said(),
      expect.stringMatching(isRestored ? /is ready/ : /was interrupted/),
    ])
    if (isRestored) expect([name, isWhole(dataDir)]).toEqual([name, true])
    if (isRestored || refused++ > 0) continue
    const again = run(dataDir, 'restore', folder)
    await again.ended
    // The backup's database has no schema, which the look afterwards misses: it is in place all the same.
    expect([name, again.said(), isWhole(dataDir)]).toEqual([name, expect.any(String), true])
    expect(await started(dataDir)).toContain('is ready')
  }
  expect(refused).toBeGreaterThan(0)
}, 480_000)
