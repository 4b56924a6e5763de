import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, realpathSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import type { Db } from '../database/client.ts'
import { beginCluster, finishCluster, locateCluster } from '../database/embedded/cluster.ts'
import {
  assertRestored,
  closeData,
  isHalfRestored,
  lockData,
  markFinished,
  markUnfinished,
} from '../database/embedded/data-folder.ts'
import { secretFile } from '../http/sealing.ts'
import { openDrive } from '../storage/drive.ts'
import { keyToRestore, manifestName, readManifest, restoreDump, serverMajor } from './manifest.ts'
import type { BackedUpFile, BackupEnv, Manifest } from './schema.ts'

/** Copies a file, flushed to the disk, and returns its size and hash; null where it no longer exists. */
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
    // A table dropped meanwhile: recovery drops it, too.
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

/** Refuses the remains of a killed restore into an external database, before it is migrated. */
export async function assertWholeDatabase(dataDir: string, db: Db): Promise<void> {
  if (!isHalfRestored(dataDir)) return
  const found = await db.$client.query("select from pg_tables where schemaname = 'public' limit 1")
  assertRestored(dataDir, found.rowCount !== 0)
}

/** Undoes a step; run from the last to the first where the restore is refused. */
type Back = (() => unknown)[]

/** The restore's source and target; `back` collects how to undo each step. */
type Work = { env: BackupEnv; folder: string; manifest: Manifest; dataDir: string; back: Back }

/**
 * Restores a backup into an empty target: DATA_DIR without a database, or DATABASE_URL without tables. Every file is
 * compared with its hash before anything is written; a refused restore leaves nothing. The database comes last, as one step:
 * a restore killed before that does not start, and can be repeated.
 */
export async function restoreBackup(
  env: BackupEnv,
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

function assertKind(env: BackupEnv, { kind }: Manifest) {
  if (kind === 'physical' && env.DATABASE_URL)
    throw new Error('This backup is of the embedded database: restore it without DATABASE_URL')
  if (kind === 'dump' && !env.external)
    throw new Error('This backup was made by pg_dump: set DATABASE_URL to an empty database to restore into')
}

/** An additional file is refused as well. */
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

/** Takes the data folder, created where it is missing, and marks it first; the mark of an interrupted restore stays. */
function openPlace(asked: string, folder: string, back: Back) {
  const made = closeData(asked)
  const dataDir = realpathSync(asked)
  const missing = ['app.lock', 'app.pid']
    .map((name) => path.join(dataDir, name))
    .filter((file) => !existsSync(file))
  if (!isHalfRestored(dataDir)) back.push(() => markFinished(dataDir))
  markUnfinished(dataDir, folder)
  const lock = lockData(dataDir, 0)
  if ('holder' in lock)
    throw new Error(`Carga en Casa is running on this data folder (process ${lock.holder})`)
  back.push(() => {
    for (const place of made ? [made] : missing) rmSync(place, { recursive: true, force: true })
  })
  return { dataDir, release: lock.release }
}

/** Creates the cluster beside its final place; the returned function moves it there in one step. */
async function makeCluster({ back, dataDir, folder, manifest }: Work) {
  const { files, postgres } = manifest
  const cluster = locateCluster(dataDir)
  if (existsSync(cluster.folder))
    throw new Error(`${dataDir} already holds a database: restore into an empty folder (DATA_DIR)`)
  const part = beginCluster(cluster, dataDir)
  back.push(() => rmSync(part, { recursive: true, force: true }))
  // The server needs these folders to start, and most are empty.
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

/** Checks the target database; the returned function fills it, in one transaction. */
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

/** Overwrites the remains of a killed restore of the same backup; any other data is refused. */
async function assertEmptyDrive(env: BackupEnv, { files }: Manifest) {
  const ours = new Set(isHalfRestored(env.dataDir) ? below(files, 'files/') : [])
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
