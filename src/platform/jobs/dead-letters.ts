import type { Actor } from '../../access/rules/actor.ts'
import { configures, discardedDays } from '../../settings/rules/settings.ts'
import { refuse } from '../../shared/refusal.ts'
import { type Db, type Queryable, transaction } from '../database/client.ts'
import { record } from '../database/lists.ts'
import { announce } from '../live/announcements.ts'
import { redriveDead } from './jobs.ts'
import { emailQueues } from './queues.ts'

/** The jobs of one queue that were tried as often as they may be, and failed; of letters, the newest one by one. */
export type StoppedQueue = { queue: string; count: number; since: Date; letters: StoppedLetter[] }
/** `refused`: the mail server has no such mailbox. No one is known where it failed before anyone was chosen. */
export type StoppedLetter = { letter: string; name: string | null; email: string | null; refused: boolean }

const shownLetters = 20

/** Nothing has this id: the queues have one history together. */
const allQueues = '00000000-0000-0000-0000-000000000000'

/** The jobs of one queue that were discarded, and until when they can be brought back. */
export type DiscardedQueue = { queue: string; count: number; until: Date }

/** Discarded jobs that can be brought back, by queue; for managers only. */
export async function discardedJobs(db: Queryable, actor: Actor): Promise<DiscardedQueue[]> {
  if (!configures(actor)) return []
  const client: Pick<Db['$client'], 'query'> = db.$client
  const { rows } = await client.query<DiscardedQueue>({
    name: 'discarded_jobs',
    text: `select coalesce(source_name, '') as queue, count(*)::int as count,
        min(completed_on) + interval '${discardedDays} days' as until
      from pgboss.job where name = 'dead-letters' and state = 'cancelled' group by 1 order by 3`,
  })
  return rows
}

/** Jobs that no one tries any more, by queue, the longest stopped first; for managers only. */
export async function stoppedJobs(db: Queryable, actor: Actor): Promise<StoppedQueue[]> {
  if (!configures(actor)) return []
  const client: Pick<Db['$client'], 'query'> = db.$client
  const { rows } = await client.query<Omit<StoppedQueue, 'letters'>>({
    name: 'stopped_jobs',
    text: `select coalesce(source_name, '') as queue, count(*)::int as count, min(created_on) as since
      from pgboss.job where name = 'dead-letters' and state < 'active' group by 1 order by 3`,
  })
  return Promise.all(rows.map(async (jobs) => ({ ...jobs, letters: await lettersOf(client, jobs.queue) })))
}

async function lettersOf(client: Pick<Db['$client'], 'query'>, queue: string): Promise<StoppedLetter[]> {
  if (!emailQueues.some((name) => name === queue)) return []
  const { rows } = await client.query<StoppedLetter>({
    name: 'stopped_letters',
    text: `select data ->> 'letter' as letter, nullif(users.full_name, '') as name,
        coalesce(users.email, clients.email, invitations.email) as email,
        coalesce(output ->> 'message' like '% refuses the mailbox%', false) as refused
      from pgboss.job
      left join users on users.id::text = coalesce(output ->> 'reader', data ->> 'userId')
      left join clients on clients.id::text = output ->> 'reader'
      left join invitations on invitations.id::text = data ->> 'invitationId'
      where job.name = 'dead-letters' and job.state < 'active' and source_name = $1
      order by job.created_on desc limit ${shownLetters}`,
    values: [queue],
  })
  return rows
}

/**
 * Retries the stopped jobs of a queue from the first, or discards them; discarded ones are restored as they were. A second
 * request is refused.
 */
export async function settleStopped(
  db: Db,
  actor: Actor,
  { queue, how }: { queue: string; how: 'retry' | 'discard' | 'restore' },
): Promise<number> {
  if (!configures(actor)) refuse('permission-denied')
  const count = await transaction(db, async (tx) => {
    const settled = how === 'retry' ? await redriveDead(tx, queue) : await putAway(tx, queue, how)
    if (settled === 0) refuse('failed-precondition', 'Alguien más ya los atendió.')
    const event = { entity: 'jobs', entityId: allQueues, actorId: actor.id, name: how }
    await record(tx, { ...event, data: { queue, count: settled } })
    return settled
  })
  announce(db, { people: [] })
  return count
}

/** The queue deletes what is cancelled once its days are over. */
const puttingAway = {
  discard: `set state = 'cancelled', completed_on = now(), deletion_seconds = ${discardedDays * 86_400} where state < 'active'`,
  restore: `set state = 'created', completed_on = null, keep_until = now() + interval '${discardedDays} days'
    where state = 'cancelled'`,
}

async function putAway(tx: Queryable, queue: string, how: keyof typeof puttingAway): Promise<number> {
  const client: Pick<Db['$client'], 'query'> = tx.$client
  const { rowCount } = await client.query(
    `update pgboss.job ${puttingAway[how]} and name = 'dead-letters' and coalesce(source_name, '') = $1`,
    [queue],
  )
  return rowCount ?? 0
}
