import { readFile, statfs } from 'node:fs/promises'
import path from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { BatchObservableResult, Meter, Observable } from '@opentelemetry/api'
import { epochSeconds } from '../../shared/calendar.ts'
import { lastBackup } from '../backup/schema.ts'
import type { Db } from '../database/client.ts'
import { isWritable } from '../database/health.ts'
import { literals } from '../database/lists.ts'
import { replicaStatus } from '../database/replica.ts'
import { jsonIn } from '../external.ts'
import type { LoadShedder } from '../http/load-shedding.ts'
import { emailQueues } from '../jobs/queues.ts'
import { type RoundFigures, roundFigures } from '../jobs/rounds.ts'
import type { Streams } from '../live/streams.ts'
import { log } from './log.ts'
import { requestsInFlight } from './spans.ts'

export type Watched = { db: Db; streams: Streams; loadShedder: LoadShedder; dataDir: string; backups: string }

/** How long a reader waits for a database that does not answer, in milliseconds. */
const patience = 3_000

/** Two reads at about the same time share one result. */
const fresh = 2_000

/** Creates the gauges read on demand: the state of the process, the host and the work in the database. */
export function makeGauges(meter: Meter, watched: Watched): () => void {
  ofProcess(meter, watched)
  ofHost(meter, watched)
  ofDatabase(meter, watched)
  ofReplica(meter, watched)
  return ofLoop(meter)
}

function ofProcess(meter: Meter, { loadShedder, db, streams }: Watched) {
  const started = Date.now() / 1000 - process.uptime()
  each(meter, {
    http_server_active_requests: ['Requests that wait for their answer', requestsInFlight],
    carga_requests_inside: ['Those of them that take up room', () => loadShedder.figures().inside],
    carga_writable: ['Whether the last probe could write', () => (isWritable(db) ? 1 : 0)],
    carga_live_streams: ['Screens that are open and hear of changes', streams.count],
    process_resident_memory_bytes: ['Memory of the process', () => process.memoryUsage.rss()],
    nodejs_heap_used_bytes: ['Memory in use by its objects', () => process.memoryUsage().heapUsed],
    process_start_time_seconds: ['When it started, since 1970', () => started],
    carga_database_connections_max: [
      'As many connections as the pool may open',
      () => db.$client.options.max,
    ],
  })
  const cpu = meter.createObservableCounter('process_cpu_seconds_total', {
    description: 'Time on a processor',
  })
  cpu.addCallback((result) => {
    const { system, user } = process.cpuUsage()
    result.observe((system + user) / 1e6)
  })
  meter
    .createObservableCounter('carga_requests_turned_away_total', {
      description: 'Requests for which there was no room',
    })
    .addCallback((result) => result.observe(loadShedder.figures().shed))
  const connections = meter.createObservableGauge('carga_database_connections', {
    description: 'Connections of the pool that work and that rest, and those who wait for one',
  })
  connections.addCallback((result) => {
    const { idleCount: idle, totalCount: total, waitingCount: waiting } = db.$client
    for (const [state, count] of Object.entries({ used: total - idle, idle, waiting }))
      result.observe(count, { state })
  })
}

function ofHost(meter: Meter, { backups, dataDir }: Watched) {
  const free = meter.createObservableGauge('carga_disk_free_bytes', {
    description: 'Free where the data are',
  })
  const size = meter.createObservableGauge('carga_disk_size_bytes', { description: 'Size of that disk' })
  const backup = meter.createObservableGauge('carga_backup_last_success_timestamp_seconds', {
    description: 'When the last good backup was made, since 1970; 0 where there is none',
  })
  together(meter, [free, size, backup], async (result) => {
    const disk = await diskFigures(dataDir)
    result.observe(free, disk.free)
    result.observe(size, disk.size)
    result.observe(backup, await lastBackupAt(backups))
  })
}

