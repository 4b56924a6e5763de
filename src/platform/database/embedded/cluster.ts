import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  closeSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { log } from '../../telemetry/log.ts'
import type { NoteProgress } from '../../telemetry/step.ts'
import { assertRestored, closeData, isHalfRestored, lockData } from './data-folder.ts'
import {
  type Cluster,
  disarm,
  livingPostmaster,
  outsideFolder,
  outsideShelf,
  postgresBinaries,
  type ServerUser,
  serverUser,
  stopPostmaster,
  until,
  userCan,
} from './postmaster.ts'

/** A clock that was moved (`npm run test:clocks`) is moved for every process that is given an environment of its own. */
export const movedClock = process.env.LD_PRELOAD?.includes('faketime')
  ? Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(LD_PRELOAD|FAKETIME)/.test(name)))
  : {}

/** A process of PostgreSQL's sees nothing of our environment: its variables (PG*, LANG, TZ) would change the server. */
const serverEnv = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...movedClock,
}

/** Where this data folder's cluster is, or will be: inside, or outside when the server's user can't get in. */
export function locateCluster(dataDir: string): Cluster {
  const inside = insideOf(dataDir)
  const outside = path.join(outsideShelf, short(dataDir), 'postgres')
  const found = existsSync(inside) ? realpathSync(inside) : existsSync(outside) ? outside : undefined
  const user = serverUser(found ?? inside)
  if (!found) {
    if (lstatSync(inside, { throwIfNoEntry: false }))
      throw new Error(`${inside} links to a folder that no longer exists`)
    return { folder: userCan(user, '-x', dataDir) ? inside : outside, user }
  }
  if (!userCan(user, '-x', path.dirname(found)))
    throw new Error(`PostgreSQL's user (uid ${user.uid}) can no longer enter ${path.dirname(found)}`)
  return { folder: found, user }
}

/** Whether a data folder's cluster has been made. */
export const hasCluster = (dataDir: string): boolean =>
  existsSync(dataDir) && existsSync(path.join(locateCluster(realpathSync(dataDir)).folder, 'PG_VERSION'))

type Making = { binaries: string; sync: boolean; tell: NoteProgress }

