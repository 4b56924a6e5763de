import { and, inArray, isNull, sql } from 'drizzle-orm'
import { type CasePart, leading } from '../../domain/cfe/case.ts'
import { prepared, type Queryable } from '../platform/database/client.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'

const part = { state: cfeCases.state, turn: cfeCases.waitingOn, since: cfeCases.waitingSince }

const openParts = prepared((db) =>
  db
    .select(part)
    .from(cfeCases)
    .where(sql`${cfeCases.projectId} = ${sql.placeholder('projectId')} and ${cfeCases.closedAt} is null`)
    .prepare('open_case_parts'),
)

/** The open case by which a project stands; null where it has none. */
export const openCasePart = async (db: Queryable, projectId: string): Promise<CasePart | null> =>
  leading(await openParts(db).execute({ projectId }))

/** The same of some projects, by project; those without one are not there. */
export async function openCaseParts(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, CasePart>> {
  const rows = await db
    .select({ projectId: cfeCases.projectId, ...part })
    .from(cfeCases)
    .where(and(inArray(cfeCases.projectId, [...projectIds]), isNull(cfeCases.closedAt)))
  const parts = Map.groupBy(rows, ({ projectId }) => projectId)
  return new Map([...parts].map(([id, those]) => [id, leading(those)!]))
}
