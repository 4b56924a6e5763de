import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { closeData } from '../data-folder.ts'
import { keepRunning } from '../keep-running.ts'
import { type Cluster, initCluster, locateCluster } from './cluster.ts'
import { lockData } from './data-lock.ts'
import { launch } from './launch.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { disarm, livingPostmaster, stopPostmaster, until } from './postmaster.ts'

export type EmbeddedConnection = { host: string; user: string; port: number }
export type Embedded = { connection: EmbeddedConnection; stop(): Promise<void> }
export type EmbeddedOptions = {
  /** Settings of postgresql.conf for this start; a server found running keeps its own. */
  settings?: Record<string, string>
  /** For a command beside the running app: use its server instead of refusing, and leave it running. */
  join?: boolean
}

/**
 * PostgreSQL on a private socket under `dataDir`, made at the first start, and started again when it ends by itself. One app
 * per data folder: a second one is refused.
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  closeData(dataDir)
  const folder = realpathSync(dataDir)
  // A moment for the app before us to finish stopping, as at a restart.
  const lock = lockData(folder, options.join ? 0 : 1_500)
  if ('holder' in lock) {
    if (options.join) return joinRunning(folder)
    throw new Error(`Carga en Casa ya está corriendo con estos datos (proceso ${lock.holder})`)
  }
  try {
    const { connection, cluster, run } = await serve(folder, options.settings ?? {})
    const unwatched = keepRunning({
      lives: () => lives(cluster.folder),
      relaunch: async () => void (await run()),
    })
    const stop = () =>
      unwatched()
        .then(() => stopRunning(cluster.folder))
        .finally(lock.release)
    let stopped: Promise<void> | undefined
    return { connection, stop: () => (stopped ??= stop()) }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Creates the database if it is not there. */
export async function ensureDatabase(connection: pg.ClientConfig, name: string) {
  await withClient({ ...connection, database: 'postgres' }, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount) return
    await client
      .query(`create database ${client.escapeIdentifier(name)}`)
      .catch((error: { code?: string }) => {
        // Another process made it in between: one code if it had finished, the other if both were at it.
        if (error.code !== '42P04' && error.code !== '23505') throw error
      })
  })
}

async function serve(dataDir: string, settings: Record<string, string>) {
  const cluster = locateCluster(dataDir)
  const binaries = postgresBinaries(cluster.user)
  initCluster(cluster, dataDir, binaries, settings.fsync !== 'off')
  const run = async () => (await adopt(cluster.folder)) ?? (await launchAnew(cluster, binaries, settings))
  // Run again, it listens where it did: whoever lost it finds it.
  return { connection: await run(), cluster, run }
}

/** Whether a server runs, and can be come to: one whose socket's file is gone answers those who are in, and nobody else ever. */
function lives(folder: string): boolean {
  const running = livingPostmaster(folder)
  if (!running?.ready) return running !== undefined
  return statSync(path.join(running.socketFolder, '.s.PGSQL.5432'), { throwIfNoEntry: false }) !== undefined
}

async function launchAnew(cluster: Cluster, binaries: string, settings: Record<string, string>) {
  await disarm(cluster)
  return connectionTo(await launch(cluster, binaries, settings))
}

/** The server that a killed start left behind, if it still answers; otherwise it is stopped. */
async function adopt(folder: string) {
  // It may just be recovering, or on its way out.
  await until(() => livingPostmaster(folder)?.ready ?? true, 60)
  const running = livingPostmaster(folder)
  if (!running) return undefined
  const connection = connectionTo(running.socketFolder)
  if (await answers(connection)) return connection
  await stopPostmaster(folder, running.pid)
  return undefined
}

async function stopRunning(folder: string) {
  const running = livingPostmaster(folder)
  if (running) await stopPostmaster(folder, running.pid)
}

async function joinRunning(dataDir: string): Promise<Embedded> {
  const { folder } = locateCluster(dataDir)
  // The app may have taken the lock a moment ago, and still be starting its server.
  await until(() => livingPostmaster(folder)?.ready ?? false, 30)
  const running = livingPostmaster(folder)
  if (!running?.ready)
    throw new Error('Carga en Casa está arrancando con estos datos; inténtalo en un momento')
  return { connection: connectionTo(running.socketFolder), stop: async () => {} }
}

const connectionTo = (socketFolder: string): EmbeddedConnection => ({
  host: socketFolder,
  user: 'postgres',
  port: 5432,
})

const answers = (connection: EmbeddedConnection) =>
  withClient({ ...connection, database: 'postgres' }, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )

async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...config })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
