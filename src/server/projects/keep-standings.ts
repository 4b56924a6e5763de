import { sql } from 'drizzle-orm'
import { leave, type Tx } from '../platform/database/database.ts'
import type { BriefStanding } from './standings.ts'

/**
 * Holds how the projects of some customers stand, as rows that are made where there are none: whoever works them out reads
 * their parts only then, so that no older reading overwrites a newer one.
 */
export async function holdStandings(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const ids = [...customerIds]
  await tx.execute(sql`insert into project_standings (project_id, customer_id)
    select id, customer_id from projects where customer_id = any(${sql.param(ids)}::uuid[]) order by id on conflict do nothing`)
  await tx.execute(sql`select 1 from project_standings where customer_id = any(${sql.param(ids)}::uuid[])
    order by project_id for no key update`)
}

/** Writes how projects stand, by their customers; rows that say so already stay as they are. */
export function writeStandings(tx: Tx, standings: ReadonlyMap<string, BriefStanding>, now: Date): void {
  const told = [...standings.values()].filter(({ projectId }) => projectId !== null)
  const of = <Value>(read: (standing: BriefStanding) => Value) => told.map(read)
  leave(
    tx,
    tx.$client.query({
      name: 'write_standings',
      text: `update project_standings kept set stage = told.stage, waiting_on = told.waiting_on, since = told.since, updated_at = $5
        from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) as told (project_id, stage, waiting_on, since)
        where kept.project_id = told.project_id
          and (kept.stage, kept.waiting_on, kept.since) is distinct from (told.stage, told.waiting_on, told.since)`,
      values: [
        ...[of(({ projectId }) => projectId), of(({ stage }) => stage), of(({ waitingOn }) => waitingOn)],
        ...[of(({ since }) => since), now],
      ],
    }),
  )
}
