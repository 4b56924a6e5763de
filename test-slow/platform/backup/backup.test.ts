import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { loadDemo } from '../../../seeds/world.ts'
import { parseEnv } from '../../../src/app/env.ts'
import { makeBackup } from '../../../src/platform/backup/backup.ts'
import { readManifest, writeManifest } from '../../../src/platform/backup/manifest.ts'
import { restoreBackup } from '../../../src/platform/backup/restore.ts'
import type { NewManifest } from '../../../src/platform/backup/schema.ts'
import { type Db, openDatabase } from '../../../src/platform/database/client.ts'
import {
  type Embedded,
  ensureDatabase,
  startEmbedded,
} from '../../../src/platform/database/embedded/cluster.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { authSecret } from '../../../src/platform/http/sealing.ts'
import { missingFiles, openDrive } from '../../../src/platform/storage/drive.ts'
import { newPlace } from '../../../test/platform/backup/place.ts'

const base = newPlace('backup-')
const envAt = (name: string, more = {}) => parseEnv({ DATA_DIR: path.join(base, name), ...more })
const passphrase = 'siete volcanes y un ajolote'
const sealed = { BACKUP_PASSPHRASE: passphrase }
const env = envAt('data', { BACKUP_KEEP: '1', ...sealed })
const settings = { fsync: 'off' }

/** Every file of a backup is written, flushed and read again. */
const patient = { timeout: 240_000 }

let server: Embedded
let db: Db
let folder: string
const madeAt = new Date()
/** Beside one of long ago, and one that was killed in the middle long ago. */
const beingMade = `${madeAt.getUTCFullYear() + 1}-01-31T060000Z.part`
/** What was acknowledged of a table that is written to all the while: before the backup, and when it ended. */
const written = { before: 0, after: 0 }

beforeAll(async () => {
  server = await startEmbedded(env.dataDir, { settings })
  await ensureDatabase(server.connection, 'carga')
  db = openDatabase({ ...server.connection, database: 'carga' }, 4)
  await migrate(db)
  await loadDemo(db, new Date(), openDrive(env.storage))
  authSecret(undefined, env.dataDir)
  await db.$client.query('create table busy (n int primary key, filler text)')
  folder = await backUpWhileWriting()
}, 240_000)
afterAll(async () => {
  await db.$client.end()
  await server.stop()
  rmSync(base, { recursive: true, force: true })
})

async function backUpWhileWriting(): Promise<string> {
  let ended = false
  const writer = (async () => {
    while (!ended) {
      await db.$client.query("insert into busy values ($1, repeat('x', 2000))", [written.after + 1])
      written.after++
    }
  })()
  while (written.after < 20) await new Promise((resolve) => setTimeout(resolve, 5))
  written.before = written.after
  const home = path.join(env.dataDir, 'backups')
  for (const name of ['2020-01-31T060000Z', '2020-01-30T060000Z.part', beingMade])
    mkdirSync(path.join(home, name), { recursive: true })
  const made = await makeBackup(env, madeAt)
  ended = true
  await writer
  return made.folder
}

