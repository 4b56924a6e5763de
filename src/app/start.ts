import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { kindLabels } from '../access/rules/actor.ts'
import { isPassword } from '../accounts/password.ts'
import { livingSessions } from '../accounts/session.ts'
import { notePresence, openCallSockets } from '../calls/socket.ts'
import { hearPlaces } from '../dispatch/positions.ts'
import { backupsOf } from '../platform/backup/backup.ts'
import { assertWholeDatabase } from '../platform/backup/restore.ts'
import {
  checkPooler,
  closeDatabase,
  type Db,
  directPool,
  isBehindPooler,
  openDatabase,
} from '../platform/database/client.ts'
import { type Embedded, ensureDatabase, startEmbedded } from '../platform/database/embedded/cluster.ts'
import { closeData } from '../platform/database/embedded/data-folder.ts'
import { startHealthMonitor, startWriteProbe } from '../platform/database/health.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openReplica } from '../platform/database/replica.ts'
import { accounts, users } from '../platform/database/schema/accounts.ts'
import { type Gate, openGate, openServer } from '../platform/http/gate.ts'
import { createLoadShedder, type LoadShedder } from '../platform/http/load-shedding.ts'
import { authSecret } from '../platform/http/sealing.ts'
import { isLocal, isLocalDemo } from '../platform/http/security.ts'
import { atMost, drain, stopMs, stopper } from '../platform/http/stop.ts'
import { closeJobs, startJobs, stopJobs } from '../platform/jobs/jobs.ts'
import { setJobSecret } from '../platform/jobs/queues.ts'
import { openStreams } from '../platform/live/streams.ts'
import { openDrive } from '../platform/storage/drive.ts'
import { sweepReceived } from '../platform/storage/receive.ts'
import { log } from '../platform/telemetry/log.ts'
import { type NoteProgress, toldStep } from '../platform/telemetry/step.ts'
import { openTelemetryOf } from '../platform/telemetry/telemetry.ts'
import type { Deps } from './context.ts'
import { type Env, parseEnv, placeholder } from './env.ts'
import { startFailure } from './failure.ts'
import { handlers } from './handlers.ts'

type MakeApp = (
  deps: Deps,
  loadShedder: LoadShedder,
) => {
  fetch: (request: Request, bindings?: object) => Response | Promise<Response>
}

type StartOptions = {
  front?: (app: RequestListener) => RequestListener
  /** Whether this is one of several web processes: the supervisor runs the embedded database. */
  shared?: boolean
  /** Whether to listen only once ready, since others answer at the port meanwhile. */
  late?: boolean
}

/** Serves until a signal comes. A configuration error ends the process with one line. */
export async function start(
  source: NodeJS.ProcessEnv,
  makeApp: MakeApp,
  { front, shared = false, late = false }: StartOptions = {},
) {
  const env = parseEnv(source)
  assertOwnLinks(env)
  const gate = openGate({ https: env.baseUrl.startsWith('https:') })
  const server = openServer(gate)
  if (!late) {
    // Node lets a web process ask only once for the socket that all share: one of its own finds out whether the port is free.
    if (shared) (await listen(openServer(gate), env, true)).close()
    await listen(server, env)
  }
  const stop = stopper(env.DRAIN_DELAY_MS + stopMs.all)
  // The supervisor's word that another process has taken this one's place.
  process.on('SIGUSR2', () => {
    if (shared) return stop.end({ replaced: true })
    log.warn('SIGUSR2 replaces several web processes one after the other: there is one, nothing is done')
  })
  try {
    const telemetry = await openTelemetryOf(env.telemetry, env.ROLE)
    stop.after(telemetry.stop)
    const { db, close } = await openData(env, { join: shared })
    stop.after(close)
    if (!env.demo) await refuseDemoAccounts(db)
    stop.after(startHealthMonitor(db))
    stop.after(startWriteProbe(db, 'folder' in env.storage ? env.dataDir : undefined))
    if (env.external?.replica && env.ROLE !== 'worker')
      stop.after(openReplica(db, env.external.replica, env.DATABASE_POOL))
    // Requests that are still being answered send jobs: the queues close after them.
    stop.after(() => atMost(stopMs.jobs + 500, stopJobs(stopMs.jobs), 'the queues'))
    const streams = openStreams(db, livingSessions)
    stop.after(() => drain(server))
    // An open stream never ends by itself: first these, then the requests under way.
    stop.after(() => streams.stop())
    stop.after(hearPlaces(db))
    stop.after(notePresence(db, streams))
    const loadShedder = createLoadShedder(env.loadLimits)
    telemetry.watch({ db, streams, loadShedder, dataDir: env.dataDir, backups: backupsOf(env) })
    stop.after(sweepReceived())
    const deps: Deps = {
      db,
      drive: openDrive(env.storage),
      env,
      secret: authSecret(env.AUTH_SECRET, env.dataDir),
      streams,
      advanceDay: isLocalDemo(env) ? async () => (await demoWorld()).advanceDay(db) : null,
      assets: path.relative(process.cwd(), path.resolve('build/client')),
      site: {
        brand: env.BRAND,
        legalLine: env.LEGAL_LINE,
        privacyUrl: env.PRIVACY_URL,
        termsUrl: env.TERMS_URL,
        host: new URL(env.baseUrl).hostname,
        demo: env.demo ? demoSignIns : null,
        modules: [...env.MODULES],
      },
    }
    setJobSecret(deps.secret)
    await toldStep('Starting the server', () =>
      startJobs(db, env.ROLE === 'web' ? undefined : handlers(deps), { letter: env.SMTP_AT_ONCE }),
    )
    const app = makeApp(deps, loadShedder)
    const listener = getRequestListener((request, bindings) =>
      app.fetch(request, bindings),
    ) as RequestListener
    gate.open(front ? front(listener) : listener)
    if (env.ROLE !== 'worker') stop.after(serveCalls(gate, deps))
    // While requests finish, running jobs have time to end.
    stop.after(closeJobs)
    stop.after(({ replaced }) => drainGate(gate, { replaced, delayMs: env.DRAIN_DELAY_MS }))
    if (late) await listen(server, env)
    welcome(env, server)
    // From here on a supervisor may restart this process: a later failure is not caused by the configuration.
    process.send?.('ready')
  } catch (error) {
    await stop.now()
    server.close()
    throw startFailure(error, env.external ? undefined : env.dataDir)
  }
}