/** Nothing without a replica. */
function ofReplica(meter: Meter, { db }: Watched) {
  const serving = meter.createObservableGauge('carga_replica_serving', {
    description: 'Whether lists are read from the replica',
  })
  const lag = meter.createObservableGauge('carga_replica_lag_seconds', {
    description: 'How far the replica was behind when it was last asked',
  })
  together(meter, [serving, lag], (result) => {
    const status = replicaStatus(db)
    if (!status) return
    result.observe(serving, status.state === 'serving' ? 1 : 0)
    result.observe(lag, status.lagMs / 1000)
  })
}

function ofDatabase(meter: Meter, { db }: Watched) {
  const gauge = (name: string, description: string) => meter.createObservableGauge(name, { description })
  const up = gauge('carga_database_up', 'Whether the database answered this very question')
  const waiting = gauge('carga_jobs_waiting', 'Jobs that are due and not taken, by queue')
  const oldest = gauge('carga_jobs_oldest_seconds', 'How long the oldest of them waits')
  const sinceRound = gauge('carga_rounds_last_seconds', 'Since the last success of each round, by queue')
  const betweenRounds = gauge('carga_rounds_interval_seconds', 'From one round to the next')
  const dead = gauge('carga_jobs_dead', 'Jobs that were given up and that nobody has looked at')
  const letters = gauge('carga_letters_unsent', 'Letters that should have left')
  const oldestLetter = gauge('carga_letters_oldest_seconds', 'How long the oldest of them waits')
  const unconfirmed = gauge(
    'carga_appointments_unconfirmed_24h',
    'Appointments within 24 hours that nobody has confirmed',
  )
  const ask = askedOnce(db)
  const all = [up, waiting, oldest, sinceRound, betweenRounds, dead, letters, oldestLetter, unconfirmed]
  together(meter, all, async (result) => {
    // The last figures, sent during shutdown, ignore a database that was closed on purpose.
    if (db.$client.ending) return
    const known = await ask()
    result.observe(up, known ? 1 : 0)
    if (!known) return
    for (const { queue, ...one } of known.queues) {
      result.observe(waiting, one.waiting, { queue })
      result.observe(oldest, one.oldest, { queue })
    }
    for (const { interval, queue, seconds } of known.rounds) {
      result.observe(sinceRound, seconds, { queue })
      result.observe(betweenRounds, interval, { queue })
    }
    result.observe(dead, known.dead)
    result.observe(letters, known.letters.unsent)
    result.observe(oldestLetter, known.letters.oldest)
    result.observe(unconfirmed, known.unconfirmed)
  })
}

/** The database's figures; null where it does not answer in time. */
function askedOnce(db: Db): () => Promise<DatabaseFigures | null> {
  let asked: Promise<DatabaseFigures | null> | undefined
  let at = 0
  const ask = () =>
    Promise.race([
      databaseFigures(db),
      new Promise<null>((resolve) => setTimeout(resolve, patience, null).unref()),
    ]).catch((err) => {
      log.warn({ err }, 'database gauges could not be read')
      return null
    })
  return () => {
    if (asked && performance.now() - at < fresh) return asked
    at = performance.now()
    asked = ask()
    return asked
  }
}

function ofLoop(meter: Meter): () => void {
  const loop = watchLoop()
  const late = meter.createObservableGauge('nodejs_eventloop_delay_seconds', {
    description: 'How late the event loop was in the last 15 seconds; quantile 1 is the worst',
  })
  const busy = meter.createObservableGauge('nodejs_eventloop_utilization_ratio', {
    description: 'Share of the last 15 seconds in which it worked',
  })
  together(meter, [late, busy], (result) => {
    const figures = loop.figures()
    for (const [quantile, value] of Object.entries(figures.late)) result.observe(late, value, { quantile })
    result.observe(busy, figures.busy)
  })
  return loop.stop
}

/** Figures that are there for the asking. */
function each(meter: Meter, figures: Record<string, readonly [string, () => number]>) {
  for (const [name, [description, look]] of Object.entries(figures))
    meter.createObservableGauge(name, { description }).addCallback((result) => result.observe(look()))
}

