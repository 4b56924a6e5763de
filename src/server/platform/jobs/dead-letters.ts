import type { Actor } from '../../../domain/access/actor.ts'
import { configures } from '../../../domain/settings/settings.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
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

/** Retries the stopped jobs of a queue from the first, or deletes them for good. A second request is refused. */
export async function settleStopped(
  db: Db,
  actor: Actor,
  { queue, how }: { queue: string; how: 'retry' | 'discard' },
): Promise<number> {
  if (!configures(actor)) refuse('permission-denied')
  const count = await transaction(db, async (tx) => {
    const settled = how === 'retry' ? await redriveDead(tx, queue) : await discard(tx, queue)
    if (settled === 0) refuse('failed-precondition', 'Alguien más ya los atendió.')
    const event = { entity: 'jobs', entityId: allQueues, actorId: actor.id, name: how }
    await record(tx, { ...event, data: { queue, count: settled } })
    return settled
  })
  announce(db, { people: [] })
  return count
}

async function discard(tx: Queryable, queue: string): Promise<number> {
  const client: Pick<Db['$client'], 'query'> = tx.$client
  const { rowCount } = await client.query(
    `delete from pgboss.job where name = 'dead-letters' and state < 'active' and coalesce(source_name, '') = $1`,
    [queue],
  )
  return rowCount ?? 0
}
