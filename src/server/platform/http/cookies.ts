import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { markerCookie, markerIn } from '../../../domain/accounts/sessions.ts'
import type { HttpEnv } from './types.ts'

/** What keeps our cookies ours. `secret` is what they are signed from. */
type Wishes = { https: boolean; secret: string }

/** Cookies whose text pages trust. Others are signed, or only compared. */
const signed: readonly string[] = ['flash', 'first-touch']
const prefix = '__Host-'

/**
 * Our cookies go out and come back here, so that all that reads them can believe them. Under https they carry a prefix with
 * which browsers keep them to this very host, and one without it, as another host of the domain could plant, is not there;
 * those whose words pages show or count are signed.
 */
export function ownCookies({ https, secret }: Wishes): MiddlewareHandler {
  const key = createHmac('sha256', secret).update('cookies of pages').digest()
  const signatureOf = (name: string, value: string) =>
    createHmac('sha256', key).update(`${name}=${value}`).digest('base64url')

  /** The plain cookie of a signed one; nothing when it is not ours. */
  const opened = (name: string, value: string): string[] => {
    const at = value.lastIndexOf('.')
    const plain = value.slice(0, Math.max(at, 0))
    const [given, ours] = [Buffer.from(value.slice(at + 1)), Buffer.from(signatureOf(name, plain))]
    return given.length === ours.length && timingSafeEqual(given, ours) ? [`${name}=${plain}`] : []
  }
  const read = (cookies: string) =>
    cookies
      .split(';')
      .map((cookie) => cookie.trim())
      .flatMap((cookie) => {
        if (https && !cookie.startsWith(prefix)) return []
        const bare = https ? cookie.slice(prefix.length) : cookie
        const name = signed.find((one) => bare.startsWith(`${one}=`))
        return name ? opened(name, bare.slice(name.length + 1)) : [cookie]
      })
      .join('; ')

  return async (c, next) => {
    const sent = c.req.header('cookie')
    const kept = sent && read(sent)
    if (kept !== undefined && kept !== sent) {
      const headers = new Headers(c.req.raw.headers)
      headers.set('cookie', kept)
      c.req.raw = new Request(c.req.raw, { headers })
    }
    await next()
    const cookies = c.res.headers.getSetCookie()
    if (cookies.length === 0) return
    c.res.headers.delete('set-cookie')
    for (const cookie of cookies) {
      const made = withSignature(cookie, signatureOf)
      c.res.headers.append('set-cookie', https ? ownHostOnly(made) : made)
    }
  }
}

/** A cookie that pages will believe, with its signature behind its value; one that only takes it away has none. */
function withSignature(cookie: string, signatureOf: (name: string, value: string) => string): string {
  const name = signed.find((one) => cookie.startsWith(`${one}=`))
  if (!name) return cookie
  const end = cookie.indexOf(';')
  const value = cookie.slice(name.length + 1, end < 0 ? cookie.length : end)
  const rest = end < 0 ? '' : cookie.slice(end)
  return value === '' ? cookie : `${name}=${value}.${signatureOf(name, value)}${rest}`
}

/** A cookie as it goes over https: sent back over https only, to this very host and no other of the domain. */
function ownHostOnly(cookie: string): string {
  const secure = /;\s*secure\b/i.test(cookie) ? cookie : `${cookie}; Secure`
  return cookie.startsWith(prefix) ? secure : `${prefix}${secure}`
}

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
  // The service worker reads from it whose answer this is, and keeps no user's pages for another user.
  c.header('x-session', due || 'none')
  if (markerIn(c.req.header('cookie') ?? '') === due) return
  const life = due ? '' : '; Max-Age=0'
  c.header('set-cookie', `${markerCookie}=${due}; Path=/; SameSite=Lax${life}`, { append: true })
}
