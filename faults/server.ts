import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort, root, secret, withoutOurs } from '../bench/stack.ts'
import { ensureDatabase, startEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { newPlace } from '../test/platform/backup/place.ts'
import { openProxy } from './proxy.ts'

/** Provokes something, ends all that it started, and answers what it measured and whether its goal is met. */
export type Fault = () => Promise<Outcome>
export type Outcome = { goal: string; met: boolean } & Record<string, number | string | boolean>
export type Server = Awaited<ReturnType<typeof openServer>>

/** Milliseconds until it came true; throws after a minute or as many as given. */
export async function until(holds: () => Promise<boolean>, within = 60_000): Promise<number> {
  const from = performance.now()
  while (!(await holds().catch(() => false))) {
    if (performance.now() - from > within) throw new Error(`Still not after ${within} ms: ${holds}`)
    await pause(50)
  }
  return Math.round(performance.now() - from)
}

/** A program of ours; `said` is all that it wrote. */
function run(program: readonly string[], environment: Record<string, string>) {
  const own = { DEMO: 'false', AUTH_SECRET: secret, LOG_LEVEL: 'warn', ...environment }
  const child = spawn(process.execPath, program, {
    cwd: root,
    env: { ...withoutOurs(process.env), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    child,
    said: () => said,
    /** Asks it to end as an operator does; answers its exit code. */
    stop() {
      child.kill()
      return ended
    },
  }
}

type Input = { environment?: Record<string, string>; supervised?: boolean; database?: pg.ClientConfig }

/**
 * The built application on data of its own, under the supervisor of `npm start` unless told otherwise, with a pool over its
 * database, which is its own unless another is given.
 */
export async function openServer({ environment = {}, supervised = true, database }: Input = {}) {
  const folder = newPlace('carga-faults-')
  const port = String(await freePort())
  const origin = `http://localhost:${port}`
  const program = [...(supervised ? ['faults/supervised.mjs'] : []), 'src/app/main.ts']
  const server = run(program, { PORT: port, BASE_URL: origin, DATA_DIR: folder, ...environment })
  const isReady = async () => (await fetch(`${origin}/readyz`)).ok
  // A start makes a cluster and its schema, which takes a busy machine long.
  await until(async () => server.child.exitCode !== null || isReady(), 180_000)
  if (server.child.exitCode !== null) throw new Error(`The server did not start: ${server.said()}`)
  const connection = database ?? (await startEmbedded(folder, { join: true })).connection
  const pool = new pg.Pool({ ...connection, database: 'carga', max: 4 })
  // Our own way to look at the rows survives what is done to the database.
  pool.on('error', () => undefined)
  return {
    ...server,
    origin,
    folder,
    pool,
    isReady,
    async close() {
      await pool.end()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The same over a database of somebody else's, reached through a network whose weather can be changed. */
export async function openExternal(input: Input = {}) {
  const folder = newPlace('carga-faults-')
  const database = await startEmbedded(folder)
  await ensureDatabase(database.connection, 'carga')
  const proxy = await openProxy({ path: `${database.connection.host}/.s.PGSQL.5432` })
  const environment = { DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/carga` }
  const server = await openServer({ ...input, environment, database: database.connection })
  return {
    ...server,
    proxy,
    async close() {
      proxy.turn({ kind: 'fair' })
      await server.close()
      await proxy.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
