import { createHash } from 'node:crypto'
import { undoSeconds } from '../../domain/appointments/undo.ts'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import type { Jobs } from '../platform/jobs/queues.ts'

/** What follows from a change: letters, the offer of a freed slot, and what becomes of a cancelled visit's fee. */
type Following = 'letter' | 'offer-freed-slot' | 'end-fee'
const following: readonly Following[] = ['letter', 'offer-freed-slot', 'end-fee']

/** Enqueues what follows from a change. */
export type Tell = <Name extends Following>(tx: Tx, name: Name, data: Jobs[Name]) => Promise<void>

/** At once: what the customer, the assignee or the system does is not undone. */
export const withoutDelay: Tell = (tx, name, data) => enqueue(tx, name, data)

/** More than any change has. */
const mostJobs = 8

/** A change of an appointment, by the version that it made. */
type Change = { id: string; version: number }

/** Once its author can no longer undo the change. The jobs have ids by which they are found until then. */
export function unlessUndone(change: Change, seconds = undoSeconds): Tell {
  let count = 0
  return (tx, name, data) => enqueue(tx, name, data, seconds, jobIdOf(change, count++))
}

/** A UUID (version 8, RFC 9562) of the nth job of a change. */
function jobIdOf({ id, version }: Change, nth: number): string {
  const hex = createHash('sha256').update(`undo ${id} ${version} ${nth}`).digest('hex')
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

/** Drops what follows from changes. Answers whether all of it was still waiting: if not, its transaction must end. */
export async function dropFollowing(tx: Tx, changes: readonly Change[]): Promise<boolean> {
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
  return all >= changes.length && waiting === all
}
