import { createHash } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { undoSeconds } from '../../appointments/rules/undo.ts'
import { afterCommit, type Db, type Queryable, type Tx } from '../database/client.ts'
import { literals } from '../database/lists.ts'
import { listenOn } from '../live/announcements.ts'
import { log, runWithContext } from '../telemetry/log.ts'
import { type Carrier, jobEnded, spanned } from '../telemetry/spans.ts'
import { openHands, type Try } from './hands.ts'
import { atOnce, deadLetters, type Jobs, names, orderOf, queues, unwrapJob, wrapJob } from './queues.ts'
import { askForAllRounds, askForRounds, correctLatches, noteRound } from './rounds.ts'

type Known = { final?: boolean; reader?: string; about?: object }

/** A failed job, in words that may be stored and logged: codes, without personal data. */
export class JobFailed extends Error {
  /** No further try would help. */
  readonly final: boolean
  /** The recipient of the letter. */
  readonly reader: string | undefined
  /** The job's data without what must not be stored: with these the job is kept for the operator. */
  readonly about: object | undefined

  constructor(message: string, { about, final = false, reader }: Known = {}) {
    super(message)
    this.name = 'JobFailed'
    this.final = final
    this.reader = reader
    this.about = about
  }

  /** The same with the recipient of the letter. */
  of(reader: string | undefined, about?: object): JobFailed {
    return new JobFailed(this.message, {
      final: this.final,
      ...(reader && { reader }),
      ...(about && { about }),
    })
  }
}

type Handlers = { [Name in keyof Jobs]: (data: Jobs[Name], jobId: string) => Promise<void> }

type Hands = ReturnType<typeof openHands>

let boss: PgBoss | undefined
let hands: Hands | undefined
let stopListening: (() => Promise<void>) | undefined
let working = false

/** The channel that wakes the processes which take jobs: without it they look every 30 s, and when one they know is due. */
const wakeUps = 'jobs'
/** Jobs sent within this many milliseconds are one wake: each NOTIFY makes commits of the whole database queue. */
const gatherMs = 25
let waking: NodeJS.Timeout | undefined
/** Has a sent job taken at once; set where jobs are started. */
let wakeAll = () => {}

/** Wakes this process, if it takes jobs, or else those that do: one that is stopping takes none. */
function wake(db: Db): void {
  if (working) hands?.wake()
  if (working || waking) return
  waking = setTimeout(() => {
    waking = undefined
    db.$client
      .query(`select pg_notify($1, '')`, [wakeUps])
      .catch((err) => log.warn({ err }, 'waking the workers failed'))
  }, gatherMs)
}

/** Opens the job queues on the same database; a process that only sends gets no handlers. `places` replace those of `atOnce`. */
export async function startJobs(db: Db, handlers?: Handlers, places: typeof atOnce = {}): Promise<void> {
  boss = new PgBoss({
    db: { executeSql: async (text: string, values?: unknown[]) => db.$client.query(text, values) },
    schema: 'pgboss',
    migrate: true,
    supervise: handlers !== undefined,
    // Rounds are ours (`rounds.ts`): pg-boss's schedules stand still for as long as a clock was ahead.
    schedule: false,
    // No job of ours waits for another one: by itself it looks for those every 5 s.
    flowIntervalSeconds: 3_600,
  })
  wakeAll = () => wake(db)
  boss.on('error', (err) => log.error({ err }, 'jobs'))
  await boss.start()
  await openQueues(boss)
  if (!handlers) return
  await askForAllRounds(db)
  const taking = openHands(boss, db, () => keepTime(db))
  hands = taking
  stopListening = listenOn(db, [wakeUps], { heard: taking.wake, connected: taking.wake })
  for (const name of names)
    takeJobs({ atOnce: places[name] ?? atOnce[name] ?? 1, boss, db, hands: taking }, name, handlers)
  taking.wake()
  working = true
}

async function keepTime(db: Db) {
  try {
    await correctLatches(db)
    await askForRounds(db, enqueue)
  } catch (err) {
    log.error({ err }, 'rounds could not be asked for')
  }
}

/** Creates the missing queues, and updates the retry settings of those that an earlier version created. */
async function openQueues(from: PgBoss): Promise<void> {
  const there = new Map((await from.getQueues()).map((queue) => [queue.name, queue]))
  if (!there.has(deadLetters)) await from.createQueue(deadLetters)
  for (const name of names) {
    const kept: object | undefined = there.get(name)
    // The library read it at its start, and nothing has changed.
    if (kept && isLike(kept, queues[name])) continue
    if (kept) await from.updateQueue(name, queues[name])
    else await from.createQueue(name, queues[name])
    await known(from, name)
  }
  // If this read failed at its start, the library stays silent: here it becomes an error now, not at a booking.
  await known(from, 'letter')
}

