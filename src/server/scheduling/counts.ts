import type { Actor } from '../../domain/access/actor.ts'
import type { Service } from '../../domain/appointments/appointment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'

type Narrowed = { zones: readonly string[]; service: Service | undefined }
export type BoardCounts = { waiting: number; withoutPerson: number; enRoute: number }

/** What waits for the manager in some zones (none is all) and of a service, on whatever day; and everybody on the way now. */
export async function boardCounts(db: Db, actor: Actor, { zones, service }: Narrowed): Promise<BoardCounts> {
  if (actor.kind !== 'manager') refuse('permission-denied')
  const { rows } = await db.$client.query<BoardCounts>({
    name: 'board_counts',
    text: `select count(*)::int as waiting, (count(*) filter (where assignee_id is null))::int as "withoutPerson",
        (select count(*)::int from appointments where state = 'en_route') as "enRoute"
      from appointments where state = 'requested'
        and ($1::text[] = '{}' or municipality = any($1)) and ($2::text is null or service = $2)`,
    values: [[...zones], service ?? null],
  })
  return rows[0]!
}
