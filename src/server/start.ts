import type { RequestListener, Server } from 'node:http'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { authSecret } from './accounts/secret.ts'
import { notePresence } from './calls/presence.ts'
import { openCallSockets } from './calls/upgrade.ts'
import { type Db, openDatabase } from './database/database.ts'
import { demoSignIns, loadDemo } from './database/demo.ts'
import { ensureDatabase, startEmbedded } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { openPulse } from './database/pulse.ts'
import type { Deps } from './deps.ts'
import { type Env, parseEnv } from './env.ts'
import { openDrive } from './files/drive.ts'
import { type Gate, openGate } from './http/gate.ts'
import { openServer } from './http/server.ts'
import { handlers } from './jobs/handlers.ts'
import { startJobs, stopJobs } from './jobs/jobs.ts'
import { openStreams } from './live/streams.ts'
import { log } from './log.ts'
import { openTelemetryOf } from './telemetry/telemetry.ts'

type MakeApp = (deps: Deps) => {
  fetch: (request: Request, bindings?: object) => Response | Promise<Response>
}

/** Long enough for a request under way, short enough for whoever waits for the process to end. */
const drainMs = 10_000

/** Serves until a signal comes. A mistake of the operator's ends the process with one line. */
export async function start(
  source: NodeJS.ProcessEnv,
  makeApp: MakeApp,
  front?: (app: RequestListener) => RequestListener,
) {
  const env = parseEnv(source)
  const gate = openGate()
  const server = openServer(gate)
  await listen(server, env)
  const stop = stopper()
  try {
    const telemetry = await openTelemetryOf(env.telemetry, env.ROLE)
    stop.after(telemetry.stop)
    const { db, close } = await openData(env)
    stop.after(close)
    stop.after(openPulse(db))
    // Requests that are still being answered send jobs: the queues close after them.
    stop.after(stopJobs)
    const streams = openStreams(db)
    stop.after(() => drain(server))
    // An open stream never ends by itself: first these, then the requests under way.
    stop.after(() => streams.stop())
    stop.after(notePresence(db, streams))
    telemetry.watch({ db, streams, dataDir: env.dataDir })
    const deps: Deps = {
      db,
      drive: openDrive(env.storage),
      env,
      secret: authSecret(env.AUTH_SECRET, env.dataDir),
      streams,
      assets: path.relative(process.cwd(), path.resolve('build/client')),
      site: {
        brand: env.BRAND,
        legalLine: env.LEGAL_LINE,
        privacyUrl: env.PRIVACY_URL,
        termsUrl: env.TERMS_URL,
        demo: env.demo ? demoSignIns : null,
        modules: [...env.MODULES],
      },
    }
    await startJobs(db, env.ROLE === 'web' ? undefined : handlers(deps))
    const app = makeApp(deps)
    const listener = getRequestListener((request, bindings) =>
      app.fetch(request, bindings),
    ) as RequestListener
    gate.open(front ? front(listener) : listener)
    if (env.ROLE !== 'worker') stop.after(serveCalls(gate, deps))
    welcome(env, server)
    // Whoever supervises us may start us again from here on: what ends us now is no mistake of the environment.
    process.send?.('ready')
  } catch (error) {
    server.close()
    await stop.now()
    throw error
  }
}

/** Opens the database the environment names, or the embedded one, and brings its schema and demo world up to date. */
export async function openData(
  env: Env,
  { join = false } = {},
): Promise<{ db: Db; close: () => Promise<void> }> {
  const embedded = env.DATABASE_URL ? undefined : await startEmbedded(env.dataDir, { join })
  let db: Db | undefined
  const close = async () => {
    await db?.$client.end()
    await embedded?.stop()
  }
  try {
    if (embedded) await ensureDatabase(embedded.connection, 'carga')
    const connection = embedded
      ? { ...embedded.connection, database: 'carga' }
      : { connectionString: env.DATABASE_URL }
    db = openDatabase(connection, env.DATABASE_POOL)
    await db.$client.query('select 1').catch(({ code, message }: { code?: string; message: string }) => {
      throw new Error(
        `No se pudo abrir la base de datos${env.DATABASE_URL ? ' de DATABASE_URL' : ''}: ${code ?? message}`,
      )
    })
    await migrate(db)
    if (env.demo) await loadDemo(db, new Date(), openDrive(env.storage))
    return { db, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Lets the sockets of calls in; the answer ends them. */
function serveCalls(gate: Gate, deps: Deps) {
  const sockets = openCallSockets(deps)
  gate.openCalls(sockets)
  return () => sockets.stop()
}

function listen(server: Server, { host, PORT }: Env) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(
          new Error(
            `El puerto ${PORT} ya está ocupado. Cierra el otro programa o usa otro: PORT=3001 npm start`,
          ),
        )
      else if (error.code === 'EACCES')
        reject(new Error(`No hay permiso para usar el puerto ${PORT}. Prueba con PORT=3000.`))
      else reject(error)
    })
    server.listen(PORT, host, resolve)
  })
}

/** Runs what was opened backwards, once, at the first SIGINT or SIGTERM. */
function stopper() {
  const steps: (() => unknown)[] = []
  let ending: Promise<void> | undefined
  const now = () => {
    ending ??= (async () => {
      for (const step of steps.reverse())
        await Promise.resolve(step()).catch((err) => log.error({ err }, 'while stopping'))
    })()
    return ending
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void now().then(() => process.exit(0)))
  return { after: (step: () => unknown) => void steps.push(step), now }
}

/** Ends idle connections at once and gives the others time to finish. */
function drain(server: Server) {
  return new Promise<void>((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

function welcome(env: Env, server: Server) {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : env.PORT
  const place = env.BASE_URL ? env.baseUrl : `http://localhost:${port}`
  const people = env.demo
    ? ` · demo: ${demoSignIns.map((one) => one.email).join(', ')} · contraseña: carga-en-casa`
    : ''
  console.log(`Carga en Casa está lista en ${place}${people}`)
}
