import { type Job, PgBoss } from 'pg-boss'
import { type Db, leave, type Tx } from '../database/database.ts'
import { log } from '../log.ts'
import { onBehalfOf } from '../telemetry/cause.ts'
import { jobEnded } from '../telemetry/meters.ts'
import { type Carrier, spanned } from '../telemetry/spans.ts'
import { opened, sealed } from './envelope.ts'
import { deadLetters, type Jobs, names, queues, rounds, together } from './queues.ts'

type Handlers = { [Name in keyof Jobs]: (data: Jobs[Name], jobId: string) => Promise<void> }

let boss: PgBoss | undefined
let working = false

/** Opens the job queues on the same database; a process that only sends gets no handlers. */
export async function startJobs(db: Db, handlers?: Handlers): Promise<void> {
  boss = new PgBoss({
    db: { executeSql: async (text: string, values?: unknown[]) => db.$client.query(text, values) },
    schema: 'pgboss',
    migrate: true,
    supervise: handlers !== undefined,
    schedule: handlers !== undefined,
  })
  boss.on('error', (err) => log.error({ err }, 'jobs'))
  await boss.start()
  await openQueues(boss)
  if (!handlers) return
  for (const name of names) await takeJobs(boss, name, handlers)
  for (const [name, round] of Object.entries(rounds)) {
    await boss.schedule(name, round, {}, { tz: 'America/Mexico_City' })
    await boss.send(name, {})
  }
  working = true
}

/** Makes the queues that are missing, and has those that an earlier version made learn how patient they are now. */
async function openQueues(from: PgBoss): Promise<void> {
  const there = new Map((await from.getQueues()).map((queue) => [queue.name, queue]))
  if (!there.has(deadLetters)) await from.createQueue(deadLetters)
  for (const name of names) {
    const kept: object | undefined = there.get(name)
    // The library read it at its start, and nothing is to be changed.
    if (kept && isLike(kept, queues[name])) continue
    if (kept) await from.updateQueue(name, queues[name])
    else await from.createQueue(name, queues[name])
    await known(from, name)
  }
  // What it read at its start it keeps without a word when it failed: now that is an error here, and not at a booking.
  await known(from, 'letter')
}

const isLike = (kept: object, wanted: object) => {
  const found = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(wanted).every(([name, value]) => found.get(name) === value)
}

/**
 * Asks for a job that does not exist: the library reads what it has to know of a queue at its first use, by a connection of
 * its own. Left to the first booking, that is a second connection inside a transaction, and many at once have none left.
 */
const known = (from: PgBoss, queue: keyof Jobs) =>
  from.findJobs(queue, { id: '00000000-0000-0000-0000-000000000000' })

async function takeJobs<Name extends keyof Jobs>(from: PgBoss, name: Name, handlers: Handlers) {
  const take = async (job: Job<Jobs[Name]>) => {
    const { carried, data, request } = opened(job.data)
    const cause = { ...(request && { request }), job: job.id, queue: name }
    await onBehalfOf(cause, () => attempt({ ...job, data }, carried))
  }
  const attempt = async (job: Job<Jobs[Name]>, carried: Carrier | undefined) => {
    try {
      await counted(name, () =>
        spanned(`job ${name}`, { kind: 'consumer', from: carried }, () => handlers[name](job.data, job.id)),
      )
      if (name === 'account-letter') await from.deleteJob(name, job.id)
    } catch (err) {
      log.error({ err }, 'a job failed and will be tried again')
      // Only this one: an error thrown here would fail, and so repeat, the whole batch.
      await from.fail(name, job.id, { message: err instanceof Error ? err.name : 'error' })
    }
  }
  await from.work<Jobs[Name]>(name, { pollingIntervalSeconds: 1, batchSize: 25 }, async (jobs) => {
    if (together.has(name)) await Promise.all(jobs.map(take))
    else for (const job of jobs) await take(job)
  })
}

async function counted(queue: keyof Jobs, run: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const ended = (ok: boolean) => jobEnded({ queue, ok, seconds: (performance.now() - started) / 1000 })
  try {
    await run()
    ended(true)
  } catch (error) {
    ended(false)
    throw error
  }
}

/** Sends a job inside the transaction that causes it: it exists if, and only if, that commits, which waits for it. It runs at once, or not before `at`. */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  data: Jobs[Name],
  at?: Date,
): Promise<void> {
  if (!boss) throw new Error('jobs were not started')
  const asked = Promise.withResolvers<void>()
  const sent = boss.send(name, sealed(data), {
    db: within(tx, `send_${name}`, asked.resolve),
    ...(at && { startAfter: at }),
  })
  leave(tx, sent)
  await Promise.race([asked.promise, sent])
}

/** The transaction's connection as the library asks for it; under a name, so that its long statement is planned once. */
const within = ({ $client }: Tx, statement: string, asked: () => void) => ({
  executeSql: async (text: string, values?: unknown[]) => {
    const answer = $client.query({ name: statement, text, ...(values && { values }) })
    asked()
    return answer
  },
})

/** Sends the dead letters of a queue back to it, as new; answers how many. They move if, and only if, the transaction commits. */
export async function redriveDead(tx: Tx, queue: string): Promise<number> {
  if (!boss) throw new Error('jobs were not started')
  // What came from no queue of ours has nowhere to go back to.
  if (!(names as readonly string[]).includes(queue)) return 0
  const db = { executeSql: (text: string, values?: unknown[]) => tx.$client.query(text, values) }
  return boss.redrive(deadLetters, { sourceName: queue, db })
}

export const jobsRun = () => working

/** Lets running jobs end, for so many milliseconds at most (those that don't are tried again), then closes the queues. */
export async function stopJobs(timeout = 10_000): Promise<void> {
  working = false
  await boss?.stop({ graceful: true, timeout, close: false })
  boss = undefined
}
