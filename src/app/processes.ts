import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopMs, stopper } from '../platform/http/stop.ts'
import { log } from '../platform/telemetry/log.ts'
import { toldStep } from '../platform/telemetry/step.ts'
import { startFailure } from './failure.ts'

/** A process that served this long did not fail because of its start. */
const settledMs = 1_000
const longestWaitMs = 15_000

/** How long the embedded PostgreSQL may take to stop after the web processes. */
const databaseMs = 2_000

// Each process accepts from the one socket. Passed on by the supervisor, a connection given to a process that was just killed
// would hang: docs/decisions/0101-several-web-processes.md
cluster.schedulingPolicy = cluster.SCHED_NONE

/** Connections a process may open beside its pool, and those left to PostgreSQL and to commands. */
const besidePool = 2
const others = 10

/** What a PostgreSQL allows by default. */
const usualConnections = 100

type WebProcess = {
  worker: Worker
  /** False where it ended before it served. */
  ready: Promise<boolean>
  /** Resolves to the reason. */
  ended: Promise<string>
  isSettled: () => boolean
}

/**
 * Runs several web processes on one port until a signal comes, and the embedded PostgreSQL below them. The first process
 * migrates before the others start, and takes the jobs. One that ends is started again by itself; SIGUSR2 replaces one
 * after the other. When the first start fails, its exit code is passed on. `late`: the supervisor above answers at the
 * port until the first process is ready.
 */
export async function runProcesses(source: NodeJS.ProcessEnv, count: number, late = false): Promise<void> {
  const stop = stopper(Number(source.DRAIN_DELAY_MS || 0) + stopMs.all + databaseMs)
  const pool = poolOf(source, count)
  if (!source.DATABASE_URL) {
    // Loaded only where it is used: it takes memory.
    const { startEmbedded } = await import('../platform/database/embedded/cluster.ts')
    const max_connections = String(Math.max(usualConnections, count * (pool + besidePool) + others))
    const dataDir = path.resolve(source.DATA_DIR || 'data')
    const embedded = await toldStep('Starting the database', (tell) =>
      startEmbedded(dataDir, { settings: { max_connections }, tell }),
    ).catch((error) => {
      throw startFailure(error, dataDir)
    })
    stop.after(() => embedded.stop())
  }
  const begin = (n: number, isLate = true) => beginProcess(ownVariables(source, n, pool), isLate)
  const running: (WebProcess | undefined)[] = [begin(0, late)]
  let stopping = false
  stop.after(() => {
    stopping = true
    return endAll()
  })
  if (!(await running[0]?.ready)) {
    const code = running[0]?.worker.process.exitCode
    await stop.now()
    process.exit(code ?? 1)
  }
  process.send?.('ready')

  /** Starts one process again whenever it ends: at once, then after growing waits. */
  const keep = async (n: number) => {
    for (let ends = 0; !stopping; ) {
      running[n] ??= begin(n)
      const one = running[n]
      const reason = await one.ended
      // Another one has taken its place.
      if (running[n] !== one) continue
      running[n] = undefined
      if (stopping) return
      log.error({ reason, process: n }, 'web process ended unexpectedly and is started again')
      ends = one.isSettled() ? 1 : ends + 1
      await sleep(Math.min(100 * 2 ** (ends - 1), longestWaitMs))
    }
  }
  const replaceAll = async () => {
    for (let n = 0; n < count && !stopping; n++) {
      const next = begin(n)
      if (!(await next.ready))
        return log.error({ process: n }, 'restart given up: a new process did not start')
      const before = running[n]
      running[n] = next
      before?.worker.process.kill('SIGUSR2')
      await before?.ended
    }
    log.info({ count }, 'web processes restarted')
  }
  let replaced = Promise.resolve()
  process.on('SIGUSR2', () => {
    replaced = replaced.then(replaceAll)
  })
  for (let n = 0; n < count; n++) void keep(n)
}

/** The connections of each process: of a PostgreSQL of the operator's, all processes together take what it usually allows. */
function poolOf(source: NodeJS.ProcessEnv, count: number): number {
  if (source.DATABASE_POOL) return Number(source.DATABASE_POOL)
  if (!source.DATABASE_URL || source.DATABASE_POOLING === 'transaction') return 16
  return Math.min(16, Math.max(4, Math.floor((usualConnections - others) / count) - besidePool))
}

/** What each process has for itself: the jobs only the first, and a port for metrics. */
const ownVariables = ({ METRICS_PORT, ROLE }: NodeJS.ProcessEnv, n: number, pool: number) => ({
  ROLE: n === 0 && ROLE ? ROLE : n === 0 ? 'all' : 'web',
  DATABASE_POOL: String(pool),
  ...(METRICS_PORT && { METRICS_PORT: String(Number(METRICS_PORT) + n) }),
})

/** A `late` process listens only once it can answer: others serve meanwhile. */
function beginProcess(own: Record<string, string>, late: boolean): WebProcess {
  cluster.setupPrimary({ exec: 'src/app/main.ts', args: ['--shared', ...(late ? ['--late'] : [])] })
  const worker = cluster.fork(own)
  let readyAt = Number.POSITIVE_INFINITY
  const ended = once(worker, 'exit').then(
    ([code, signal]) => String(signal ?? `exit code ${code}`),
    ({ message }: Error) => message,
  )
  const { promise: ready, resolve } = Promise.withResolvers<boolean>()
  worker.on('message', (message) => {
    // About the port: for the supervisor above.
    if (message !== 'ready') return process.send?.(message)
    readyAt = performance.now()
    resolve(true)
  })
  void ended.then(() => resolve(false))
  return { worker, ready, ended, isSettled: () => performance.now() - readyAt > settledMs }
}

/** Asks every process to end, also one that is just starting, and waits for all. */
const endAll = () =>
  Promise.all(
    Object.values(cluster.workers ?? {}).map((worker) => {
      const ended = worker && once(worker, 'exit')
      worker?.process.kill('SIGTERM')
      return ended
    }),
  )
