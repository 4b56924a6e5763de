import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { type Actor, hasName, type StaffKind } from '../../domain/access/actor.ts'
import type { DocumentPurpose } from '../../domain/documents/document.ts'
import { isNotDeleted, noteRead, readOf } from '../accounts/privacy.ts'
import { casesVisibleTo } from '../cfe/rows.ts'
import { type Db, isId, type Queryable } from '../platform/database/client.ts'
import { cfeCases } from '../platform/database/schema/cfe.ts'
import { documents } from '../platform/database/schema/payments.ts'
import type { HttpEnv } from '../platform/http/types.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'

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

/**
 * A document for whoever may see it now. It is somebody else's file, so it is saved and never shown as a page of ours: what
 * runs inside a PDF runs in nobody's session.
 */
export function shownDocuments({ db, drive }: { db: Db; drive: Drive }): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/:id', async (c) => {
    const session = c.get('session')
    if (!session) return c.redirect('/signin')
    // Who has not completed a profile reads nothing yet, of whatever kind they will be.
    const document = hasName(session.actor) && (await documentSeen(db, session.actor, c.req.param('id')))
    const bytes = document && (await drive.get(paperKey(document)))
    if (!document || !bytes) return c.text('No lo encontramos.', 404)
    const { customerId, id: subjectId } = document
    const what = customerId && (await readOf(db, document))
    if (what) await noteRead(db, session.actor, { customerId, what, subjectId })
    c.header('content-type', document.type)
    c.header('content-disposition', attachment(document.name))
    c.header('content-security-policy', "default-src 'none'; sandbox")
    c.header('cache-control', 'private, no-store')
    return c.body(bytes)
  })
  return app
}

/** Its name twice (RFC 6266): plain for what reads nothing else, and whole. */
const attachment = (name: string) =>
  `attachment; filename="${name.normalize('NFD').replace(/[^\w .()-]/g, '')}"; filename*=UTF-8''${encoded(name)}`

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
