import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { Env } from '../../app/env.ts'
import { hasCluster, locateCluster } from '../database/embedded/cluster.ts'
import { startEmbedded } from '../database/embedded/embedded.ts'
import { openDrive } from '../storage/drive.ts'
import { eachOf, measure } from './copy.ts'
import { dumpDatabase, serverMajor } from './dump.ts'
import { backUpKey } from './key.ts'
import { type BackedUpFile, type BackedUpKey, type NewManifest, writeManifest } from './manifest.ts'
import { copyCluster } from './physical.ts'

/** The folder that backups are written into. */
export const backupsOf = ({ BACKUP_DIR, dataDir }: Pick<Env, 'BACKUP_DIR' | 'dataDir'>): string =>
  path.resolve(BACKUP_DIR ?? path.join(dataDir, 'backups'))

export type Backup = { folder: string; bytes: number; files: number; key: BackedUpKey | null }

/** The folders that hold backups are named by their moment, and so sort by age. */
const named = /^\d{4}-\d{2}-\d{2}T\d{6}Z$/
const nameOf = (moment: Date) => moment.toISOString().replace(/:|\.\d+/g, '')
const aDay = 24 * 3_600_000

/**
 * Writes database and files into a new folder, and which key seals what is in them. The database is copied first: whatever its
 * rows name was stored before them, so that the files, which follow, have it.
 */
export async function makeBackup(env: Env, now: Date): Promise<Backup> {
  if (!env.external && !hasCluster(env.dataDir))
    throw new Error(
      `No hay nada que respaldar: en ${env.dataDir} no hay una base de datos, y no se dio DATABASE_URL`,
    )
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
    await removeOld(home, env.BACKUP_KEEP, nameOf(new Date(now.getTime() - aDay)))
    return { folder, bytes, files: files.length, key }
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

/** An empty folder to write into, and its name when it is whole: of this second, or of the next one that no other backup has. */
async function begin(home: string, now: Date): Promise<{ name: string; part: string }> {
  for (let moment = now; ; moment = new Date(moment.getTime() + 1_000)) {
    const name = nameOf(moment)
    const part = path.join(home, `${name}.part`)
    // Making it decides between two that begin at once; one that has its name already is past that.
    const made = await mkdir(part, { mode: 0o700 }).then(() => true, isThere)
    if (made && !existsSync(path.join(home, name))) return { name, part }
    if (made) await rm(part, { recursive: true })
  }
}

function isThere(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error
  return false
}

async function dumpInto(env: Env, url: string, part: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const postgres = await serverMajor(client).finally(() => client.end())
  const program = path.join(env.PG_BIN ?? '', 'pg_dump')
  const file = path.join(part, 'database.dump')
  // It writes into what is there, which nobody else may read.
  await writeFile(file, '', { mode: 0o600 })
  await dumpDatabase(program, url, postgres, file)
  return { kind: 'dump' as const, postgres }
}

/** Beside a running app through its server; otherwise that is started for as long as it takes. */
async function copyInto(env: Env, part: string) {
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

async function copyFiles(env: Env, part: string) {
  const drive = openDrive(env.storage)
  const keys: string[] = []
  for await (const { key } of drive.all()) keys.push(key)
  await eachOf(keys, async (key) => {
    const bytes = await drive.get(key)
    // Deleted since it was listed: no row of the copy's may miss it for long, and restoring counts those that do.
    if (!bytes) return
    const file = path.join(part, 'files', key)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, bytes, { mode: 0o600, flush: true })
  })
}

/** Every file of the backup, measured as it lies on the disk. */
async function listed(part: string): Promise<BackedUpFile[]> {
  const entries = await readdir(part, { recursive: true, withFileTypes: true })
  const found: BackedUpFile[] = []
  await eachOf(
    entries.filter((entry) => entry.isFile()),
    async ({ name, parentPath }) => {
      const file = path.join(parentPath, name)
      found.push({ path: path.relative(part, file), ...(await measure(file)) })
    },
  )
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Also what backups left that were killed in the middle, once it is so old that none can be at it. */
async function removeOld(home: string, keep: number, dead: string) {
  const all = (await readdir(home)).sort()
  const parts = all.filter((name) => name.endsWith('.part') && named.test(name.slice(0, -5)) && name < dead)
  for (const name of [...all.filter((one) => named.test(one)).slice(0, -keep), ...parts])
    await rm(path.join(home, name), { recursive: true, force: true })
}
