import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import type { DocumentPurpose } from '../../domain/documents/document.ts'
import { isNotDeleted } from '../accounts/blocked.ts'
import { casesVisibleTo } from '../cfe/visible.ts'
import type { Queryable } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { cfeCases } from '../platform/database/schema/cfe-schema.ts'
import { documents } from '../platform/database/schema/money-schema.ts'

const none = sql`false`
const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  // What an agency was paid is the manager's alone.
  analyst: () => and(isNull(documents.agencyId), isNotDeleted(documents.customerId)),
  tecnician: () => none,
  gester: (actor) =>
    sql`${documents.id} in (select cfe_papers.document_id from cfe_papers
      join ${cfeCases} on ${cfeCases.id} = cfe_papers.case_id where ${casesVisibleTo(actor) ?? sql`true`})`,
  alliate: () => none,
}

/** The documents an actor may see, of those in place. For everyone else they do not exist. */
const visible = (actor: Actor) =>
  and(
    isNull(documents.replacedAt),
    actor.role === 'customer' ? eq(documents.customerId, actor.id) : seenByStaff[actor.kind](actor),
  )

/** A document somebody may see; null for whoever may not. */
export async function documentSeen(db: Queryable, actor: Actor, id: string) {
  if (!isId(id)) return null
  const [row] = await db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), visible(actor)))
  return row ?? null
}

/** What was handed in for a project, of which there is one at a time; null where nothing was, and for whoever may not see it. */
export async function documentOfProject(
  db: Queryable,
  actor: Actor,
  projectId: string,
  purpose: DocumentPurpose,
) {
  const [row] = await db
    .select({
      id: documents.id,
      name: documents.name,
      bytes: documents.bytes,
      createdAt: documents.createdAt,
    })
    .from(documents)
    .where(and(eq(documents.projectId, projectId), eq(documents.purpose, purpose), visible(actor)))
  return row ?? null
}
