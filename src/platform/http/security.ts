import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Actor } from '../../access/rules/actor.ts'
import { needsSecondFactor, opensWithoutSecondFactor, secondFactorPath } from '../../access/rules/routes.ts'
import { signInErrors } from '../../accounts/rules/sign-in-errors.ts'
import type { HttpEnv } from './types.ts'

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * What a page may load and run: our own files, and scripts with the response's nonce. `origins` are ours;
 * `payAt` is the origin of the card provider, `tilesAt` that of the street map on the board; null without one.
 */
export const contentSecurityPolicy = (
  nonce: string,
  origins: readonly string[],
  { payAt, tilesAt }: { payAt: string | null; tilesAt: string | null },
) =>
  [
    `default-src 'none'`,
    `object-src 'none'`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src-elem 'self' 'nonce-${nonce}'`,
    // React renders style attributes on the server; they can't run anything.
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob:${tilesAt ? ` ${tilesAt}` : ''}`,
    `font-src 'self'`,
    // Safari takes 'self' for pages' own addresses only, not for their sockets'.
    `connect-src 'self' ${origins.map((origin) => origin.replace(/^http/, 'ws')).join(' ')}${tilesAt ? ` ${tilesAt}` : ''}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    // Chromium checks it for the redirect after a form, too.
    `form-action 'self'${payAt ? ` ${payAt}` : ''}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    // The street map writes its own HTML.
    ...(tilesAt ? [] : [`require-trusted-types-for 'script'`, `trusted-types default`]),
  ].join('; ')

/** The policy of the service worker: it runs only itself, and fetches only from our origin. */
const serviceWorkerPolicy = `default-src 'none'; object-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The policy of responses that are no page: no scripts, no frames. */
const closedPolicy = `default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The features of a browser that our pages use, and those that nothing here may ask for. */
const features = {
  '(self)': [
    'autoplay',
    'camera',
    'clipboard-write',
    'display-capture',
    'fullscreen',
    'geolocation',
    'microphone',
    'picture-in-picture',
    'publickey-credentials-create',
    'publickey-credentials-get',
    'speaker-selection',
  ],
  '()': [
    'accelerometer',
    'browsing-topics',
    'clipboard-read',
    'compute-pressure',
    'cross-origin-isolated',
    'encrypted-media',
    'gamepad',
    'gyroscope',
    'hid',
    'identity-credentials-get',
    'idle-detection',
    'keyboard-map',
    'local-fonts',
    'magnetometer',
    'midi',
    'otp-credentials',
    'payment',
    'screen-wake-lock',
    'serial',
    'storage-access',
    'sync-xhr',
    'usb',
    'window-management',
    'xr-spatial-tracking',
  ],
}
const permissionsPolicy = Object.entries(features)
  .flatMap(([who, names]) => names.map((name) => `${name}=${who}`))
  .join(', ')

/** The headers of answers that are made without the application: while it starts or stops, to a refused socket. */
export const bareHeaders = (https: boolean) => ({
  'cache-control': 'no-store',
  'content-security-policy': closedPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(https && { 'strict-transport-security': transportSecurity }),
})

const transportSecurity = 'max-age=31536000; includeSubDomains'

/** `popups`: pages open the provider's window and wait for it. */
type Inputs = { https: boolean; policy: boolean; popups: boolean }

/** The usual headers, on every answer; `policy` closes what has no Content-Security-Policy of its own. */
export function securityHeaders({ https, policy, popups }: Inputs): MiddlewareHandler {
  return async (c, next) => {
    await next()
    const { headers } = c.res
    if (policy && !headers.has('content-security-policy'))
      headers.set('content-security-policy', closedPolicy)
    headers.set('x-content-type-options', 'nosniff')
    headers.set('x-frame-options', 'DENY')
    headers.set('referrer-policy', referrerPolicy(c.req.path))
    if (isSecretLink(c.req.path)) headers.set('x-robots-tag', 'noindex')
    headers.set('cross-origin-opener-policy', openerPolicy(c.req.path, popups))
    headers.set('cross-origin-resource-policy', 'same-origin')
    headers.set('permissions-policy', permissionsPolicy)
    if (https) headers.set('strict-transport-security', transportSecurity)
  }
}

/** A link whose secret is all that it asks for is not sent as a referrer, and no search engine keeps what it shows. */
const isSecretLink = (path: string) => /^\/+(calendar\/+feed|visita|garantia)\//i.test(path)
const referrerPolicy = (path: string) =>
  isSecretLink(path) ? 'no-referrer' : 'strict-origin-when-cross-origin'

/** The sign-in window passes through the provider's pages: with a stricter policy its opener would see it as closed. */
function openerPolicy(path: string, popups: boolean): string {
  if (!popups) return 'same-origin'
  return path.startsWith('/session/') ? 'unsafe-none' : 'same-origin-allow-popups'
}

/** A host without its port. */
const nameIn = (host: string) => host.replace(/:\d+$/, '')

/**
 * Answers only requests for this machine's own names and `hosts`; null allows all. Otherwise another site could point its
 * name here (DNS rebinding), and its pages would count as ours.
 */
