import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { startEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { newPlace } from '../../test/platform/backup/place.ts'

/** A second application with data and environment of its own, for a test that needs another one than the rest. */
export async function startOwnServer(port: number, environment: Record<string, string>) {
  const folder = newPlace('carga-e2e-')
  const origin = `http://localhost:${port}`
  const own = { PORT: String(port), BASE_URL: origin, DATA_DIR: folder, DEMO: 'false', LOG_LEVEL: 'fatal' }
  const start = () => startServer(origin, { ...own, ...environment })
  let child = await start()
  return {
    origin,
    folder,
    /** Ends it and starts it again on what it left; `meanwhile` happens while it is gone. */
    async restart(signal: NodeJS.Signals = 'SIGTERM', meanwhile?: () => Promise<unknown>) {
      await ended(child, signal)
      await meanwhile?.()
      child = await start()
    },
    async stop() {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Where the database of such an application is, for another process over it. */
export async function databaseOf(folder: string) {
  const { connection } = await startEmbedded(folder, { join: true })
  const { host, port, user } = connection
  return `postgres://${user}@localhost:${port}/carga?host=${encodeURIComponent(host)}`
}

/** Milliseconds that a cluster and a demo data of its own may take where much else runs: longer than a test. */
const patience = 150_000

/** For a test's preparation, milliseconds in which `servers` of them start. */
export const startTime = (servers = 1) => servers * patience + 30_000

/** Refuses a port at which another server answers already: a test would run on that one. */
async function startServer(origin: string, environment: Record<string, string>) {
  if (await isReady(origin)) throw new Error(`another server answers at ${origin}`)
  const child = spawn('node_modules/.bin/node', ['src/app/main.ts'], {
    env: { ...process.env, TRUST_PROXY: 'true', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (const until = Date.now() + patience; Date.now() < until; ) {
    if (await isReady(origin)) return child
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  // Else it would answer the next try of the same test.
  await ended(child, 'SIGKILL')
  throw new Error('the second server did not start')
}

const isReady = (origin: string) =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exit
}
