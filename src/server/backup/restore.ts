import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { secretFile } from '../accounts/secret.ts'
import { beginCluster, finishCluster, locateCluster } from '../database/cluster.ts'
import { lockData } from '../database/data-lock.ts'
import type { Env } from '../env.ts'
import { openDrive } from '../files/drive.ts'
import { copyFile, eachOf, measure } from './copy.ts'
import { restoreDump, serverMajor } from './dump.ts'
import { type BackedUpFile, type Manifest, readManifest } from './manifest.ts'

/**
 * Puts a backup into an empty place: DATA_DIR without a database, or DATABASE_URL's without tables. Every file of it is
 * compared with its hash before anything is written.
 */
export async function restoreBackup(env: Env, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await verify(folder, manifest.files)
  await demandEmptyDrive(env)
  await demandNoOtherSecret(env, folder, manifest)
  if (manifest.kind === 'physical') await placeCluster(env, folder, manifest)
  else await fillDatabase(env, folder, manifest)
  await placeFiles(env, folder, manifest)
  if (manifest.secret && !env.AUTH_SECRET) await placeSecret(env, folder)
  return manifest
}

async function verify(folder: string, files: readonly BackedUpFile[]) {
  await eachOf(files, async ({ bytes, path: name, sha256 }) => {
    const found = await measure(path.join(folder, name)).catch(() => null)
    if (found?.bytes !== bytes || found.sha256 !== sha256)
      throw new Error(`El respaldo está dañado: ${name} no es como se guardó`)
  })
}

async function placeCluster(env: Env, folder: string, { files, postgres }: Manifest) {
  if (env.DATABASE_URL)
    throw new Error('Este respaldo es de la base de datos incluida: restáuralo sin DATABASE_URL')
  await mkdir(env.dataDir, { recursive: true })
  const dataDir = realpathSync(env.dataDir)
  const lock = lockData(dataDir, 0)
  if ('holder' in lock)
    throw new Error(`Carga en Casa está corriendo con estos datos (proceso ${lock.holder})`)
  try {
    const cluster = locateCluster(dataDir)
    if (existsSync(cluster.folder))
      throw new Error(`En ${env.dataDir} ya hay una base de datos: restaura en una carpeta vacía (DATA_DIR)`)
    const part = beginCluster(cluster, dataDir)
    // The server doesn't start without them, and most are empty.
    for (const name of clusterFolders) await mkdir(path.join(part, name), { recursive: true, mode: 0o700 })
    await eachOf(below(files, 'database/'), async (name) => {
      await copyFile(path.join(folder, 'database', name), path.join(part, name))
    })
    const major = Number(await readFile(path.join(part, 'PG_VERSION'), 'utf8'))
    if (major !== postgres)
      throw new Error(`El respaldo dice PostgreSQL ${postgres} y es de la versión ${major}`)
    finishCluster(cluster, dataDir, part)
  } finally {
    lock.release()
  }
}

const clusterFolders = [
  ...['base', 'global', 'pg_commit_ts', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial'],
  ...['pg_snapshots', 'pg_stat', 'pg_stat_tmp', 'pg_subtrans', 'pg_tblspc', 'pg_twophase', 'pg_xact'],
  ...['pg_logical/mappings', 'pg_logical/snapshots', 'pg_multixact/members', 'pg_multixact/offsets'],
  ...['pg_wal/archive_status', 'pg_wal/summaries'],
]

async function fillDatabase(env: Env, folder: string, { postgres }: Manifest) {
  const url = env.external?.sessions
  if (!url) throw new Error('Este respaldo es de pg_dump: di con DATABASE_URL en qué base vacía se restaura')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const major = await serverMajor(client)
    if (major < postgres)
      throw new Error(`El respaldo es de PostgreSQL ${postgres} y esta base es de la versión ${major}`)
    const { rowCount } = await client.query(
      "select 1 from pg_tables where schemaname in ('public', 'pgboss') limit 1",
    )
    if (rowCount) throw new Error('La base de DATABASE_URL ya tiene tablas: restaura en una vacía')
    await restoreDump(
      path.join(env.PG_BIN ?? '', 'pg_restore'),
      url,
      major,
      path.join(folder, 'database.dump'),
    )
  } finally {
    await client.end()
  }
}

async function demandEmptyDrive(env: Env) {
  for await (const { key } of openDrive(env.storage).all())
    throw new Error(`Donde van los archivos ya hay algunos (${key}): restaura en un lugar vacío`)
}

/** One that is there may be in use: whoever lost it could open nothing that was sealed with it. */
async function demandNoOtherSecret(env: Env, folder: string, { secret }: Manifest) {
  const file = secretFile(env.dataDir)
  if (!secret || env.AUTH_SECRET || !existsSync(file)) return
  if ((await readFile(file)).equals(await readFile(path.join(folder, 'auth-secret')))) return
  throw new Error(
    `En ${env.dataDir} ya hay otra clave (auth-secret): restaura en una carpeta vacía (DATA_DIR)`,
  )
}

async function placeFiles(env: Env, folder: string, { files }: Manifest) {
  const drive = openDrive(env.storage)
  await eachOf(below(files, 'files/'), async (key) => {
    const bytes = await readFile(path.join(folder, 'files', key))
    await drive.put(key, bytes, 'application/octet-stream')
  })
}

async function placeSecret(env: Env, folder: string) {
  await mkdir(env.dataDir, { recursive: true })
  const secret = await readFile(path.join(folder, 'auth-secret'))
  await writeFile(secretFile(env.dataDir), secret, { mode: 0o600 })
}

const below = (files: readonly BackedUpFile[], start: string) =>
  files
    .map(({ path: name }) => name)
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length))