export function ownNamesOnly(hosts: readonly string[] | null): MiddlewareHandler {
  const isOurs = (host: string) => isLoopback(nameIn(host)) || (hosts ?? []).includes(host)
  return async (c, next) => {
    // An absolute URL in the request line names a host as well.
    const asked = [c.req.header('host'), new URL(c.req.url).host].filter((host) => host !== undefined)
    if (hosts === null || asked.every(isOurs)) return next()
    return c.text('Con este nombre no respondemos. Pon en BASE_URL la dirección que usa la gente.', 421)
  }
}

/** Refuses changes requested by pages of other sites (CSRF). Browsers send Origin or Sec-Fetch-Site with each. */
export function sameOriginOnly(ours: readonly string[], anyHost: boolean): MiddlewareHandler {
  return async (c, next) => {
    if (!unsafe.has(c.req.method) || comesFromUs(c.req.raw, ours, anyHost)) return next()
    // Scripts receive the result format of an operation.
    if (c.req.path.startsWith('/v1/')) return c.json({ ok: false, error: foreign }, 403)
    return c.text('La solicitud viene de otro sitio y no se aceptó.', 403)
  }
}

const foreign = { code: 'unauthorized-domain', ...signInErrors['unauthorized-domain'] }

function comesFromUs(request: Request, ours: readonly string[], anyHost: boolean): boolean {
  const { headers } = request
  const site = headers.get('sec-fetch-site')
  if (site && site !== 'same-origin' && site !== 'none') return false
  const origin = headers.get('origin')
  // Browsers always send one of the two; a program without cookies cannot forge a session.
  if (!origin) return site !== null || !headers.has('cookie')
  return isOurOrigin(origin, headers.get('host'), ours, anyHost)
}

/** Whether an origin is ours. Without BASE_URL the server answers to localhost and 127.0.0.1 alike: then the requested host counts. */
export const isOurOrigin = (origin: string, host: string | null, ours: readonly string[], anyHost: boolean) =>
  ours.includes(origin) || (anyHost && isLoopback(nameIn(host ?? '')) && origin === `http://${host}`)

/** The built files for browsers: named by their content hash and cached for ever, except the service worker. */
export function builtFiles(root: string) {
  const app = new Hono()
  const files = serveStatic({ root, precompressed: true })
  app.use('/assets/*', immutable, files, missing)
  app.use('/favicon.svg', aDay, files)
  app.use('/icons/*', aDay, files, missing)
  for (const worker of ['/sw.js', '/push.js']) app.use(worker, asServiceWorker, files)
  return app
}

/** Costs nothing to answer: no page is rendered, and no session read. */
const missing: MiddlewareHandler = async (c) => c.text('No encontrado.', 404)

const immutable: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.ok) c.res.headers.set('cache-control', 'public, max-age=31536000, immutable')
}

/** Its name never changes, and its content rarely: cached for a day. */
const aDay: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.res.ok) c.res.headers.set('cache-control', 'public, max-age=86400')
}

/** Never cached: an old service worker would keep serving an old version. */
const asServiceWorker: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.set('cache-control', 'no-cache')
  c.res.headers.set('content-security-policy', serviceWorkerPolicy)
}

/** Whether a name or an address is this machine's own, so that no other machine can reach it. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether a page's address is this machine's own. */
export const isLocal = (url: string): boolean => isLoopback(new URL(url).hostname)

/** Whether this is a demo that only this machine reaches. */
export const isLocalDemo = ({ baseUrl, demo, host }: { baseUrl: string; demo: boolean; host: string }) =>
  demo && isLoopback(host) && isLocal(baseUrl)

/** Whether a user must turn on the second factor before anything else (REQUIRE_2FA). */
export const isSecondFactorMissing = (
  { REQUIRE_2FA }: { REQUIRE_2FA: boolean },
  actor: Actor | undefined,
): boolean => REQUIRE_2FA && actor !== undefined && needsSecondFactor(actor)

/** Paths requested by scripts, which do not follow redirects. */
const asked = /^\/(live|onsite|files|v1)(\/|$)/i

/**
 * The only check that a user must first turn on the second factor: until then their session opens only the screen for
 * it. Sockets of calls check `secondFactorMissing` themselves.
 */
export const untilSecondFactor =
  (env: { REQUIRE_2FA: boolean }): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const isData = c.req.path.endsWith('.data')
    const path = isData ? c.req.path.slice(0, -'.data'.length) : c.req.path
    if (!isSecondFactorMissing(env, c.get('session')?.actor) || opensWithoutSecondFactor(path)) return next()
    c.header('cache-control', 'no-store')
    if (asked.test(path)) return c.text('Activa tu segundo factor en Mi cuenta para continuar.', 403)
    if (!isData) return c.redirect(secondFactorPath, 302)
    // React Router follows this header for redirects from outside of it.
    c.header('x-remix-redirect', secondFactorPath)
    return c.body(null, 204)
  }

/** The client's address for rate limits: the socket's, or the one written by the outermost of `proxies` trusted proxies; never one that the client wrote. */
export function clientAddress(c: Context<HttpEnv>, proxies: number): string {
  const told = proxies > 0 ? c.req.header('x-forwarded-for')?.split(',') : undefined
  // A request that bypassed an outer proxy has fewer entries.
  const forwarded = told?.at(-Math.min(proxies, told.length))?.trim()
  return forwarded || c.env?.incoming?.socket.remoteAddress || '127.0.0.1'
}
