import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { markerCookie, markerIn } from '../../accounts/rules/sessions.ts'
import type { HttpEnv } from './types.ts'

/** `secret` signs cookies; `https` adds the __Host- prefix. */
type Inputs = { https: boolean; secret: string }

/** The cookies whose text pages trust: these are signed. Other code signs its own, or only compares them. */
const signed: readonly string[] = ['flash', 'first-touch']
const prefix = '__Host-'

/**
 * Protects our cookies in both directions. Under https they carry a prefix that binds them to this host; a cookie without
 * it, which another host of the domain could plant, is ignored. Those whose text pages trust are signed.
 */
export function ownCookies({ https, secret }: Inputs): MiddlewareHandler {
  const key = createHmac('sha256', secret).update('cookies of pages').digest()
  const signatureOf = (name: string, value: string) =>
    createHmac('sha256', key).update(`${name}=${value}`).digest('base64url')

  /** The value of a signed cookie; empty where the signature is wrong. */
  const opened = (name: string, value: string): string[] => {
    const at = value.lastIndexOf('.')
    const plain = value.slice(0, Math.max(at, 0))
    const given = Buffer.from(value.slice(at + 1))
    const ours = Buffer.from(signatureOf(name, plain))
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

/** A cookie with its signature after the value; a deletion has none. */
function withSignature(cookie: string, signatureOf: (name: string, value: string) => string): string {
  const name = signed.find((one) => cookie.startsWith(`${one}=`))
  if (!name) return cookie
  const end = cookie.indexOf(';')
  const value = cookie.slice(name.length + 1, end < 0 ? cookie.length : end)
  const rest = end < 0 ? '' : cookie.slice(end)
  return value === '' ? cookie : `${name}=${value}.${signatureOf(name, value)}${rest}`
}

/** A cookie under https: sent over https only, to this host only. */
function ownHostOnly(cookie: string): string {
  const secure = /;\s*secure\b/i.test(cookie) ? cookie : `${cookie}; Secure`
  return cookie.startsWith(prefix) ? secure : `${prefix}${secure}`
}

/** The marker of a session: a part of its id's hash, which reveals nothing. */
export const markerOf = (id: string | undefined) =>
  id === undefined ? '' : hash('sha256', id, 'base64url').slice(0, 16)

/**
 * Keeps the marker equal to the session: a response sets it where the request's differs. Open tabs notice the change and
 * reload the user.
 */
export const sessionMarker: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next()
  const due = markerOf(c.get('session')?.sessionId)
  // The service worker reads the marker, so that it never serves one user's pages to another.
  c.res.headers.set('x-session', due || 'none')
  if (markerIn(c.req.header('cookie') ?? '') === due) return
  const life = due ? '' : '; Max-Age=0'
  c.res.headers.append('set-cookie', `${markerCookie}=${due}; Path=/; SameSite=Lax${life}`)
}