const isLike = (kept: object, wanted: object) => {
  const found = new Map<string, unknown>(Object.entries(kept))
  return Object.entries(wanted).every(([name, value]) => found.get(name) === value)
}

/**
 * Reads a nonexistent job: the library loads a queue's settings at its first use, by a connection of its own. Left to
 * the first booking, that is a second connection inside a transaction, which many at once cannot get.
 */
const known = (from: PgBoss, queue: keyof Jobs) =>
  from.findJobs(queue, { id: '00000000-0000-0000-0000-000000000000' })

/** Those whose receivers are other people's servers. */
const shared: readonly (keyof Jobs)[] = ['send-webhook', 'push', 'read-calendar']

type Taking = { atOnce: number; db: Db; boss: PgBoss; hands: Hands }

function takeJobs<Name extends keyof Jobs>(
  { atOnce, boss: from, db, hands }: Taking,
  name: Name,
  handlers: Handlers,
) {
  const run = async (job: Try<Jobs[Name]>) => {
    const { carried, caused, data } = unwrapJob(job.data)
    const cause = { ...caused, job: job.id, queue: name }
    await runWithContext(cause, async () => {
      const failed = await attempt(job, data, carried)
      await (failed ? hands.settle(name, job, failed) : hands.complete(name, job, done))
    })
  }
  const done = (tx: Tx, ids: string[]) =>
    name === 'account-letter'
      ? from.deleteJob(name, ids, { db: plain(tx) })
      : // Also if it was returned to the queue meanwhile, since our lease could not be renewed.
        from.complete(name, ids, undefined, { db: plain(tx), includeQueued: true })
  /** Tries a job; returns how it failed, if it did. */
  const attempt = async ({ id, retryCount }: Try<Jobs[Name]>, data: Jobs[Name], carried?: Carrier) => {
    try {
      await counted(name, () =>
        spanned(`job ${name}`, { kind: 'consumer', from: carried }, () => handlers[name](data, id)),
      )
      await noteRound(db, name)
      return null
    } catch (err) {
      const final = err instanceof JobFailed && err.final
      log.error({ err }, final ? 'job failed permanently' : 'job failed, will be retried')
      return async (tx: Tx) => {
        if (final) await lastTry(tx, name, id, { retryCount, about: err.about })
        await from.fail(name, id, storedFailure(err), { db: plain(tx) })
      }
    }
  }
  hands.work<Jobs[Name]>(name, { atOnce, isShared: shared.includes(name) }, run)
}

/** What is stored of a failure with its job: codes and ids, never a message that may contain personal data. */
const storedFailure = (err: unknown) =>
  err instanceof JobFailed
    ? { message: err.message, reader: err.reader }
    : { message: err instanceof Error ? err.name : 'error' }

/**
 * The job is not retried automatically. `about` replaces data that must not be stored, so that the operator sees it.
 */
