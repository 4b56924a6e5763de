import { Hono } from 'hono'
import { hasName } from '../../domain/access/actor.ts'
import { noteRead, readOf } from '../accounts/reads.ts'
import type { Db } from '../platform/database/database.ts'
import type { HttpEnv } from '../platform/http/types.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'
import { documentSeen } from './queries.ts'

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