/** Makes the cluster if there is none yet. */
async function initCluster(cluster: Cluster, dataDir: string, { binaries, sync, tell }: Making) {
  const { folder, user } = cluster
  dropParts(folder)
  if (existsSync(path.join(folder, 'PG_VERSION'))) return claim(folder, user)
  tell()
  const part = beginCluster(cluster, dataDir)
  const args = ['-D', part, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--data-checksums']
  args.push('--no-instructions', '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (!sync) args.push('--no-sync')
  const options = { ...user, cwd: '/', env: serverEnv }
  try {
    await promisify(execFile)(path.join(binaries, 'bin/initdb'), args, options)
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    const { message, stderr } = error as Error & { stderr?: string }
    const because = /error: (.*)/.exec(stderr ?? '')?.[1] ?? message
    throw new Error(`Could not create the database: ${because}. Start again.`)
  }
  finishCluster(cluster, dataDir, part)
}

/** An empty folder, the server's own, to make a cluster in. What is killed half-way leaves only a part, never half a cluster. */
export function beginCluster({ folder, user }: Cluster, dataDir: string): string {
  if (existsSync(folder)) throw new Error(`${folder} is not a database: move it elsewhere and start again`)
  if (folder !== insideOf(dataDir)) outsideFolder(short(dataDir))
  dropParts(folder)
  const part = mkdtempSync(`${folder}.new-`)
  claim(part, user)
  return part
}

/** Also beside a whole cluster: initdb outlives a start that is killed alone, and goes on in its folder while the next one runs. */
function dropParts(folder: string) {
  const cwd = path.dirname(folder)
  for (const left of globSync('postgres.new-*', { cwd }))
    rmSync(path.join(cwd, left), { recursive: true, force: true })
}

/** Puts a cluster that is whole in its place. */
export function finishCluster({ folder, user }: Cluster, dataDir: string, part: string) {
  claim(part, user)
  renameSync(part, folder)
  // Shows people where their data went, and is followed if the checkout moves.
  if (folder !== insideOf(dataDir)) symlinkSync(folder, insideOf(dataDir))
}

const insideOf = (dataDir: string) => path.join(dataDir, 'postgres')

/** The folder of the server's socket: a socket's path may not pass 107 bytes, so a deep cluster gets a short one. */
function socketFolder({ folder, user }: Cluster): string {
  const name = `carga-${short(folder)}`
  const candidates = [folder, path.join(os.tmpdir(), name), path.join('/tmp', name)]
  const chosen = candidates.find((dir) => Buffer.byteLength(`${dir}/.s.PGSQL.5432`) <= 103) ?? folder
  if (chosen === folder) return folder
  mkdirSync(chosen, { recursive: true, mode: 0o700 })
  const made = lstatSync(chosen)
  if (made.isDirectory() && made.uid === process.getuid?.()) claim(chosen, user)
  // Anyone may write to a temporary folder: one that another person prepared there is not ours to trust.
  else if (!made.isDirectory() || made.uid !== user.uid)
    throw new Error(`${chosen} belongs to another user: delete it`)
  return chosen
}

const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

function claim(folder: string, { uid, gid }: ServerUser) {
  if (uid === undefined || gid === undefined || isOwn(folder, uid)) return
  if (existsSync(path.join(folder, 'PG_VERSION'))) spawnSync('chown', ['-R', `${uid}:${gid}`, folder])
  chownSync(folder, uid, gid)
}

/** The file is asked too, where it is there: a copy made by root lies in a folder that is the server's already. */
const isOwn = (folder: string, uid: number) =>
  [folder, path.join(folder, 'PG_VERSION')].every(
    (place) => (statSync(place, { throwIfNoEntry: false })?.uid ?? uid) === uid,
  )

/** In milliseconds: the interval of checks, the delays before a restart after an early failure, and what counts as early. */
const defaultDelaysMs = { look: 200, firstWait: 250, longestWait: 30_000, soon: 5_000 }

type Server = { lives: () => boolean; relaunch: () => Promise<void> }

/**
 * Restarts a server whenever it ended unexpectedly. One loop does it, so there is never a second one; after early failures the
 * delay grows. The returned function stops it, once a starting server has started.
 */
export function startRestartLoop({ lives, relaunch }: Server, times = defaultDelaysMs): () => Promise<void> {
  const ended = new AbortController()
  const rest = (ms: number) => sleep(ms, undefined, { ref: false, signal: ended.signal })
  const watch = async () => {
    for (let falls = 0, since = performance.now(); ; ) {
      await rest(times.look)
      if (isAlive(lives)) continue
      if (performance.now() - since > times.soon) falls = 0
      log.error({ falls }, 'PostgreSQL ended and is started again')
      if (falls > 0) await rest(Math.min(times.firstWait * 2 ** (falls - 1), times.longestWait))
      falls++
      await relaunch().then(
        () => log.warn('PostgreSQL runs again'),
        (err) => log.error({ err }, 'PostgreSQL could not be started again'),
      )
      since = performance.now()
    }
  }
  // Only an aborted delay ends the loop.
  const watching = watch().catch(() => undefined)
  return () => {
    ended.abort()
    return watching
  }
}

/** Where the check itself fails, as without free file handles, the server counts as alive. */
function isAlive(lives: () => boolean): boolean {
  try {
    return lives()
  } catch (err) {
    log.warn({ err }, 'PostgreSQL could not be looked at')
    return true
  }
}

export type EmbeddedConnection = { host: string; user: string; port: number }
export type Embedded = { connection: EmbeddedConnection; stop(): Promise<void> }
type EmbeddedOptions = {
  /** Settings of postgresql.conf for this start; a server found running keeps its own. */
  settings?: Record<string, string>
  /** For a command beside the running app: use its server instead of refusing, and leave it running. */
  join?: boolean
  /** Hears that a cluster is made, which takes seconds. */
  tell?: NoteProgress
}

/**
 * PostgreSQL on a private socket under `dataDir`, made at the first start, and started again when it ends by itself. One app
 * per data folder: a second one is refused.
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  if (isHalfRestored(dataDir)) assertRestored(dataDir, hasCluster(dataDir))
  closeData(dataDir)
  const folder = realpathSync(dataDir)
  // A moment for the app before us to finish stopping, as at a restart.
  const lock = lockData(folder, options.join ? 0 : 1_500)
  if ('holder' in lock) {
    if (options.join) return joinRunning(folder)
    throw new Error(`Carga en Casa is already running on this data folder (process ${lock.holder})`)
  }
  try {
    const { connection, cluster, run } = await serve(folder, options)
    const unwatched = startRestartLoop({
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

async function serve(dataDir: string, { settings = {}, tell = () => undefined }: EmbeddedOptions) {
  const cluster = locateCluster(dataDir)
  const binaries = postgresBinaries(cluster.user)
  await initCluster(cluster, dataDir, { binaries, sync: settings.fsync !== 'off', tell })
  const run = async () => {
    const adopted = await adopt(cluster.folder)
    if (adopted) return adopted
    await disarm(cluster)
    return connectionTo(await launch(cluster, binaries, settings))
  }
  // Run again, the server listens at the same address: a client that lost it can reconnect.
  return { connection: await run(), cluster, run }
}

/**
 * Whether a server runs and accepts connections: one whose socket's file is gone serves open connections, and never a
 * new one.
 */
function lives(folder: string): boolean {
  const running = livingPostmaster(folder)
  if (!running?.ready) return running !== undefined
  return statSync(path.join(running.socketFolder, '.s.PGSQL.5432'), { throwIfNoEntry: false }) !== undefined
}

/** The server that a killed start left behind, if it still answers; otherwise it is stopped. */
async function adopt(folder: string) {
  // It may just be recovering, or on its way out.
  await until(() => livingPostmaster(folder)?.ready ?? true, 60)
  const running = livingPostmaster(folder)
  if (!running) return
  const connection = connectionTo(running.socketFolder)
  if (await answers(connection)) return connection
  await stopPostmaster(folder, running.pid)
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
  if (!running?.ready) throw new Error('Carga en Casa is starting on this data folder; try again in a moment')
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

/** Starts the server of this cluster and waits until it answers; answers its socket's folder, throws with the end of its log. */
async function launch(cluster: Cluster, binaries: string, settings: Record<string, string>) {
  const host = socketFolder(cluster)
  const serverLog = openLog(cluster.folder)
  // Detached: Ctrl-C in the terminal reaches only us, and we stop the server after our own last query.
  const child = spawn(path.join(binaries, 'bin/postgres'), serverArguments(cluster.folder, host, settings), {
    ...cluster.user,
    cwd: '/',
    env: serverEnv,
    detached: true,
    stdio: ['ignore', serverLog.file, serverLog.file],
  })
  closeSync(serverLog.file)
  let failure: string | undefined
  child.once('error', (error) => (failure = error.message))
  // Its end is also noticed much later, when no caller waits and the log may be gone.
  child.once('exit', (code, signal) => (failure ??= `exit code ${code ?? signal}`))
  const isUp = () => livingPostmaster(cluster.folder)?.ready ?? false
  const done = await until(() => failure !== undefined || isUp(), 120)
  child.unref()
  if (failure !== undefined)
    throw new Error(
      `PostgreSQL did not start (${failure}): ${serverLog.because()}. Start again, and if that fails too, look into ${serverLog.name}`,
    )
  if (!done || !child.pid)
    throw new Error(`PostgreSQL is still recovering: wait and start again. Log: ${serverLog.name}`)
  return host
}

function serverArguments(folder: string, host: string, settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: '',
    unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    // Without these the log repeats the values of refused rows, and those are people's data.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    ...settings,
  }
  return ['-D', folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** The server's log, started again at 5 MB, and what it has said last since. */
function openLog(folder: string) {
  const name = path.join(folder, 'server.log')
  const size = statSync(name, { throwIfNoEntry: false })?.size ?? 0
  if (size > 5_000_000) renameSync(name, `${name}.1`)
  const start = size > 5_000_000 ? 0 : size
  const file = openSync(name, 'a', 0o600)
  const because = () => {
    const news = readFileSync(name).subarray(start).toString().trim().split('\n')
    return (news.findLast((line) => /(FATAL|PANIC):/.test(line)) ?? news.at(-1))?.replace(
      /^.*?(FATAL|PANIC): +/,
      '',
    )
  }
  return { name, file, because }
}