/** Opens the database the environment names, or the embedded one, and brings its schema and demo world up to date. */
export async function openData(
  env: Env,
  { join = false } = {},
): Promise<{ db: Db; close: () => Promise<void> }> {
  if (env.external && existsSync(env.dataDir)) closeData(env.dataDir, false)
  const embedded = env.external
    ? undefined
    : await toldStep('Starting the database', (tell) => startEmbedded(env.dataDir, { join, tell }))
  let db: Db | undefined
  const close = async () => {
    if (db) await atMost(stopMs.connections, closeDatabase(db), 'database connections')
    await embedded?.stop()
  }
  try {
    if (embedded) await ensureDatabase(embedded.connection, 'carga')
    db = openIt(env, embedded)
    const isNew = await isEmpty(db, env)
    if (env.external) await assertWholeDatabase(env.dataDir, db)
    const opened = db
    const now = new Date()
    // While PostgreSQL migrates, this process has nothing else to do. What fails here fails again below.
    if (env.demo && isNew)
      void demoWorld()
        .then((seeds) => seeds.drawAhead(now))
        .catch(() => undefined)
    await toldStep('Migrating the database', (tell) => migrate(opened, tell))
    // Done first: connections that a pooler opens before the role is set would keep the old one.
    if (isBehindPooler(db)) await checkPooler(db.$client)
    if (env.demo) await toldStep('Loading the demo', (tell) => loadDemo(opened, env, { now, tell }))
    return { db, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Whether nothing was ever made in the database; throws where it cannot be opened. */
async function isEmpty(db: Db, { external }: Env): Promise<boolean> {
  const asked = `select to_regclass('migrations') is null as empty`
  try {
    const { rows } = await directPool(db).query<{ empty: boolean }>(asked)
    return rows[0]?.empty ?? true
  } catch (error) {
    if (!external) throw error
    const { code, message } = error as Error & { code?: string }
    throw new Error(
      `Could not open the database of DATABASE_${external.direct ? 'DIRECT_' : ''}URL: ${code ?? message}`,
    )
  }
}

function openIt({ external, DATABASE_POOL }: Env, embedded: Embedded | undefined): Db {
  if (!external) return openDatabase({ ...embedded?.connection, database: 'carga' }, DATABASE_POOL)
  const direct = external.direct ? { connectionString: external.direct } : undefined
  return openDatabase({ connectionString: external.url }, DATABASE_POOL, direct)
}

/** A question for /readyz that was being answered would find no jobs running, though another process runs them. */
const answeringMs = 500

/** How long a proxy needs to notice the shutdown; until then every request is answered. */
function drainGate(gate: Gate, { replaced, delayMs }: { replaced: boolean; delayMs: number }) {
  gate.leave({ replaced })
  return sleep(replaced ? answeringMs : delayMs)
}

/** Accepts the sockets of calls; the returned function closes them. */
function serveCalls(gate: Gate, deps: Deps) {
  const sockets = openCallSockets(deps)
  gate.openCalls(sockets)
  return () => sockets.stop()
}

/** The app before us may still be stopping, as at a restart: so often, and at last so many milliseconds apart, its port is tried. */
const portTries = 16
const portWaitMs = 300

async function listen(server: Server, { host, PORT: port }: Env, exclusive = false): Promise<Server> {
  for (let tries = 1; ; tries++)
    try {
      await once(server.listen({ port, host, exclusive }), 'listening')
      process.send?.({ listening: { port, host } })
      return server
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EACCES') throw new Error(`No permission to use port ${port}. Try PORT=3000.`)
      if (code !== 'EADDRINUSE') throw error
      if (tries === portTries)
        throw new Error(
          `Port ${port} is in use. Stop the other program or choose another port: PORT=3001 npm start`,
        )
      // The supervisor answers there until it is asked to leave: bin/waiting.mjs.
      process.send?.('port')
      await sleep(Math.min(portWaitMs, 5 * 2 ** (tries - 1)))
    }
}

function welcome(env: Env, server: Server) {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : env.PORT
  const place = env.BASE_URL ? env.baseUrl : `http://localhost:${port}`
  const people = env.demo
    ? ` · demo: ${demoSignIns.map((one) => one.email).join(', ')} · password: carga-en-casa`
    : ''
  console.log(`Carga en Casa is ready at ${place}${people}`)
  if (env.demo && !isLocal(env.baseUrl))
    console.warn(
      `Warning: DEMO=true serves the demo world at ${place}. Anybody can sign in with its public password: store no real data there.`,
    )
}

/** More password hashes than the demo could have; checking one takes a tenth of a second. */
const mostHashes = 10

/**
 * Refuses, in one line, to serve real users while the footer's legal links are placeholders. A worker shows no footer.
 */
function assertOwnLinks(env: Env): void {
  if (env.NODE_ENV !== 'production' || env.ROLE === 'worker' || isLocal(env.baseUrl)) return
  const missing = (['PRIVACY_URL', 'TERMS_URL'] as const).filter(
    (name) => new URL(env[name]).hostname === placeholder,
  )
  if (missing.length > 0)
    throw new Error(
      `Production needs the URLs of your privacy notice and terms: set ${missing.join(' and ')}.`,
    )
}

/**
 * Refuses, in one line, to start without the demo world where it was loaded before: its password is in the README. An
 * account counts as the demo's by its mailbox, which another user may own, and by the demo's password under any other.
 */
async function refuseDemoAccounts(db: Db): Promise<void> {
  const known = demoSignIns.map(({ email }) => email)
  const found = await db
    .selectDistinct({ email: users.email })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(
      and(
        users.active,
        isNull(users.deletedAt),
        or(inArray(users.email, known), inArray(accounts.password, await demoHashes(db))),
      ),
    )
    .orderBy(users.email)
  if (found.length > 0)
    throw new Error(
      `This database holds the demo world: ${found.length} of its accounts (${found[0]!.email}) still have a public password. Use another folder (DATA_DIR) or another database; to go on with the demo on this machine, set DEMO=true.`,
    )
}

/** The demo's password hash: computed once for all of its accounts, so it is the only one that several share. */
async function demoHashes(db: Db): Promise<string[]> {
  const shared = await db
    .select({ hash: sql<string>`${accounts.password}` })
    .from(accounts)
    .where(isNotNull(accounts.password))
    .groupBy(accounts.password)
    .having(sql`count(*) > 1`)
    .limit(mostHashes)
  const are = await Promise.all(shared.map(({ hash }) => isPassword({ hash, password: demoPassword })))
  return shared.flatMap(({ hash }, at) => (are[at] ? [hash] : []))
}

/** The password of every account of the demo world. */
export const demoPassword = 'carga-en-casa'

/** The accounts of the demo world that sign in, as /signin lists them. */
export const demoSignIns: readonly { email: string; label: string }[] = [
  { email: 'cliente@demo.mx', label: 'Cliente' },
  { email: 'cliente2@demo.mx', label: 'Cliente con visita agendada' },
  { email: 'cliente3@demo.mx', label: 'Cliente con instalación por agendar' },
  { email: 'cliente4@demo.mx', label: 'Cliente con cotización por aceptar' },
  { email: 'cliente5@demo.mx', label: 'Cliente con anticipo por pagar' },
  { email: 'cliente6@demo.mx', label: 'Cliente con dos domicilios' },
  { email: 'nuevo@demo.mx', label: 'Cliente sin perfil completo' },
  { email: 'gerente@demo.mx', label: kindLabels.manager },
  { email: 'analista@demo.mx', label: kindLabels.analyst },
  { email: 'tecnico@demo.mx', label: kindLabels.tecnician },
  { email: 'tecnico2@demo.mx', label: kindLabels.tecnician },
  { email: 'gestor@demo.mx', label: kindLabels.gester },
  { email: 'aliado@demo.mx', label: kindLabels.alliate },
  { email: 'aliado2@demo.mx', label: kindLabels.alliate },
]

/** Loads the demo world into an empty database. Its code stands outside src and is loaded only here. */
async function loadDemo(db: Db, env: Env, { now, tell }: { now: Date; tell: NoteProgress }): Promise<void> {
  const told = (percent: number) => tell(`${percent} %`)
  await (await demoWorld()).loadDemo(db, now, openDrive(env.storage), told)
}

const demoWorld = () => import('../../seeds/world.ts')
