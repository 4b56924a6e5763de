import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { secretFile } from '../../accounts/sealing.ts'
import type { Env } from '../../app/env.ts'
import type { Db } from '../database/client.ts'
import {
  beginCluster,
  finishCluster,
  hasCluster,
  locateCluster,
  lockData,
} from '../database/embedded/cluster.ts'
import { closeData } from '../database/health.ts'
import { openDrive } from '../storage/drive.ts'
import { keyToRestore, manifestName, readManifest, restoreDump, serverMajor } from './manifest.ts'
import type { BackedUpFile, Manifest } from './schema.ts'

/** Copies one file, to the disk and not only to its cache, and answers what was written; null where it is gone. */
export async function copyFile(from: string, to: string): Promise<Omit<BackedUpFile, 'path'> | null> {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
  try {
    await pipeline(createReadStream(from), counted, createWriteStream(to, { mode: 0o600, flush: true }))
  } catch (error) {
    // A table that was dropped meanwhile: what recovery replays drops it too.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && bytes === 0) return null
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Runs a task for each of many, at most eight at once, and stops at the first that fails. */
export async function eachOf<One>(many: Iterable<One>, task: (one: One) => Promise<void>): Promise<void> {
  const rest = many[Symbol.iterator]()
  const take = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await task(next.value)
  }
  await Promise.all(Array.from({ length: 8 }, take))
}

/** The length in bytes and the SHA-256 of a file. */
export async function fileDigest(file: string): Promise<Omit<BackedUpFile, 'path'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

const markIn = (dataDir: string) => path.join(dataDir, 'restoring')

/** Whether a restore began here that did not come to its end. */
const isUnfinished = (dataDir: string) => existsSync(markIn(dataDir))

/** From its first byte until the database stands, a place that is restored is marked. */
const markUnfinished = (dataDir: string, folder: string) =>
  writeFileSync(markIn(dataDir), `${folder}\n`, { mode: 0o600, flush: true })

/** What is restored is whole: only then the mark goes. */
const markFinished = (dataDir: string) => rmSync(markIn(dataDir), { force: true })

const half =
  'A restore is running here, or was interrupted: run npm run restore again with the same folder, then start'

/** Refuses data that a killed restore left half there. The database came last: where it stands, only the mark was left. */
export function assertWhole(dataDir: string): void {
  if (isUnfinished(dataDir)) decide(dataDir, hasCluster(dataDir))
}

/** The same for a database of the operator's, before it gets its schema. */
export async function assertWholeDatabase(dataDir: string, db: Db): Promise<void> {
  if (!isUnfinished(dataDir)) return
  const found = await db.$client.query("select from pg_tables where schemaname = 'public' limit 1")
  decide(dataDir, found.rowCount !== 0)
}

function decide(dataDir: string, isThere: boolean) {
  if (!isThere) throw new Error(half)
  markFinished(dataDir)
}

/** What takes a step back; from the last one to the first where the whole is refused. */
type Back = (() => unknown)[]

/** What is restored where; `back` takes each step. */
type Work = { env: Env; folder: string; manifest: Manifest; dataDir: string; back: Back }

/**
 * Puts a backup into an empty place: DATA_DIR without a database, or DATABASE_URL's without tables. Every file of it is
 * compared with its hash before anything is written; what is refused leaves nothing. The database comes last, as one step:
 * what was killed before it does not start, and is restored again over what it left.
 */
export async function restoreBackup(
  env: Env,
  folder: string,
  { withoutKey = false } = {},
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  assertKind(env, manifest)
  await verify(folder, manifest.files)
  await assertEmptyDrive(env, manifest)
  const key = withoutKey ? null : await keyToRestore(env, folder, manifest)
  const back: Back = []
  let release = () => {}
  try {
    const place = openPlace(env.dataDir, folder, back)
    release = place.release
    const { dataDir } = place
    const work = { env, folder, manifest, dataDir, back }
    const commit = await (manifest.kind === 'physical' ? makeCluster(work) : openDump(work))
    await placeFiles(work)
    if (key) await placeKey(work, key)
    await commit()
    markFinished(dataDir)
    return manifest
  } catch (error) {
    for (const step of back.reverse()) await step()
    throw error
  } finally {
    release()
  }
}

function assertKind(env: Env, { kind }: Manifest) {
  if (kind === 'physical' && env.DATABASE_URL)
    throw new Error('This backup is of the embedded database: restore it without DATABASE_URL')
  if (kind === 'dump' && !env.external)
    throw new Error('This backup was made by pg_dump: set DATABASE_URL to an empty database to restore into')
}

/** Also a file too many is not what was backed up. */
async function verify(folder: string, files: readonly BackedUpFile[]) {
  await eachOf(files, async ({ bytes, path: name, sha256 }) => {
    const found = await fileDigest(path.join(folder, name)).catch(() => null)
    if (found?.bytes !== bytes || found.sha256 !== sha256)
      throw new Error(`The backup is damaged: ${name} is missing or was changed`)
  })
  const listed = new Set([manifestName, ...files.map(({ path: name }) => path.normalize(name))])
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name))
    if (!entry.isDirectory() && !listed.has(name))
      throw new Error(`The backup is damaged: ${name} is not part of it`)
  }
}

