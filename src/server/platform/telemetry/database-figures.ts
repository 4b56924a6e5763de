import type { Db } from '../database/database.ts'

export type QueueFigures = { queue: string; waiting: number; oldest: number }
export type DatabaseFigures = {
  queues: QueueFigures[]
  /** Jobs that were given up. */
  dead: number
  letters: { unsent: number; oldest: number }
  unconfirmed: number
}

/** What is due and was not taken yet, and the seconds it has waited. All of it is in the index of what waits. */
const ofQueues = `select queue.name as queue, count(job.id)::int as waiting,
    coalesce(extract(epoch from now() - min(job.start_after)), 0)::float as oldest
  from pgboss.queue left join pgboss.job
    on job.name = queue.name and job.state < 'active' and job.start_after <= now()
  where queue.name not like '\\_\\_pgboss%'
  group by queue.name`

/** Letters that should be on their way; one that failed waits for its next try, but not since that was set. */
const ofLetters = `select count(*)::int as unsent,
    coalesce(extract(epoch from now() - min(case state when 'retry' then created_on else start_after end)), 0)::float as oldest
  from pgboss.job
  where name in ('letter', 'account-letter') and state < 'active' and (state = 'retry' or start_after <= now())`

/** Nobody has said yes to them, and they are near. */
const ofAppointments = `select count(*)::int as unconfirmed from appointments
  where state = 'requested' and starts_at between now() and now() + interval '24 hours'`

/** Given up on, so that people have to look. */
const deadQueue = 'dead-letters'

/** What the database knows of how things stand, for all processes alike; in a single question each. */
export async function databaseFigures({ $client }: Db): Promise<DatabaseFigures> {
  const queues = (await $client.query<QueueFigures>(ofQueues)).rows
  const [letters] = (await $client.query<DatabaseFigures['letters']>(ofLetters)).rows
  const [appointments] = (await $client.query<{ unconfirmed: number }>(ofAppointments)).rows
  return {
    queues: queues.filter(({ queue }) => queue !== deadQueue),
    dead: queues.find(({ queue }) => queue === deadQueue)?.waiting ?? 0,
    letters: letters!,
    unconfirmed: appointments!.unconfirmed,
  }
}
