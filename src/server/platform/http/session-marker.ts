import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { markerCookie, markerIn } from '../../../domain/accounts/sessions.ts'
import type { HttpEnv } from './types.ts'

/** What the marker of a session says: a part of its id's hash, from which nothing can be learnt. */
export const markerOf = (id: string | undefined) =>
  id === undefined ? '' : createHash('sha256').update(id).digest('base64url').slice(0, 16)

/**
 * Keeps the marker true to the session, whatever way it began or ended: an answer sets it when the request's own differs.
 * Open tabs see it change and ask again who is signed in.
 */
export const sessionMarker: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next()
  const due = markerOf(c.get('session')?.sessionId)
  // The service worker hears by it whose answer this is, and keeps nobody's pages for somebody else.
  c.header('x-session', due || 'none')
  if (markerIn(c.req.header('cookie') ?? '') === due) return
  const life = due ? '' : '; Max-Age=0'
  c.header('set-cookie', `${markerCookie}=${due}; Path=/; SameSite=Lax${life}`, { append: true })
}
