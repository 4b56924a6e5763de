import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import {
  type EmbeddedConnection,
  hasCluster,
  locateCluster,
  startEmbedded,
} from '../database/embedded/cluster.ts'
import { openDrive } from '../storage/drive.ts'
import { backUpKey, dumpDatabase, serverMajor, writeManifest } from './manifest.ts'
import { copyFile, eachOf, fileDigest } from './restore.ts'
import type { BackedUpFile, BackedUpKey, BackupEnv, NewManifest } from './schema.ts'

/** The folder that backups are written into. */
export const backupsOf = ({ BACKUP_DIR, dataDir }: Pick<BackupEnv, 'BACKUP_DIR' | 'dataDir'>): string =>
  path.resolve(BACKUP_DIR ?? path.join(dataDir, 'backups'))

type Backup = { folder: string; bytes: number; files: number; key: BackedUpKey | null }

/** Backup folders are named by their time, and so sort by age. */
const named = /^\d{4}-\d{2}-\d{2}T\d{6}Z$/
const nameOf = (moment: Date) => moment.toISOString().replace(/:|\.\d+/g, '')
const aDay = 24 * 3_600_000

/**
 * Writes the database, the files and the key's fingerprint into a new folder. The database is copied first: a file is
 * stored before the row that names it, so the files copied later include it.
 */
