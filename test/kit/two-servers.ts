import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import type { Db } from '../../src/platform/database/client.ts'
import { movedClock } from '../../src/platform/database/embedded/cluster.ts'
import { count } from './count.ts'
import { freshDatabase } from './fresh-database.ts'
import { insertHome, insertPeople, insertPerson, type Person, type PersonInput, secret } from './people.ts'
import { browserOf } from './visitor.ts'

const root = path.resolve(import.meta.dirname, '../..')

const { NODE_COMPILE_CACHE, PATH } = process.env
/** What the program gets of the environment of the tests: starts take a seventh less with what an earlier one compiled. */
export const inherited = { NODE_COMPILE_CACHE, PATH }

export type Servers = Awaited<ReturnType<typeof openServers>>

/** The built application in so many web processes over one database, asked over the network. */
export async function openServers(count = 2, environment: Record<string, string> = {}) {
  const db = await freshDatabase()
  const started = await Promise.all(Array.from({ length: count }, () => startServer(db, environment)))
  return {
    db,
    servers: started.map(({ browser }) => browser),
    person: (input?: PersonInput) => insertPerson(db, input),
    people: () => insertPeople(db),
    home: (customer: Person, form?: Partial<Record<string, string>>, agencyId?: string) =>
      insertHome(db, customer, form, agencyId),
    async close() {
      await Promise.all(started.map(({ child }) => ended(child)))
      await db.$client.end()
    },
  }
}

/** The built application over a database, in one process without operands; PORT names a port that another one has left. */
export async function startServer(
  { $client }: Db,
  environment: Record<string, string>,
  ...operands: string[]
) {
  const { database, host, user } = $client.options
  count('servers')
  const origin = `http://localhost:${environment.PORT ?? (await freePort())}`
  const child = spawn(process.execPath, ['src/app/main.ts', ...operands], {
    cwd: root,
    env: {
      ...inherited,
      ...movedClock,
      PORT: new URL(origin).port,
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`,
      AUTH_SECRET: secret,
      LOG_LEVEL: 'error',
      ROLE: 'web',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await firstAnswer(`${origin}/healthz`, child)
  const asking = (signal?: AbortSignal) => ({
    fetch: (request: Request) => fetch(request, { redirect: 'manual', ...(signal && { signal }) }),
  })
  const browser = {
    ...browserOf(asking(), origin),
    origin,
    /** Ends the process as a fault would, without a word. */
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    /** Ends it as an operator does. */
    stop: () => ended(child),
    /** A browser whose connection is lost when the signal says so. */
    losing: (signal: AbortSignal) => browserOf(asking(signal), origin),
  }
  return { child, browser }
}

async function firstAnswer(address: string, child: ChildProcess) {
  while (child.exitCode === null) {
    const answer = await fetch(address).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The server ended before it answered.')
}

async function ended(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const given = new Set<number>()

/** A port of this machine on which nothing listens, another one at each call. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  if (given.has(port)) return freePort()
  given.add(port)
  return port
}
