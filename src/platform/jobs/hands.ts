import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FetchOptions, JobWithMetadata, PgBoss } from 'pg-boss'
import { type Db, type Tx, transaction } from '../database/client.ts'
import { literals } from '../database/lists.ts'
import { atMost } from '../http/stop.ts'
import { log } from '../telemetry/log.ts'

/** One try of a job; `retryCount` identifies the try. */
export type Try<Data extends object> = Pick<JobWithMetadata<Data>, 'id' | 'data' | 'retryCount' | 'groupId'>

/** Where a wake is missed, as of a job that another program wrote: it waits this long at most. */
const lookEveryMs = 30_000
/** Wakes within this many milliseconds are one look. */
const gatherMs = 25
const retryMs = 1_000
/** How often a process with running jobs reports them. */
const beatMs = 5_000
/** A holder silent for this long counts as gone: its process was killed. */
const silentSeconds = 30

/** How many jobs of one receiver run at once, in all processes together. */
const mostOfReceiver = 2
/** After so many time-outs in a row a receiver is tried once at a time, until it answers. */
const mostTimeouts = 3
const timeouts = new Map<string, number>()

/** Notes whether a receiver answered in time, whatever its answer. */
export function noteAnswer(receiver: string, inTime: boolean): void {
  if (inTime) timeouts.delete(receiver)
  else timeouts.set(receiver, (timeouts.get(receiver) ?? 0) + 1)
}

const isSlow = (receiver: string | null | undefined) => (timeouts.get(receiver ?? '') ?? 0) >= mostTimeouts

/**
 * The jobs that this process has in hand. Each is taken when there is a hand free for it, and ended by itself as soon as
 * it is done: what a process leaves behind is only what it was doing. No try ends a job that another process has by now.
 */
export function openHands(boss: PgBoss, db: Db, atBeat: () => Promise<void>) {
  const held: Held = new Map()
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let dropped = false
  const takers = new Map<string, () => Promise<boolean>>()
  const done: Done[] = []
  let ending = false
  let woken = Promise.withResolvers<void>()
  const beating = beat(boss, db, held, { wake, atBeat, signal: stopping.signal })
  stopping.signal.addEventListener('abort', wake)
  const looking = look()

  /** Has the queues looked through at once. */
  function wake(): void {
    woken.resolve()
  }

  /**
   * Takes jobs of a queue, so many at once at most, until the stop; with `isShared`, few of one receiver. `run` settles
   * each, and throws nothing.
   */
  function work<Data extends object>(
    name: string,
    { atOnce, isShared }: { atOnce: number; isShared: boolean },
    run: (job: Try<Data>) => Promise<void>,
  ) {
    const mine = new Map<string, Try<Data>>()
    held.set(name, mine)
    const one = async (job: Try<Data>) => {
      await run(job)
      mine.delete(job.id)
      // It may be due again, or another one waited for this hand.
      wake()
    }
    takers.set(name, async () => {
      const free = atOnce - mine.size
      const jobs =
        free <= 0 ? [] : await (isShared ? fairly(free) : taken<Data>(boss, name, { batchSize: free }))
      for (const job of jobs ?? []) {
        mine.set(job.id, job)
        const ending: Promise<void> = one(job).finally(() => running.delete(ending))
        running.add(ending)
      }
      // Those of the next receiver may stand behind many of one that has its places by now.
      if (isShared && jobs?.length) wake()
      return jobs !== null
    })
    wake()

    /** Slow receivers have half of the places, and one each. */
    async function fairly(free: number) {
      const slow = [...timeouts.keys()].filter(isSlow)
      const quick = { batchSize: free, groupConcurrency: mostOfReceiver, ignoreGroups: slow }
      const jobs = await taken<Data>(boss, name, quick)
      if (!jobs || slow.length === 0) return jobs
      const slowHeld = [...mine.values()].filter(({ groupId }) => isSlow(groupId)).length
      const room = Math.min(free - jobs.length, Math.ceil(atOnce / 2) - slowHeld)
      const more = room > 0 ? await taken<Data>(boss, name, { batchSize: room, groupConcurrency: 1 }) : []
      return [...jobs, ...(more ?? [])]
    }
  }

  /** Sleeps until a wake, or until the next job is due; then takes what is. One statement looks through all queues. */
  async function look() {
    while (!stopping.signal.aborted) {
      woken = Promise.withResolvers<void>()
      const waits = await waitsOf(db, [...takers.keys()])
      const dueNow = waits.filter(({ ms }) => ms <= 0)
      const took = await Promise.all(dueNow.map(({ name }) => takers.get(name)?.()))
      // One that is due and was not taken waits for a hand, which wakes, or is another process's by now.
      const others = waits.map(({ ms }) => ms).filter((ms) => ms > 0)
      const next = Math.min(took.includes(false) ? retryMs : lookEveryMs, ...others)
      const timer = setTimeout(wake, next)
      await woken.promise
      clearTimeout(timer)
      await pause(stopping.signal, gatherMs)
    }
  }

  /** Ends what was done meanwhile, in one transaction for all, until there is nothing more. */
  async function endDone() {
    if (ending) return
    ending = true
    for (; done.length > 0; await turn()) {
      const some = done.splice(0)
      await insist(
        () => transaction(db, (tx) => endTogether(tx, some)),
        () => dropped,
      )
      for (const { ended } of some) ended.resolve()
    }
    ending = false
  }

  return {
    work,
    wake,
    /** Ends a try by `end`, with others of its queue that ended meanwhile, once the database answers; not where the job is another process's by now. */
    async complete(name: string, job: Try<object>, end: End) {
      const ended = Promise.withResolvers<void>()
      done.push({ name, job, end, ended })
      if (!ending) void turn().then(endDone)
      await ended.promise
    },
    /** Ends a failed try, by itself. */
    settle: (name: string, job: Try<object>, end: (tx: Tx) => Promise<unknown>) =>
      insist(
        () => transaction(db, async (tx) => (await oursOf(tx, name, [job])).length > 0 && (await end(tx))),
        () => dropped,
      ),
    /** Takes no more. */
    close: () => stopping.abort(),
    /** Waits until the last one is done, for so many milliseconds at most: a job that may still be under way is given back to no one yet. */
    async empty(ms: number) {
      stopping.abort()
      const empty = Promise.all([looking, beating]).then(() => Promise.all(running))
      await atMost(ms, empty, 'jobs')
      dropped = true
    },
  }
}