/** Takes the data folder, made where it is missing. First of all it is marked: what an interrupted one marked stays so. */
function openPlace(asked: string, folder: string, back: Back) {
  const made = closeData(asked)
  const dataDir = realpathSync(asked)
  const missing = ['app.lock', 'app.pid']
    .map((name) => path.join(dataDir, name))
    .filter((file) => !existsSync(file))
  if (!isUnfinished(dataDir)) back.push(() => markFinished(dataDir))
  markUnfinished(dataDir, folder)
  const lock = lockData(dataDir, 0)
  if ('holder' in lock)
    throw new Error(`Carga en Casa is running on this data folder (process ${lock.holder})`)
  back.push(() => {
    for (const place of made ? [made] : missing) rmSync(place, { recursive: true, force: true })
  })
  return { dataDir, release: lock.release }
}

/** Makes the cluster beside its place; the answer puts it there, which is one step. */
async function makeCluster({ back, dataDir, folder, manifest }: Work) {
  const { files, postgres } = manifest
  const cluster = locateCluster(dataDir)
  if (existsSync(cluster.folder))
    throw new Error(`${dataDir} already holds a database: restore into an empty folder (DATA_DIR)`)
  const part = beginCluster(cluster, dataDir)
  back.push(() => rmSync(part, { recursive: true, force: true }))
  // The server doesn't start without them, and most are empty.
  for (const name of clusterFolders) await mkdir(path.join(part, name), { recursive: true, mode: 0o700 })
  await eachOf(below(files, 'database/'), async (name) => {
    await copyFile(path.join(folder, 'database', name), path.join(part, name))
  })
  const major = Number(await readFile(path.join(part, 'PG_VERSION'), 'utf8'))
  if (major !== postgres)
    throw new Error(`The backup says PostgreSQL ${postgres}, but its database is version ${major}`)
  return () => finishCluster(cluster, dataDir, part)
}

const clusterFolders = [
  'base',
  'global',
  'pg_commit_ts',
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_xact',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_multixact/members',
  'pg_multixact/offsets',
  'pg_wal/archive_status',
  'pg_wal/summaries',
]

/** Looks at the database that is to be filled; the answer fills it, in one transaction. */
async function openDump({ env, folder, manifest: { postgres } }: Work) {
  const url = env.external?.sessions ?? ''
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const major = await serverMajor(client)
    if (major < postgres)
      throw new Error(`The backup is of PostgreSQL ${postgres} and this database is version ${major}`)
    const { rowCount } = await client.query('select 1 from pg_tables where schemaname = any($1) limit 1', [
      ['public', 'pgboss'],
    ])
    if (rowCount)
      throw new Error('The database of DATABASE_URL already has tables: restore into an empty one')
    const program = path.join(env.PG_BIN ?? '', 'pg_restore')
    return () => restoreDump(program, url, major, path.join(folder, 'database.dump'))
  } finally {
    await client.end()
  }
}

/** What a restore of the same backup left that was killed is written over; anything else is a person's. */
async function assertEmptyDrive(env: Env, { files }: Manifest) {
  const ours = new Set(isUnfinished(env.dataDir) ? below(files, 'files/') : [])
  for await (const { key } of openDrive(env.storage).all())
    if (!ours.has(key))
      throw new Error(`The place for files already holds some (${key}): restore into an empty place`)
}

async function placeFiles({ back, env, folder, manifest: { files } }: Work) {
  const drive = openDrive(env.storage)
  const { storage } = env
  const keys = below(files, 'files/')
  if ('folder' in storage && !existsSync(storage.folder))
    back.push(() => rmSync(storage.folder, { recursive: true, force: true }))
  else back.push(() => eachOf(keys, (key) => drive.delete(key)))
  await eachOf(keys, async (key) => {
    const bytes = await readFile(path.join(folder, 'files', key))
    await drive.put(key, bytes, 'application/octet-stream')
  })
}

async function placeKey({ back, dataDir }: Work, key: string) {
  const file = secretFile(dataDir)
  back.push(() => rmSync(file, { force: true }))
  await writeFile(file, key, { mode: 0o600, flush: true })
}

const below = (files: readonly BackedUpFile[], start: string) =>
  files
    .map(({ path: name }) => name)
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length))
