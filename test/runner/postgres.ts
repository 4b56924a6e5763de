import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/platform/database/client.ts'
import { ensureDatabase, startEmbedded } from '../../src/platform/database/embedded/cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; user: string }
    /** When the run began, in milliseconds. */
    started: number
  }
}

/** Hundreds of databases with a few rows each: no one sweeps them, and no question is worth a process of its own. */
const quiet = { autovacuum: 'off', jit: 'off', max_parallel_workers_per_gather: '0' }

/** What a test server does without: the disk's guarantees. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  ...quiet,
}

/** One real server for the whole run, and a template database that every test file copies. */
export default async function setup(project: TestProject) {
  const room = await roomy()
  for (const left of globSync(path.join(room, 'carga-test-*')))
    if (isLeftBehind(left)) rmSync(left, { recursive: true, force: true })
  const folder = mkdtempSync(path.join(room, 'carga-test-'))
  // Run as root, the server is another user's: a folder closed to that user would send its data elsewhere.
  chmodSync(folder, 0o755)
  if (takeKept(folder) && !(await isMigrated(folder)))
    rmSync(path.join(folder, 'postgres'), { recursive: true })
  if (!existsSync(path.join(folder, 'postgres'))) {
    await makeTemplate(folder)
    keep(folder)
  }
  const server = await startEmbedded(folder, { settings })
  project.provide('postgres', server.connection)
  project.provide('started', Date.now())
  return async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Where a migrated cluster is kept between runs: another one for each text of the migrations and version of PostgreSQL. */
const shelf = path.resolve('node_modules/.cache/test-cluster')
const kept = path.join(shelf, keptKey())

function keptKey(): string {
  const sum = createHash('sha256').update(readFileSync('package-lock.json'))
  for (const file of [
    ...globSync('src/platform/database/migrations/*.sql').sort(),
    'src/platform/jobs/queues.ts',
  ])
    sum.update(readFileSync(file))
  return `${process.platform}-${process.arch}-${sum.digest('hex').slice(0, 16)}`
}

/** Whether a kept cluster was copied into this folder. One that this user may not read is as good as none. */
function takeKept(folder: string): boolean {
  if (!existsSync(kept)) return false
  const copy = path.join(folder, 'postgres')
  const done = spawnSync('cp', ['-a', kept, copy])
  if (done.status !== 0) rmSync(copy, { recursive: true, force: true })
  return done.status === 0
}

/** Keeps a stopped cluster for the next runs, and drops those of other migrations. What can't be kept is made again. */
function keep(folder: string): void {
  const part = `${kept}.${process.pid}`
  try {
    mkdirSync(shelf, { recursive: true })
    for (const left of readdirSync(shelf)) rmSync(path.join(shelf, left), { recursive: true, force: true })
    if (spawnSync('cp', ['-a', path.join(folder, 'postgres'), part]).status === 0) renameSync(part, kept)
  } catch (error) {
    console.warn(`The migrated cluster could not be kept in ${shelf}: ${error}`)
  }
}

/** Whether the kept cluster starts and has each migration, under its own text. */
async function isMigrated(folder: string): Promise<boolean> {
  const server = await startEmbedded(folder, { settings }).catch(() => undefined)
  if (!server) return false
  const db = openDatabase({ ...server.connection, database: 'template_carga' }, 1)
  const { missingMigrations } = await import('../../src/platform/database/migrate.ts')
  const missing = await missingMigrations(db).catch(() => ['unknown'])
  await db.$client.end()
  await server.stop()
  return missing.length === 0
}

/** Makes the cluster with its migrated template, and stops it. */
async function makeTemplate(folder: string): Promise<void> {
  const server = await startEmbedded(folder, { settings })
  await ensureDatabase(server.connection, 'template_carga')
  const db = openDatabase({ ...server.connection, database: 'template_carga' }, 2)
  const { migrate } = await import('../../src/platform/database/migrate.ts')
  await migrate(db)
  const { startJobs, stopJobs } = await import('../../src/platform/jobs/jobs.ts')
  await startJobs(db)
  await stopJobs()
  await db.$client.end()
  await server.stop()
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
