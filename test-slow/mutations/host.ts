// Runs in the copy of the checkout, over one test server: files of tests as the parent asks, each time in a new process.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { createVitest } from 'vitest/node'

export type Asked = { files: string[]; defect: number; reached: string; limit: number }
export type Answer = { failed: string | null; isLate: boolean; ms: number }

const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  maxWorkers: 1,
  silent: true,
  reporters: [{}],
})
const specifications = await vitest.globTestSpecifications()

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter((child) => child > 0)

/** Ends a process and what it started. */
function end(pid: number) {
  try {
    const started = childrenOf(pid)
    process.kill(pid, 'SIGKILL')
    started.forEach(end)
  } catch {
    // It has ended, or has no children.
  }
}

/** Ends the process that runs tests, and not the database. */
function endWorkers() {
  try {
    for (const pid of childrenOf(process.pid))
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workers/forks')) end(pid)
  } catch {
    // None is left.
  }
}

/** The first failure of a file, in a new process: constants are computed again. */
async function failureOf(file: string): Promise<string | null> {
  const chosen = specifications.filter(({ moduleId }) => moduleId === path.resolve(file))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen)
  const failing = testModules.find((one) => one.moduleId === path.resolve(file) && one.state() === 'failed')
  const [test] = failing ? failing.children.allTests('failed') : []
  if (failing) return `${file}: ${test?.fullName ?? 'the file'}`
  return unhandledErrors.length > 0 ? `${file}: ${(unhandledErrors[0] as Error).message}` : null
}

/** Drops what ended processes left: each test file makes databases of 13 MB, and those of three hundred defects fill a memory disk. */
async function dropDatabases() {
  const connection = vitest.projects.map((one) => one.getProvidedContext().postgres).find(Boolean)
  if (!connection) return
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where datname like 'test\\_%'`,
  )
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  await client.end()
}

/** Runs one file after another, up to the first that fails. */
async function run({ defect, files, limit, reached }: Asked): Promise<Answer> {
  process.env.DEFECT = String(defect)
  process.env.DEFECTS_REACHED = reached
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endWorkers()
  }, limit)
  const began = Date.now()
  let failed: string | null = null
  for (const file of files) {
    if (isLate || failed) break
    failed = await failureOf(file)
    await dropDatabases()
  }
  clearTimeout(timer)
  return { failed, isLate, ms: Date.now() - began }
}

process.on('message', async (asked: Asked) => process.send!(await run(asked)))
process.on('disconnect', async () => {
  endWorkers()
  await vitest.close()
  process.exit()
})
process.send!('ready')
