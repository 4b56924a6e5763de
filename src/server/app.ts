import { randomBytes, randomUUID } from 'node:crypto'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { Refusal, refusals } from '../domain/refusal.ts'
import { type Auth, createAuth } from './accounts/auth.ts'
import { idToken } from './accounts/id-token.ts'
import { knownBrowser } from './accounts/known-browser.ts'
import { openProvider, type Provider } from './accounts/provider.ts'
import { noteUse, readSession } from './accounts/session.ts'
import { askAuth } from './accounts/sign-in.ts'
import { dealershipApi } from './api/api.ts'
import * as carried from './context.ts'
import { databaseRefusal } from './database/faults.ts'
import type { Deps } from './deps.ts'
import { shownDocuments } from './documents/address.ts'
import { sentFiles, shownFiles } from './files/addresses.ts'
import { bodies } from './files/bodies.ts'
import { clientAddress } from './http/client-address.ts'
import { compressed } from './http/compressed.ts'
import { readiness } from './http/health.ts'
import { onsite } from './http/onsite.ts'
import { requestLog } from './http/request-log.ts'
import {
  contentSecurityPolicy,
  sameOriginOnly,
  securityHeaders,
  serviceWorkerPolicy,
} from './http/security.ts'
import { sessionMarker } from './http/session-marker.ts'
import type { HttpEnv } from './http/types.ts'
import { log } from './log.ts'
import { readableOutbox } from './mail/outbox.ts'
import { dayAhead } from './sheets/day-ahead.ts'
import { sheetEndpoints } from './sheets/endpoints.ts'
import { type Cards, checkoutOrigin, openCards } from './stripe/client.ts'
import { stripeWebhook } from './stripe/webhook.ts'
import { openWebhooks } from './webhooks/open.ts'

export { loadPostalList, makeManager } from './commands.ts'
export { openDrive } from './files/drive.ts'
export { startJobs, stopJobs } from './jobs/jobs.ts'
export { openStreams } from './live/streams.ts'
export { openData, start } from './start.ts'

const development = import.meta.env.DEV

/** The whole HTTP side: headers, health, live updates, static files, and React Router for every screen. */
export function createApp(deps: Deps) {
  const { db, env } = deps
  const options = { secret: deps.secret, baseUrl: env.baseUrl, termsVersion: env.TERMS_VERSION }
  const auth = createAuth(db, options)
  const provider = env.provider && openProvider(db, options, env.provider, env.allowedOrigins)
  const cards = openCards(env)
  const signing = { secret: deps.secret, baseUrl: env.baseUrl }
  const app = new Hono<HttpEnv>()
  app.use(async (c, next) => {
    c.set('requestId', randomUUID())
    c.set('session', null)
    c.set('clientAddress', clientAddress(c, env.TRUST_PROXY))
    await next()
  })
  app.use(requestLog)
  app.use(
    securityHeaders({
      https: env.baseUrl.startsWith('https:'),
      policy: !development,
      popups: env.provider !== null,
    }),
  )
  // Before a request's origin and session are looked at: what asks there is no browser, and shows a key of its own.
  if (env.ROLE !== 'worker') app.route('/api/v1', dealershipApi(deps))
  app.use(sameOriginOnly(env.allowedOrigins, env.anyHost))
  app.get('/healthz', (c) => c.json({ ok: true }))
  app.get('/readyz', async (c) => {
    const state = await readiness(db, env.ROLE !== 'web')
    return c.json(state, state.ready ? 200 : 503)
  })
  // A worker answers for its health only.
  if (env.ROLE === 'worker') return app
  // Before anything reads a body or a session: it is signed to the letter, and nobody's.
  if (cards) app.route('/stripe', stripeWebhook(db, cards))
  if (!development) app.use('/assets/*', immutable, serveStatic({ root: deps.assets, precompressed: true }))
  if (!development) app.use('/favicon.svg', serveStatic({ root: deps.assets }))
  if (!development)
    app.use('/sw.js', asServiceWorker, serveStatic({ root: deps.assets, precompressed: true }))
  app.use(async (c, next) => {
    const session = await readSession(db, signing, c.req.header('cookie') ?? null)
    c.set('session', session)
    if (session?.unseen) await noteUse(db, session.sessionId)
    await next()
  })
  app.use(sessionMarker)
  app.use(bodies())
  app.get('/v1/projects', (c) =>
    c.json({ authorizedDomains: env.allowedOrigins.map((origin) => new URL(origin).host) }),
  )
  app.get('/live', (c) => {
    const session = c.get('session')
    if (!session) return c.text('Inicia sesión.', 401)
    return deps.streams.open(session)
  })
  app.route('/files', shownFiles(deps))
  app.route('/documents', shownDocuments(deps))
  app.route('/onsite', onsite(dayAhead(db), sentFiles(deps), sheetEndpoints(db)))
  app.all('*', screens(deps, auth, provider, cards))
  app.onError((err, c) => {
    if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
    const status = (err instanceof Refusal ? err : databaseRefusal(err))?.status ?? 500
    if (status === 500) log.error({ err, req: c.get('requestId') }, 'unexpected error')
    if (status === 503) c.header('retry-after', '2')
    if (err instanceof Refusal) return c.text(err.description, status as ContentfulStatusCode)
    return c.text(
      `Algo salió mal. Vuelve a intentarlo en un momento. (${c.get('requestId')})`,
      status as ContentfulStatusCode,
    )
  })
  return app
}

