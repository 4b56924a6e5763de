import { spawn } from 'node:child_process'
import { scryptSync } from 'node:crypto'
import { rmSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { inject } from 'vitest'
import { parseEnv } from '../../src/app/env.ts'
import { demoPassword } from '../../src/app/start.ts'
import type { Db } from '../../src/platform/database/client.ts'
import { accounts, users } from '../../src/platform/database/schema/accounts.ts'
import { demoDatabase, leave } from '../../test/kit/fresh-database.ts'
import { freePort, inherited } from '../../test/kit/two-servers.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

const live = {
  NODE_ENV: 'production',
  BASE_URL: 'https://carga.test',
  AUTH_SECRET: 'a'.repeat(32),
  PRIVACY_URL: 'https://carga.test/privacidad',
  TERMS_URL: 'https://carga.test/terminos',
}
const links = { PRIVACY_URL: live.PRIVACY_URL, TERMS_URL: live.TERMS_URL }

/** A password as the program itself hashes it. */
const hashed = (password: string, salt = 'a'.repeat(32)) =>
  `${salt}:${scryptSync(password, salt, 64, { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 }).toString('hex')}`

/** Starts the program as an operator does, brings it down once it serves, and tells what it said. */
async function start(environment: Record<string, string>): Promise<{ serves: boolean; said: string }> {
  const child = spawn(process.execPath, ['src/app/main.ts'], {
    env: { ...inherited, LOG_LEVEL: 'fatal', PORT: String(await freePort()), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  let serves = false
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  child.on('message', (message) => {
    if (message !== 'ready') return
    serves = true
    child.kill('SIGTERM')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return { serves, said: said.trim() }
}

test('a folder of a trial start does not go live: the second start refuses in one line, whatever it is told', async () => {
  const folder = newPlace('carga-trial-')
  const trial = await start({ DATA_DIR: folder })
  expect(trial).toMatchObject({ serves: true, said: expect.stringContaining('password: carga-en-casa') })
  for (const input of [{ ...live, DEMO: 'false' }, { BASE_URL: live.BASE_URL }]) {
    const { said, serves } = await start({ ...input, DATA_DIR: folder })
    expect([input, serves]).toEqual([input, false])
    expect(said).toMatch(
      /(^|\n)This database holds the demo world: \d+ of its accounts .*DATA_DIR.*DEMO=true\.$/,
    )
  }
  // Who goes on trying things out, on this machine, goes on.
  expect((await start({ DATA_DIR: folder })).serves).toBe(true)
  rmSync(folder, { recursive: true, force: true })
}, 300_000)

describe('a database of somebody else, into which DEMO=true once loaded the demo', () => {
  let db: Db
  let database: Record<string, string>
  beforeAll(async () => {
    db = await demoDatabase()
    const { host, user } = inject('postgres')
    const name = db.$client.options.database
    database = { DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}` }
  })
  afterAll(() => leave(db))
  const demo = 'This database holds the demo world'

  test('is not served either, until none of its accounts gets in', async () => {
    expect((await start({ ...live, ...database })).said).toContain(demo)
    await db.update(users).set({ active: false })
    expect((await start({ ...live, ...database })).serves).toBe(true)
  }, 180_000)

  test('nor while one gets in under another mailbox, or by a letter to a known one', async () => {
    const one = eq(users.email, 'gerente@demo.mx')
    await db.update(users).set({ active: true, email: 'directora@prueba.mx' }).where(one)
    // The tests' own hashes are quick, and no program knows them.
    await db.update(accounts).set({ password: hashed(demoPassword) })
    expect((await start({ ...live, ...database })).said).toContain('directora@prueba.mx')
    await db.update(users).set({ email: 'gerente@demo.mx' }).where(eq(users.email, 'directora@prueba.mx'))
    await db.update(accounts).set({ password: null })
    expect((await start({ ...live, ...database })).said).toContain('gerente@demo.mx')
  }, 180_000)
})

test.each<[environment: Record<string, string>, demo: boolean]>([
  [{}, true],
  [{ BASE_URL: 'http://localhost:4000' }, true],
  [{ BASE_URL: 'http://127.0.0.1:4000' }, true],
  [{ BASE_URL: 'http://[::1]:4000' }, true],
  [{ BASE_URL: 'https://carga.test' }, false],
  [{ BASE_URL: 'http://localhost.carga.test' }, false],
  [{ BASE_URL: 'http://192.168.1.10:3000' }, false],
  [{ NODE_ENV: 'production' }, false],
  [{ DATABASE_URL: 'postgres://localhost/carga' }, false],
  [{ BASE_URL: 'https://carga.test', DEMO: 'true' }, true],
  [{ DEMO: 'false' }, false],
])('by default the demo is this machine’s own: %j', (environment, demo) =>
  expect(parseEnv(environment).demo).toBe(demo),
)

describe('asked for by name', () => {
  test('the demo is served at a public address, and the start says what that means', async () => {
    const folder = newPlace('carga-fair-')
    const { said, serves } = await start({ ...live, DEMO: 'true', DATA_DIR: folder })
    expect(serves).toBe(true)
    expect(said).toContain('Warning: DEMO=true serves the demo world at https://carga.test.')
    rmSync(folder, { recursive: true, force: true })
  }, 180_000)
})

describe('production without papers of its own', () => {
  const bare = { NODE_ENV: 'production', BASE_URL: 'https://carga.test' }
  test.each<[environment: Record<string, string>, missing: string]>([
    [bare, 'PRIVACY_URL and TERMS_URL'],
    [{ ...bare, PRIVACY_URL: links.PRIVACY_URL }, 'TERMS_URL'],
    [{ ...bare, ...links, PRIVACY_URL: 'https://cargaencasa.example/otro' }, 'PRIVACY_URL'],
  ])('%j', async (environment, missing) => {
    const { said, serves } = await start(environment)
    expect(serves).toBe(false)
    expect(said).toBe(`Production needs the URLs of your privacy notice and terms: set ${missing}.`)
  })
})