/** The jobs in hand of each queue, by id. */
type Held = Map<string, Map<string, unknown>>

const pause = (signal: AbortSignal, ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)

const due = {
  name: 'jobs_due',
  text: `select name, (extract(epoch from min(start_after) - now()) * 1000)::float as ms from pgboss.job
    where name = any($1) and state < 'active' and not blocked and start_after < now() + make_interval(secs => $2) group by name`,
}

/** In how many milliseconds the next job of each queue is due, of those that are soon. Empty queues are left out. */
async function waitsOf(db: Db, names: string[]): Promise<{ name: string; ms: number }[]> {
  try {
    const values = [names, lookEveryMs / 1000]
    return (await db.$client.query<{ name: string; ms: number }>({ ...due, values })).rows
  } catch (err) {
    log.error({ err }, 'jobs')
    return [{ name: '', ms: retryMs }]
  }
}

/** The next jobs of a queue; null when the database did not answer. */
async function taken<Data extends object>(boss: PgBoss, name: string, which: FetchOptions) {
  try {
    return await boss.fetch<Data>(name, { ...which, includeMetadata: true })
  } catch (err) {
    log.error({ err, queue: name }, 'jobs')
    return null
  }
}

/** Of a job that was fetched: it is under way, or was given back meanwhile. */
const takenStates = ['active', 'retry']

/** No other process took them since: each fetch raises the count. They may be waiting again, when our lease could not be renewed. */
async function oursOf(tx: Tx, name: string, tries: readonly Try<object>[]): Promise<string[]> {
  const { rows } = await tx.$client.query<{ id: string; retry_count: number }>(
    `select id, retry_count from pgboss.job where name = $1 and id = any($2::uuid[]) and state in (${literals(takenStates)})
     order by id for update`,
    [name, tries.map(({ id }) => id)],
  )
  const counts = new Map(rows.map((row) => [row.id, row.retry_count]))
  return tries.flatMap(({ id, retryCount }) => (counts.get(id) === retryCount ? [id] : []))
}

/** Ends some jobs of one queue. */
type End = (tx: Tx, ids: string[]) => Promise<unknown>
type Done = { name: string; job: Try<object>; end: End; ended: PromiseWithResolvers<void> }

async function endTogether(tx: Tx, some: readonly Done[]) {
  for (const [name, those] of Map.groupBy(some, (one) => one.name)) {
    const ids = await oursOf(
      tx,
      name,
      those.map(({ job }) => job),
    )
    if (ids.length > 0) await those[0]!.end(tx, ids)
  }
}

async function insist(settle: () => Promise<unknown>, isLate: () => boolean): Promise<void> {
  while (!isLate()) {
    try {
      await settle()
      return
    } catch (err) {
      log.error({ err }, 'job result not saved, will be retried')
      await sleep(retryMs)
    }
  }
}

/**
 * Says which jobs are in hand, and gives back those that no one has. After a time without the database, or after its
 * clock jumped, everybody is first let say so. A job that ends its process each time is tried no oftener than any other.
 */
async function beat(
  boss: PgBoss,
  db: Db,
  held: Held,
  { atBeat, signal, wake }: { atBeat: () => Promise<void>; signal: AbortSignal; wake: () => void },
) {
  let beats = 0
  let apart = 0
  while (!signal.aborted) {
    try {
      const before = apart
      apart = await clockApart(db)
      if (Math.abs(apart - before) > silentSeconds / 3) beats = 0
      await atBeat()
      for (const [name, ids] of held) if (ids.size > 0) await boss.touch(name, [...ids.keys()])
      if (++beats > 2 && (await giveBackSilent(db, [...held.keys()]))) wake()
    } catch (err) {
      beats = 0
      log.error({ err }, 'renewing job leases failed')
    }
    await pause(signal, beatMs)
  }
}

/** How far the database's clock is from one that never jumps, in seconds. */
async function clockApart(db: Db): Promise<number> {
  const { rows } = await db.$client.query<{ at: number }>(
    'select extract(epoch from clock_timestamp())::float as at',
  )
  return rows[0]!.at - performance.now() / 1000
}

/** Gives the jobs of some queues back whose process is silent; answers whether there were any. */
export async function giveBackSilent(db: Db, names: string[]): Promise<boolean> {
  const { rowCount } = await db.$client.query(
    `update pgboss.job set state = 'retry', start_after = now()
     where name = any($1) and state = 'active' and retry_count < retry_limit
       and heartbeat_on < now() - make_interval(secs => $2)`,
    [names, silentSeconds],
  )
  if (rowCount) log.warn({ count: rowCount }, 'jobs of a stopped process returned to the queue')
  return Boolean(rowCount)
}