export async function makeBackup(env: BackupEnv, now: Date): Promise<Backup> {
  if (!env.external && !hasCluster(env.dataDir))
    throw new Error(`Nothing to back up: ${env.dataDir} holds no database, and DATABASE_URL is not set`)
  const home = backupsOf(env)
  await mkdir(home, { recursive: true, mode: 0o700 })
  const { name, part } = await begin(home, now)
  try {
    const database = await (env.external ? dumpInto(env, env.external.sessions, part) : copyInto(env, part))
    await copyFiles(env, part)
    const key = await backUpKey(env, part)
    const files = await listed(part)
    const at = now.toISOString()
    const made: NewManifest = { product: 'carga-en-casa', format: 2, at, ...database, key, files }
    await writeManifest(part, made)
    const folder = path.join(home, name)
    await rename(part, folder)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    await writeFile(path.join(home, 'last.json'), JSON.stringify({ at, ok: true, bytes, folder }))
    await removeOld(home, env.BACKUP_KEEP, { newest: name, dead: nameOf(new Date(now.getTime() - aDay)) })
    return { folder, bytes, files: files.length, key }
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

/** An empty folder to write into, and its final name: this second, or the next one without a backup. */
async function begin(home: string, now: Date): Promise<{ name: string; part: string }> {
  for (let moment = now; ; moment = new Date(moment.getTime() + 1_000)) {
    const name = nameOf(moment)
    const part = path.join(home, `${name}.part`)
    // Creating the folder decides between two backups that start at once.
    const made = await mkdir(part, { mode: 0o700 }).then(() => true, isThere)
    if (made && !existsSync(path.join(home, name))) return { name, part }
    if (made) await rm(part, { recursive: true })
  }
}

function isThere(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error
  return false
}

async function dumpInto(env: BackupEnv, url: string, part: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const postgres = await serverMajor(client).finally(() => client.end())
  const program = path.join(env.PG_BIN ?? '', 'pg_dump')
  const file = path.join(part, 'database.dump')
  // pg_dump writes into the existing file, which no other user may read.
  await writeFile(file, '', { mode: 0o600 })
  await dumpDatabase(program, url, postgres, file)
  return { kind: 'dump' as const, postgres }
}

/** Uses the server of a running app, or starts one for the time of the backup. */
async function copyInto(env: BackupEnv, part: string) {
  const embedded = await startEmbedded(env.dataDir, { join: true })
  try {
    const client = new pg.Client({ ...embedded.connection, database: 'postgres' })
    await client.connect()
    const postgres = await serverMajor(client).finally(() => client.end())
    const { folder } = locateCluster(realpathSync(env.dataDir))
    await copyCluster(embedded.connection, folder, path.join(part, 'database'))
    return { kind: 'physical' as const, postgres }
  } finally {
    await embedded.stop()
  }
}

async function copyFiles(env: BackupEnv, part: string) {
  const drive = openDrive(env.storage)
  const keys: string[] = []
  for await (const { key } of drive.all()) keys.push(key)
  await eachOf(keys, async (key) => {
    const bytes = await drive.get(key)
    // Deleted since it was listed; the restore counts rows whose file is missing.
    if (!bytes) return
    const file = path.join(part, 'files', key)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, bytes, { mode: 0o600, flush: true })
  })
}

/** The size and hash of every file of the backup, as on the disk. */
async function listed(part: string): Promise<BackedUpFile[]> {
  const entries = await readdir(part, { recursive: true, withFileTypes: true })
  const found: BackedUpFile[] = []
  await eachOf(
    entries.filter((entry) => entry.isFile()),
    async ({ name, parentPath }) => {
      const file = path.join(parentPath, name)
      found.push({ path: path.relative(part, file), ...(await fileDigest(file)) })
    },
  )
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Also removes the remains of killed backups, once they are too old to be in use. A later name is of a clock that was ahead: it counts once its time has come. */
async function removeOld(home: string, keep: number, { dead, newest }: { dead: string; newest: string }) {
  const all = (await readdir(home)).sort()
  const parts = all.filter((name) => name.endsWith('.part') && named.test(name.slice(0, -5)) && name < dead)
  const whole = all.filter((one) => named.test(one) && one <= newest)
  for (const name of [...whole.slice(0, -keep), ...parts])
    await rm(path.join(home, name), { recursive: true, force: true })
}

/** Files that PostgreSQL creates at its start (manual, "Making a Base Backup Using the Low Level API"). */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const left =
  /^(postmaster\.(pid|opts)|server\.log.*|\.s\.PGSQL.*|backup_label.*|tablespace_map.*|pg_internal\.init.*|pgsql_tmp.*)$/

/** Folders that the server needs to start, even if empty. */
type Tree = { folders: string[]; files: string[] }

/**
 * Copies a running cluster into an empty folder, with the write-ahead log that completes it: the database as of the end of
 * the copy. It blocks no one; a replication slot keeps the log's segments meanwhile.
 */
async function copyCluster(connection: EmbeddedConnection, cluster: string, target: string) {
  const client = new pg.Client({ ...connection, database: 'postgres', application_name: 'backup' })
  await client.connect()
  try {
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [
      // In two containers both processes may have the same id.
      `backup_${randomBytes(8).toString('hex')}`,
    ])
    await client.query(`select pg_backup_start('carga-en-casa', true)`)
    const { files, folders } = await treeOf(cluster)
    for (const folder of folders) await mkdir(path.join(target, folder), { recursive: true, mode: 0o700 })
    await eachOf(files, async (name) => {
      await copyFile(path.join(cluster, name), path.join(target, name))
    })
    const [end] = (
      await client.query<{ label: string; last: string }>(
        'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
      )
    ).rows
    await writeFile(path.join(target, 'backup_label'), end!.label, { mode: 0o600, flush: true })
    await copyLog(cluster, target, firstSegment(end!.label), end!.last)
  } finally {
    // The slot is temporary: it ends with the connection, as does an unfinished copy.
    await client.end()
  }
}

const firstSegment = (label: string) => {
  const found = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1]
  if (!found) throw new Error('PostgreSQL did not name the first segment of the log')
  return found
}

async function copyLog(cluster: string, target: string, first: string, last: string) {
  const names = await readdir(path.join(cluster, 'pg_wal'))
  const needed = names.filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last)
  if (!needed.includes(first) || !needed.includes(last))
    throw new Error('segments of the write-ahead log are missing')
  const histories = names.filter((name) => name.endsWith('.history'))
  for (const name of [...needed, ...histories])
    await copyFile(path.join(cluster, 'pg_wal', name), path.join(target, 'pg_wal', name))
}

async function treeOf(cluster: string): Promise<Tree> {
  const tree: Tree = { folders: [], files: [] }
  const walk = async (folder: string) => {
    for (const entry of await readdir(path.join(cluster, folder), { withFileTypes: true })) {
      const name = path.join(folder, entry.name)
      if (left.test(entry.name)) continue
      if (entry.isFile()) tree.files.push(name)
      if (!entry.isDirectory()) continue
      tree.folders.push(name)
      if (folder === '' && emptied.has(entry.name)) continue
      await walk(name)
    }
  }
  await walk('')
  return tree
}