async function lastTry(
  tx: Tx,
  name: string,
  id: string,
  { retryCount, about }: { retryCount: number; about: object | undefined },
) {
  await tx.$client.query(
    `update pgboss.job set retry_limit = $3, dead_letter = case when $4::jsonb is null then dead_letter else $5 end,
       data = coalesce($4::jsonb, data) where name = $1 and id = $2`,
    [name, id, retryCount, about ? JSON.stringify(about) : null, deadLetters],
  )
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

const withoutJobs = new WeakSet<Tx['$client']>()

/** Drops every job that is sent on a connection: the demo world's past events send no letters. */
export const dropJobs = (client: Tx['$client']): void => {
  withoutJobs.add(client)
}

/**
 * Sends a job inside the transaction that causes it: it exists if, and only if, that commits. It runs at once,
 * or not before `at`: a moment, or so many seconds from now. Of several with one `id` there is one.
 */
export async function enqueue<Name extends keyof Jobs>(
  tx: Tx,
  name: Name,
  data: Jobs[Name],
  at?: Date | number,
  id?: string,
): Promise<void> {
  if (withoutJobs.has(tx.$client)) return
  if (!boss) throw new Error('jobs were not started')
  await boss.send(name, wrapJob(data), {
    db: within(tx, `send_${name}`),
    ...(at && { startAfter: at }),
    ...(id && { id }),
    ...orderOf(data),
  })
  afterCommit(tx, wakeAll)
}

/** The transaction's connection as the library queries it; named, so that its long statement is planned once. */
const within = ({ $client }: Tx, statement: string) => ({
  executeSql: (text: string, values?: unknown[]) =>
    $client.query({ name: statement, text, ...(values && { values }) }),
})

/**
 * Returns the dead letters of a queue to it, as new; returns how many. They move if, and only if, the transaction
 * commits.
 */
export async function redriveDead(tx: Tx, queue: string): Promise<number> {
  if (!boss) throw new Error('jobs were not started')
  // A dead letter from an unknown queue cannot be returned.
  if (!(names as readonly string[]).includes(queue)) return 0
  afterCommit(tx, wakeAll)
  return boss.redrive(deadLetters, { sourceName: queue, db: plain(tx) })
}

const plain = (tx: Tx) => ({
  executeSql: (text: string, values?: unknown[]) => tx.$client.query(text, values),
})

export const jobsRun = () => working

/** Takes no more jobs: running ones continue. */
export function closeJobs(): void {
  working = false
  hands?.close()
}

/**
 * Lets running jobs end, for this many milliseconds at most, then closes the queues. A longer job is taken again once
 * its process is gone.
 */
export async function stopJobs(timeout = 10_000): Promise<void> {
  closeJobs()
  await stopListening?.()
  stopListening = undefined
  await hands?.empty(timeout)
  await boss?.stop({ graceful: false, close: false })
  hands = undefined
  boss = undefined
}

/** What follows from a change: e-mails, the offer of a freed slot, what becomes of a cancelled visit's fee, a granted load. */
type Following = 'letter' | 'offer-freed-slot' | 'end-fee' | 'follow-grant'
const following: readonly Following[] = ['letter', 'offer-freed-slot', 'end-fee', 'follow-grant']

/** Enqueues what follows from a change. */
export type Tell = <Name extends Following>(tx: Tx, name: Name, data: Jobs[Name]) => Promise<void>

/** At once: what the customer, the assignee or the system does is not undone. */
export const withoutDelay: Tell = (tx, name, data) => enqueue(tx, name, data)

/** More than any change has. */
const mostJobs = 8

/** A change of a row, by the version that it made. */
type Change = { id: string; version: number }

/** Once its actor can no longer undo the change. The jobs have ids by which they are found until then. */
export function unlessUndone(change: Change, seconds = undoSeconds): Tell {
  let count = 0
  return (tx, name, data) => enqueue(tx, name, data, seconds, jobIdOf(change, count++))
}

/** The id of the nth job of a change. */
const jobIdOf = ({ id, version }: Change, nth: number) => jobIdFor(`undo ${id} ${version}`, `${nth}`)

/** A UUID (version 8, RFC 9562) derived from a cause and what distinguishes it from others of that cause. */
export function jobIdFor(cause: string, which: string): string {
  const hex = createHash('sha256').update(`${cause} ${which}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}

const jobIdsOf = (changes: readonly Change[]) =>
  changes.flatMap((change) => Array.from({ length: mostJobs }, (_, nth) => jobIdOf(change, nth)))

/** For how many seconds all that follows from changes still waits; zero once any of it does not. */
export async function followingWaits(db: Queryable, changes: readonly Change[]): Promise<number> {
  const { rows } = await db.$client.query<{ seconds: number | null; all: boolean | null }>(
    `select extract(epoch from min(start_after) - now())::float8 as seconds,
       bool_and(state = 'created' and start_after > now()) as all
     from pgboss.job where name in (${literals(following)}) and id = any($1::uuid[])`,
    [jobIdsOf(changes)],
  )
  const { all, seconds } = rows[0]!
  return all ? Math.max(seconds ?? 0, 0) : 0
}

/**
 * Drops what follows from changes, which is at least so many jobs. Answers whether all of it was still waiting: if not,
 * its transaction must end.
 */
export async function dropFollowing(
  tx: Tx,
  changes: readonly Change[],
  least = changes.length,
): Promise<boolean> {
  const { rows } = await tx.$client.query<{ all: number; waiting: number }>(
    `with dropped as (
       delete from pgboss.job where name in (${literals(following)}) and id = any($1::uuid[])
         and state = 'created' and start_after > now() returning id
     )
     select (select count(*)::int from dropped) as waiting,
       (select count(*)::int from pgboss.job where name in (${literals(following)}) and id = any($1::uuid[])) as all`,
    [jobIdsOf(changes)],
  )
  const { all, waiting } = rows[0]!
  return all >= least && waiting === all
}
