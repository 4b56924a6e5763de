import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/server/platform/database/client.ts'
import { ensureDatabase, startEmbedded } from '../../src/server/platform/database/embedded/cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string }
    /** When the run began, in milliseconds. */
    started: number
  }
}

/** Hundreds of databases with a few rows each: nobody sweeps them, and no question is worth a process of its own. */
const quiet = { autovacuum: 'off', jit: 'off', max_parallel_workers_per_gather: '0' }

/** One real server for the whole run, without the disk's guarantees, and a template database that every test file copies. */
export default async function setup(project: TestProject) {
  const room = await roomy()
  for (const left of globSync(path.join(room, 'carga-test-*')))
    if (isLeftBehind(left)) rmSync(left, { recursive: true, force: true })
  const folder = mkdtempSync(path.join(room, 'carga-test-'))
  // Run as root, the server is another user's: a folder closed to that user would send its data elsewhere.
  chmodSync(folder, 0o755)
  const server = await startEmbedded(folder, {
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      ...quiet,
    },
  })
  await ensureDatabase(server.connection, 'template_carga')
  const db = openDatabase({ ...server.connection, database: 'template_carga' }, 2)
  const { migrate } = await import('../../src/server/platform/database/migrate.ts')
  await migrate(db)
  const { startJobs, stopJobs } = await import('../../src/server/platform/jobs/jobs.ts')
  await startJobs(db)
  await stopJobs()
  await db.$client.end()
  project.provide('postgres', server.connection)
  project.provide('started', Date.now())
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether a run that was killed left it: gigabytes of memory that nothing else gives back. A server that starts has no pid yet. */
function isLeftBehind(folder: string): boolean {
  const file = path.join(folder, 'postgres/postmaster.pid')
  const hour = 3_600_000
  if (!existsSync(file)) return Date.now() - statSync(folder).mtimeMs > hour
  return !existsSync(`/proc/${Number.parseInt(readFileSync(file, 'utf8'), 10)}`) && existsSync('/proc/self')
}

/** Hundreds of databases of nine hundred files each: a disk takes minutes to write and to forget them, memory seconds. */
async function roomy(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 10 * 2 ** 30 ? memory : tmpdir()
}