/** Every table with a hash of all its rows in an order of their own. */
async function tablesOf(from: Db): Promise<Record<string, string>> {
  const { rows } = await from.$client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'pgboss') and tablename <> 'busy' order by 1`,
  )
  const hashes = rows.map(async ({ name }) => {
    const text = `select count(*) || ' ' || md5(coalesce(string_agg(row::text, '|' order by row::text), '')) as hash from ${name} as row`
    return [name, (await from.$client.query<{ hash: string }>(text)).rows[0]!.hash]
  })
  return Object.fromEntries(await Promise.all(hashes))
}

const filesOf = (data: string) =>
  readdirSync(path.join(data, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => path.join(parentPath, name))
    .map((file) => [path.relative(data, file), readFileSync(file, 'base64')])
    .sort()

test(
  'restored into an empty place, every row, every file and the key are as they were',
  patient,
  async () => {
    const there = envAt('restored', sealed)
    await restoreBackup(there, folder)
    const restored = await startEmbedded(there.dataDir, { settings })
    const copy = openDatabase({ ...restored.connection, database: 'carga' }, 4)
    try {
      const tables = await tablesOf(db)
      expect(Object.keys(tables).length).toBeGreaterThan(40)
      expect(await tablesOf(copy)).toEqual(tables)
      // What was committed before the copying began is there, and of what came after nothing is there without what came before it.
      const [busy] = (await copy.$client.query('select count(*)::int as count, max(n) as last from busy'))
        .rows
      expect(busy.count).toBe(busy.last)
      expect(busy.count).toBeGreaterThanOrEqual(written.before)
      expect(busy.count).toBeLessThanOrEqual(written.after)
      expect(await missingFiles(copy, openDrive(there.storage))).toEqual([])
    } finally {
      await copy.$client.end()
      await restored.stop()
    }
    expect(filesOf(there.dataDir).length).toBeGreaterThan(5)
    expect(filesOf(there.dataDir)).toEqual(filesOf(env.dataDir))
    expect(authSecret(undefined, there.dataDir)).toBe(authSecret(undefined, env.dataDir))
  },
)

test('where there is something already, nothing is restored', patient, async () => {
  await expect(restoreBackup(envAt('restored'), folder)).rejects.toThrow('restore into an empty place')
  const half = envAt('restored', { S3_BUCKET: '' })
  rmSync(path.join(half.dataDir, 'files'), { recursive: true })
  await expect(restoreBackup(half, folder)).rejects.toThrow('restore into an empty folder')
  await expect(restoreBackup(env, folder)).rejects.toThrow()
  const dumped = envAt('elsewhere', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  await expect(restoreBackup(dumped, folder)).rejects.toThrow('without DATABASE_URL')
  const keyed = envAt('keyed', sealed)
  const theirs = authSecret(undefined, keyed.dataDir)
  await expect(restoreBackup(keyed, folder)).rejects.toThrow('already holds another key')
  expect(readdirSync(keyed.dataDir)).toEqual(['auth-secret'])
  expect(authSecret(undefined, keyed.dataDir)).toBe(theirs)
})

test('a damaged backup, or half of one, is named and not used', patient, async () => {
  const { files } = await readManifest(folder)
  const { path: name } = files.find((file) => file.path.startsWith('files/'))!
  const place = path.join(folder, name)
  const bytes = readFileSync(place)
  writeFileSync(place, Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)]))
  expect(await refusalOf(envAt('new', sealed))).toContain(`${name} is missing or was changed`)
  rmSync(place)
  expect(await refusalOf(envAt('new', sealed))).toContain(`${name} is missing or was changed`)
  writeFileSync(place, bytes)
  const extra = path.join(folder, 'files', 'nobody-put-me-here')
  writeFileSync(extra, 'x')
  expect(await refusalOf(envAt('new', sealed))).toContain('is not part of it')
  rmSync(extra)
  await expect(restoreBackup(envAt('new'), path.dirname(folder))).rejects.toThrow('is not a complete backup')
  expect(readdirSync(base)).not.toContain('new')
})

/** In what words a restore is refused. */
const refusalOf = (there: typeof env, from = folder) =>
  restoreBackup(there, from).then(
    () => 'restored',
    (error: Error) => error.message,
  )

/** What comes of a restore while the manifest says something else; sealed again, it is right but says what is not so. */
async function restoredWith(
  change: (said: NewManifest) => object,
  { there = envAt('new', sealed), isSealed = false } = {},
) {
  const manifest = path.join(folder, 'manifest.json')
  const text = readFileSync(manifest, 'utf8')
  const { digest, ...said } = JSON.parse(text)
  const changed = { ...said, ...change(said) }
  if (isSealed) await writeManifest(folder, changed)
  else writeFileSync(manifest, JSON.stringify({ ...changed, digest }))
  return refusalOf(there).finally(() => writeFileSync(manifest, text))
}

test('a table whose entry and file are both gone, and a backup of a newer version, are called that', async () => {
  const { files } = await readManifest(folder)
  const { path: table } = files.find((file) => /^database\/base\/\d+\/\d{5}$/.test(file.path))!
  const bytes = readFileSync(path.join(folder, table))
  rmSync(path.join(folder, table))
  const said = await restoredWith(({ files }) => ({ files: files.filter((file) => file.path !== table) }))
  writeFileSync(path.join(folder, table), bytes)
  expect(said).toContain('manifest.json is damaged or was changed')
  expect(await restoredWith(() => ({ format: 3 }))).toContain('was made by a newer version of the program')
})

test(
  'the key is nowhere in a backup in clear; without it a restore says in words what it needs, and leaves nothing',
  patient,
  async () => {
    const key = authSecret(undefined, env.dataDir)
    const apart = await makeBackup(
      { ...env, BACKUP_PASSPHRASE: undefined, BACKUP_DIR: path.join(base, 'apart') },
      madeAt,
    )
    for (const made of [folder, apart.folder])
      for (const entry of readdirSync(made, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && readFileSync(path.join(entry.parentPath, entry.name)).includes(key))
          expect.fail(`${entry.name} has the key`)
    const restored = (more: object, from: string) => refusalOf(envAt('new', more), from)
    expect(await restored({}, apart.folder)).toMatch(
      /does not contain its key: copy the original auth-secret file to .*--without-key/,
    )
    expect(await restored({ AUTH_SECRET: 'x'.repeat(32) }, apart.folder)).toContain(
      'AUTH_SECRET is not the key',
    )
    expect(await restored({}, folder)).toContain('set the original BACKUP_PASSPHRASE')
    expect(await restored({ BACKUP_PASSPHRASE: 'otra frase, muy larga' }, folder)).toContain(
      'does not decrypt the key',
    )
    expect(readdirSync(base)).not.toContain('new')
    const given = envAt('given', { AUTH_SECRET: key })
    await restoreBackup(given, apart.folder)
    expect(readdirSync(given.dataDir)).not.toContain('auth-secret')
    const without = envAt('without')
    await restoreBackup(without, apart.folder, { withoutKey: true })
    expect(readdirSync(without.dataDir)).not.toContain('auth-secret')
    for (const one of [given, without]) rmSync(one.dataDir, { recursive: true })
    rmSync(path.join(base, 'apart'), { recursive: true })
  },
)

test('two backups in the same second are two', patient, async () => {
  const input = {
    ...env,
    BACKUP_KEEP: 10,
    BACKUP_DIR: path.join(base, 'twice'),
    BACKUP_PASSPHRASE: undefined,
  }
  const made = [
    ...(await Promise.all([makeBackup(input, madeAt), makeBackup(input, madeAt)])),
    await makeBackup(input, madeAt),
  ]
  expect(new Set(made.map((one) => one.folder)).size).toBe(3)
  for (const one of made) expect((await readManifest(one.folder)).files).toHaveLength(one.files)
  rmSync(input.BACKUP_DIR, { recursive: true })
})

test('a refused restore leaves nothing behind, not even in a folder that was there', patient, async () => {
  const there = envAt('there', sealed)
  mkdirSync(there.dataDir)
  const said = await restoredWith(() => ({ postgres: 17 }), { there, isSealed: true })
  expect(said).toContain('says PostgreSQL 17')
  expect(readdirSync(there.dataDir)).toEqual([])
})

test('where there is no database, none is made to be backed up', async () => {
  const nowhere = envAt('nowhere')
  await expect(makeBackup(nowhere, new Date())).rejects.toThrow('Nothing to back up')
  expect(existsSync(nowhere.dataDir)).toBe(false)
  mkdirSync(nowhere.dataDir)
  await expect(makeBackup(nowhere, new Date())).rejects.toThrow('Nothing to back up')
  expect(readdirSync(nowhere.dataDir)).toEqual([])
})

test('the newest are kept, and when the last one was made is told', () => {
  const home = path.dirname(folder)
  expect(readdirSync(home).sort()).toEqual([path.basename(folder), beingMade, 'last.json'].sort())
  const last = JSON.parse(readFileSync(path.join(home, 'last.json'), 'utf8'))
  expect(last).toMatchObject({ at: madeAt.toISOString(), ok: true, folder })
})

test('a pg_dump of another version, or none, is told in words and leaves nothing behind', async () => {
  const bin = mkdtempSync(path.join(base, 'bin-'))
  const url = `postgres://postgres@/carga?host=${encodeURIComponent(server.connection.host)}`
  const external = envAt('external', { DATABASE_URL: 'postgres://x@y/z', PG_BIN: bin })
  external.external = { url, direct: null, sessions: url, replica: null }
  await expect(makeBackup(external, new Date())).rejects.toThrow(/pg_dump of PostgreSQL 18 is missing/)
  writeFileSync(path.join(bin, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 15.18"\n', { mode: 0o755 })
  await expect(makeBackup(external, new Date())).rejects.toThrow('is version 15')
  expect(readdirSync(path.join(external.dataDir, 'backups'))).toEqual([])
})