const together = (
  meter: Meter,
  gauges: Observable[],
  look: (result: BatchObservableResult) => void | Promise<void>,
) => meter.addBatchObservableCallback(look, gauges)

type QueueFigures = { queue: string; waiting: number; oldest: number }
type DatabaseFigures = {
  queues: QueueFigures[]
  rounds: RoundFigures[]
  /** Dead jobs. */
  dead: number
  letters: { unsent: number; oldest: number }
  unconfirmed: number
}

/**
 * Due jobs that are not taken yet, and the seconds they have waited; without those that wait for another of their own
 * receiver. The index of waiting jobs covers it.
 */
const ofQueues = `select queue.name as queue, count(job.id)::int as waiting,
    coalesce(extract(epoch from now() - min(job.start_after)), 0)::float as oldest
  from pgboss.queue left join pgboss.job
    on job.name = queue.name and job.state < 'active' and job.start_after <= now()
      and (job.group_id is null or not exists (select from pgboss.job busy
        where busy.name = job.name and busy.group_id = job.group_id and busy.state = 'active'))
  where queue.name not like '\\_\\_pgboss%'
  group by queue.name`

/** Due letters that are not sent; a failed one counts at once, from its creation and not from its next try. */
const ofLetters = `select count(*)::int as unsent,
    coalesce(extract(epoch from now() - min(case state when 'retry' then created_on else start_after end)), 0)::float as oldest
  from pgboss.job
  where name in (${literals(emailQueues)}) and state < 'active' and (state = 'retry' or start_after <= now())`

/** Unconfirmed appointments in the near future. */
const ofAppointments = `select count(*)::int as unconfirmed from appointments
  where state = 'requested' and starts_at between now() and now() + interval '24 hours'`

/** Jobs that failed for good and need an operator. */
const deadQueue = 'dead-letters'

/** The database's figures, the same for all processes; one query each. */
async function databaseFigures(db: Db): Promise<DatabaseFigures> {
  const { $client } = db
  const queues = (await $client.query<QueueFigures>(ofQueues)).rows
  const [letters] = (await $client.query<DatabaseFigures['letters']>(ofLetters)).rows
  const [appointments] = (await $client.query<{ unconfirmed: number }>(ofAppointments)).rows
  return {
    queues: queues.filter(({ queue }) => queue !== deadQueue),
    rounds: await roundFigures(db),
    dead: queues.find(({ queue }) => queue === deadQueue)?.waiting ?? 0,
    letters: letters!,
    unconfirmed: appointments!.unconfirmed,
  }
}

/** Bytes free for us on the data's disk, and its size. */
async function diskFigures(dataDir: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(dataDir)
  return { free: bavail * bsize, size: blocks * bsize }
}

/** When the last good backup was made, in seconds since 1970; 0 where there is none. */
async function lastBackupAt(folder: string): Promise<number> {
  const text = await readFile(path.join(folder, 'last.json'), 'utf8').catch(() => '{}')
  const { data } = lastBackup.safeParse(jsonIn(text))
  const at = data?.ok ? epochSeconds(new Date(data.at)) : 0
  // Made by a clock that was ahead: when is not known.
  return at > Date.now() / 1000 + 300 ? 0 : at
}

const resolution = 10

/** The delay of the event loop, in seconds by quantile, over the last window; and its utilization. */
function watchLoop(window = 15_000) {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  // What is measured is the time between two looks, and these are so far apart by themselves.
  const late = (percentile: number) =>
    Math.max(0, histogram.percentile(percentile) / 1e9 - resolution / 1e3) || 0
  const look = () => ({ '0.5': late(50), '0.99': late(99), '1': late(100) })
  let before = performance.eventLoopUtilization()
  let last = { late: look(), busy: 0 }
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    last = { late: look(), busy: performance.eventLoopUtilization(now, before).utilization }
    before = now
    histogram.reset()
  }, window).unref()
  return {
    figures: () => last,
    stop: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
