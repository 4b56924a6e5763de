import { Hono } from 'hono'
import { hasName } from '../../../domain/access/actor.ts'
import { largestFile } from '../../../domain/reports/photos.ts'
import { Refusal } from '../../../domain/shared/refusal.ts'
import type { Db } from '../database/database.ts'
import type { OnsiteEnv } from '../http/onsite.ts'
import type { HttpEnv } from '../http/types.ts'
import { type Drive, keysOf } from './drive.ts'
import { storeFile } from './intake.ts'
import { manyPhotos, openPlaces } from './places.ts'
import { fileSeen } from './queries.ts'
import { TooLarge } from './receive.ts'
import { dropFile } from './slots.ts'

type Store = { db: Db; drive: Drive }

/** What a phone sends of its photos, below /onsite. */
export function sentFiles({ db, drive }: Store): Hono<OnsiteEnv> {
  const app = new Hono<OnsiteEnv>()
  const places = openPlaces({ all: 32, each: 4, full: manyPhotos })
  app.put('/:appointment/files/:id', async (c) => {
    const actor = c.get('actor')
    if (Number(c.req.header('content-length')) > largestFile) throw new TooLarge(largestFile)
    const { appointment: appointmentId, id } = c.req.param()
    const { capturedAt = '', keptBecause, sha256, slot = '' } = c.req.query()
    if (!sha256) throw new Refusal('invalid-argument', { details: { missing: 'sha256' } })
    const incoming = {
      ...{ id, appointmentId, slot, sha256, capturedAt: new Date(capturedAt) },
      ...{ keptBecause: keptBecause ?? null, body: c.req.raw.body },
    }
    await places.within(actor.id, () => storeFile(db, drive, actor, incoming, new Date()))
    return c.json({ stored: true })
  })
  app.delete('/:appointment/files/:id', async (c) => {
    const { appointment: appointmentId, id } = c.req.param()
    await dropFile(db, drive, c.get('actor'), { appointmentId, id }, new Date())
    return c.json({ dropped: true })
  })
  return app
}

/** A picture at one of its sizes, for whoever may see it now: browsers keep it and ask each time. */
export function shownFiles({ db, drive }: Store): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/:id/:size{full|list}', async (c) => {
    const session = c.get('session')
    if (!session) return c.text('Inicia sesión.', 401)
    // As of documents: without a profile nothing is read yet, of whatever kind they will be.
    const file = hasName(session.actor) && (await fileSeen(db, session.actor, c.req.param('id')))
    if (!file) return c.text('No lo encontramos.', 404)
    const size = c.req.param('size') === 'full' ? 'full' : 'list'
    const tag = `"${file.sentSha256.slice(0, 16)}-${size}"`
    c.header('cache-control', 'private, no-cache')
    c.header('etag', tag)
    // Even opened by itself it is a picture without rights.
    c.header('content-security-policy', "default-src 'none'; sandbox")
    if (c.req.header('if-none-match') === tag) return c.body(null, 304)
    const bytes = await drive.get(keysOf(file)[size])
    if (!bytes) return c.text('No lo encontramos.', 404)
    c.header('content-type', size === 'full' ? file.type : 'image/webp')
    return c.body(bytes)
  })
  return app
}