const immutable = async (c: { res: Response }, next: () => Promise<void>) => {
  await next()
  if (c.res.ok) c.res.headers.set('cache-control', 'public, max-age=31536000, immutable')
}

/** It fetches what it keeps, and is looked at anew each time: an old one would go on serving an old version. */
const asServiceWorker = async (c: { res: Response }, next: () => Promise<void>) => {
  await next()
  c.res.headers.set('cache-control', 'no-cache')
  c.res.headers.set('content-security-policy', serviceWorkerPolicy)
}

/** Hands a request to React Router with what its loaders and actions need, and seals the answer. */
function screens(
  { db, drive, env, secret, site }: Deps,
  auth: Auth,
  provider: Provider | null,
  cards: Cards | null,
) {
  const ownHosts = env.allowedOrigins.map((origin) => new URL(origin).host)
  const letters = readableOutbox(env)
  const webhooks = openWebhooks({ env, secret })
  const payAt = env.cards && checkoutOrigin(env.cards)
  const origins = (url: string) => (env.anyHost ? [new URL(url).origin] : env.allowedOrigins)
  // Read at once, since a build made while this process runs replaces the files; and given as it is, since a function
  // that answers it would be asked, and all routes worked out again, at every request.
  const handler = import('virtual:react-router/server-build').then((made: unknown) =>
    createRequestHandler({ ...(made as ServerBuild), allowedActionOrigins: ownHosts }, import.meta.env.MODE),
  )
  return async (c: Parameters<typeof clientAddress>[0]) => {
    const session = c.get('session')
    const nonce = development ? '' : randomBytes(16).toString('base64')
    const address = c.get('clientAddress')
    const ask = askAuth(auth, { baseUrl: env.baseUrl, address, headers: c.req.raw.headers })
    const context = new RouterContextProvider()
    context.set(carried.db, db)
    context.set(carried.drive, drive)
    context.set(carried.actor, session?.actor ?? null)
    context.set(carried.session, session && { id: session.sessionId, endsAt: session.endsAt })
    context.set(carried.secondFactorRequired, env.REQUIRE_2FA)
    context.set(carried.modules, env.MODULES)
    context.set(carried.provider, provider)
    context.set(carried.cards, cards)
    context.set(carried.webhooks, webhooks)
    if (env.AUTH_SYNC_PATH) {
      context.set(carried.syncPath, env.AUTH_SYNC_PATH)
      context.set(
        carried.newIdToken,
        () => session && idToken({ secret, baseUrl: env.baseUrl, ...session }, new Date()),
      )
    }
    context.set(carried.nonce, nonce)
    context.set(carried.site, site)
    context.set(carried.requestId, c.get('requestId'))
    context.set(carried.caller, {
      ...{ db, ask, address, now: new Date(), termsVersion: env.TERMS_VERSION },
      known: knownBrowser({ secret, baseUrl: env.baseUrl }, c.req.header('cookie') ?? null),
      ...{ actor: session?.actor ?? null, sessionId: session?.sessionId ?? null },
    })
    context.set(carried.outbox, letters)
    context.set(carried.calendarSource, { brand: env.BRAND, baseUrl: env.baseUrl, from: env.MAIL_FROM })
    const handle = await handler
    const answer = await handle(c.req.raw, context)
    // Whoever asked has gone: what the router makes of it is nobody's.
    if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
    const headers = new Headers(answer.headers)
    if (!development)
      headers.set('content-security-policy', contentSecurityPolicy(nonce, origins(c.req.url), payAt))
    if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
    // A toast is shown once: the service worker does not keep the answer that brings it.
    if (headers.has('set-cookie')) headers.set('x-once', '1')
    if (session?.stale) for (const cookie of await ask.refreshed()) headers.append('set-cookie', cookie)
    const status = answer.status === 500 ? context.get(carried.fault) : answer.status
    if (status === 503) headers.set('retry-after', '2')
    const body = await compressed(answer, headers, c.req.header('accept-encoding'))
    return new Response(body, { status, headers })
  }
}
