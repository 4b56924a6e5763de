import { type Db, type Tx, transaction } from '../database/client.ts'
import { literals } from '../database/lists.ts'
import { log } from '../telemetry/log.ts'
import { type Jobs, names, type Round, rounds } from './queues.ts'

const roundNames = Object.keys(rounds) as Round[]
const planned = [
  roundNames,
  roundNames.map((name) => rounds[name].minutes),
  roundNames.map((name) => ('at' in rounds[name] ? rounds[name].at : 0)),
]
const plan = 'unnest($1::text[], $2::int[], $3::int[]) as plan (name, minutes, at)'

const known = `insert into rounds (name, minutes) select name, minutes from ${plan} on conflict do nothing`

/**
 * Asks for each round whose time has begun since it was last asked for, unless one waits already; one that failed and waits
 * for its next try gives way. What was asked for in the future was asked for by a clock that was ahead; some seconds are
 * those of two processes that ask at once.
 */
const due = `with asked as (update rounds set asked_at = now(), minutes = plan.minutes, done_at = least(done_at, now()) from ${plan}
  where rounds.name = plan.name
    and (asked_at > now() + interval '30 seconds' or asked_at < date_bin(make_interval(mins => plan.minutes), now(),
      timestamp '2000-01-01' at time zone 'America/Mexico_City' + make_interval(mins => plan.at)))
    and not exists (select from pgboss.job where job.name = plan.name and state = 'created' and not blocked and start_after <= now())
  returning rounds.name), failed as (delete from pgboss.job using asked
    where job.name = asked.name and state = 'retry' and not blocked)
  select name from asked`

type Send = (tx: Tx, name: Round, data: Jobs[Round]) => Promise<void>

/** Sends the rounds that are due by the database's clock, whatever it did before. Any number of processes may. */
export async function askForRounds(db: Db, send: Send): Promise<void> {
  await db.$client.query(known, planned)
  await transaction(db, async (tx) => {
    const { rows } = await tx.$client.query<{ name: Round }>(due, planned)
    for (const { name } of rows) await send(tx, name, {})
  })
}

/** Has every round asked for at the next look: work that fell due while no process ran does not wait. */
export const askForAllRounds = ({ $client }: Db | Tx) =>
  $client.query(`update rounds set asked_at = '-infinity'`)

/** Writes down that a job succeeded, if it was a round. */
export async function noteRound({ $client }: Db, name: keyof Jobs): Promise<void> {
  if (name in rounds) await $client.query('update rounds set done_at = now() where name = $1', [name])
}

/** A round without success for this many intervals is late. */
const lateAfter = 3

export type RoundFigures = { queue: Round; seconds: number; interval: number }

/** Seconds since the last success of each round, and from one to the next. */
export async function roundFigures({ $client }: Db): Promise<RoundFigures[]> {
  const { rows } = await $client.query<RoundFigures>(
    `select name as queue, minutes * 60 as interval, greatest(extract(epoch from now() - done_at), 0)::float as seconds
     from rounds where name = any($1)`,
    [roundNames],
  )
  return rows
}

/** The rounds that have not succeeded for three of their intervals, the longest ago first. */
export const lateRounds = async (db: Db): Promise<RoundFigures[]> =>
  (await roundFigures(db))
    .filter(({ interval, seconds }) => seconds > lateAfter * interval)
    .sort((a, b) => b.seconds - a.seconds)

/** More than two processes, or two statements, differ by. */
const ahead = `now() + interval '10 seconds'`

/** What pg-boss does at intervals, one process for all: a column tells when it was last done, or not before when. */
const claims = {
  version: ['cron_on', 'bam_on', 'flow_on', 'reindex_on'],
  queue: ['monitor_claim_on', 'monitor_on', 'maintain_on'],
}
const claimsBack = Object.entries(claims).map(
  ([table, columns]) => `update pgboss.${table} set ${columns.map((one) => `${one} = least(${one}, now())`)}
    where greatest(${columns}) > ${ahead}`,
)

/** The longest wait between two tries of a job, in seconds. */
const longestRetry =
  'coalesce(retry_delay_max, retry_delay * case when retry_backoff then 2 ^ least(retry_count + 1, 16) else 1 end)'

const latches = [
  ...claimsBack,
  `update pgboss.version set monitor_backoff_on = null where monitor_backoff_on > now() + interval '2 hours'`,
  // Of a job made or failed while the clock was ahead: it comes as long from now as it then should have.
  `update pgboss.job set created_on = least(created_on, now()), start_after = greatest(now(), case
      when created_on > ${ahead} then start_after - (created_on - now())
      when start_after > now() + make_interval(secs => ${longestRetry} + 10) and state = 'retry' then now()
      else start_after end)
    where name in (${literals(names)}) and state < 'active' and not blocked and (created_on > ${ahead}
      or (state = 'retry' and start_after > now() + make_interval(secs => ${longestRetry} + 10)))`,
  // Of a job in hand: a process that lives says so again soon, for another it is given back.
  `update pgboss.job set heartbeat_on = least(heartbeat_on, now()), started_on = least(started_on, now())
    where name in (${literals(names)}) and state = 'active' and greatest(heartbeat_on, started_on) > ${ahead}`,
]

/** Moments of the queues that lie in the future since a clock was ahead: until then nothing would be done. */
export async function correctLatches({ $client }: Db): Promise<void> {
  for (const latch of latches) {
    const { rowCount } = await $client.query(latch)
    if (rowCount)
      log.warn({ count: rowCount }, 'the database clock was ahead: moments of the queues corrected')
  }
}
