import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authSecret } from '../../src/server/accounts/secret.ts'
import { makeBackup } from '../../src/server/backup/backup.ts'
import { readManifest } from '../../src/server/backup/manifest.ts'
import { restoreBackup } from '../../src/server/backup/restore.ts'
import { type Db, openDatabase } from '../../src/server/database/database.ts'
import { loadDemo } from '../../src/server/database/demo.ts'
import { type Embedded, ensureDatabase, startEmbedded } from '../../src/server/database/embedded.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { parseEnv } from '../../src/server/env.ts'
import { openDrive } from '../../src/server/files/drive.ts'
import { missingFiles } from '../../src/server/files/missing.ts'

const base = mkdtempSync(path.join(tmpdir(), 'backup-'))
chmodSync(base, 0o755)
const envAt = (name: string, more = {}) => parseEnv({ DATA_DIR: path.join(base, name), ...more })
const env = envAt('data', { BACKUP_KEEP: '1' })
const settings = { fsync: 'off' }

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
})
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

test('restored into an empty place, every row, every file and the key are as they were', async () => {
  const there = envAt('restored')
  await restoreBackup(there, folder)
  const restored = await startEmbedded(there.dataDir, { settings })
  const copy = openDatabase({ ...restored.connection, database: 'carga' }, 4)
  try {
    const tables = await tablesOf(db)
    expect(Object.keys(tables).length).toBeGreaterThan(40)
    expect(await tablesOf(copy)).toEqual(tables)
    // What was committed before the copying began is there, and of what came after nothing is there without what came before it.
    const [busy] = (await copy.$client.query('select count(*)::int as count, max(n) as last from busy')).rows
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
})

test('where there is something already, nothing is restored', async () => {
  await expect(restoreBackup(envAt('restored'), folder)).rejects.toThrow('restaura en un lugar vacío')
  const half = envAt('restored', { S3_BUCKET: '' })
  rmSync(path.join(half.dataDir, 'files'), { recursive: true })
  await expect(restoreBackup(half, folder)).rejects.toThrow('restaura en una carpeta vacía')
  await expect(restoreBackup(env, folder)).rejects.toThrow()
  const dumped = envAt('elsewhere', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  await expect(restoreBackup(dumped, folder)).rejects.toThrow('sin DATABASE_URL')
  const keyed = envAt('keyed')
  const theirs = authSecret(undefined, keyed.dataDir)
  await expect(restoreBackup(keyed, folder)).rejects.toThrow('ya hay otra clave')
  expect(readdirSync(keyed.dataDir)).toEqual(['auth-secret'])
  expect(authSecret(undefined, keyed.dataDir)).toBe(theirs)
})

test('a damaged backup, or half of one, is named and not used', async () => {
  const { files } = await readManifest(folder)
  const { path: name } = files.find((file) => file.path.startsWith('files/'))!
  const place = path.join(folder, name)
  const bytes = readFileSync(place)
  writeFileSync(place, Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)]))
  await expect(restoreBackup(envAt('new'), folder)).rejects.toThrow(`${name} no es como se guardó`)
  rmSync(place)
  await expect(restoreBackup(envAt('new'), folder)).rejects.toThrow(`${name} no es como se guardó`)
  writeFileSync(place, bytes)
  await expect(restoreBackup(envAt('new'), path.dirname(folder))).rejects.toThrow(
    'no hay un respaldo completo',
  )
  expect(readdirSync(base)).not.toContain('new')
})

test('where there is no database, none is made to be backed up', async () => {
  const nowhere = envAt('nowhere')
  await expect(makeBackup(nowhere, new Date())).rejects.toThrow('No hay nada que respaldar')
  expect(existsSync(nowhere.dataDir)).toBe(false)
  mkdirSync(nowhere.dataDir)
  await expect(makeBackup(nowhere, new Date())).rejects.toThrow('No hay nada que respaldar')
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
  external.external = { url, direct: null, sessions: url }
  await expect(makeBackup(external, new Date())).rejects.toThrow(/Falta .*pg_dump de PostgreSQL 18/)
  writeFileSync(path.join(bin, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 15.18"\n', { mode: 0o755 })
  await expect(makeBackup(external, new Date())).rejects.toThrow('es de la versión 15')
  expect(readdirSync(path.join(external.dataDir, 'backups'))).toEqual([])
})
