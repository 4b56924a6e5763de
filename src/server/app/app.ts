import { Hono } from 'hono'
import { refuse } from '../../domain/shared/refusal.ts'
import { createAuth } from '../accounts/auth.ts'
import { openProvider } from '../accounts/provider.ts'
import { noteSessionUse, readSession } from '../accounts/session.ts'
import { shownDocuments } from '../documents/documents.ts'
import { dealershipApi } from '../integrations/public-api/api.ts'
import { openCards } from '../integrations/stripe/checkout-result.ts'
import { stripeWebhook } from '../integrations/stripe/webhook.ts'
import { whatsappWebhook } from '../notifications/whatsapp.ts'
import { isUnavailable } from '../platform/database/health.ts'
import { clientAddress, untilSecondFactor } from '../platform/http/compressed.ts'
import { onsite, ownCookies, readiness, sessionMarker, unread } from '../platform/http/cookies.ts'
import { respondToError, shedLoad } from '../platform/http/error-handler.ts'
import { createLoadShedder, type LoadShedder } from '../platform/http/load-shedding.ts'
import { observeRequests, requestLog } from '../platform/http/request-observer.ts'
import { builtFiles, ownNamesOnly, sameOriginOnly, securityHeaders } from '../platform/http/security.ts'
import type { HttpEnv } from '../platform/http/types.ts'
import { sentFiles, shownFiles } from '../platform/storage/addresses.ts'
import { bodies } from '../platform/storage/bodies.ts'
import { sheetEndpoints } from '../reports/answers.ts'
import { dayAhead } from '../reports/queries.ts'
import type { Deps } from './context.ts'
import { screensHandler } from './screens-handler.ts'

export { importPeople } from '../integrations/firebase-import/commands.ts'
export { backup, restore } from '../platform/backup/backup.ts'
export { startJobs, stopJobs } from '../platform/jobs/jobs.ts'
export { setJobSecret } from '../platform/jobs/queues.ts'
export { openStreams } from '../platform/live/streams.ts'
export { openDrive } from '../platform/storage/drive.ts'
export { loadPostalList, makeManager } from './commands.ts'
export { openData, start } from './start.ts'

/** The whole HTTP side: headers, health, live updates, static files, and React Router for every screen. */
export function createApp(deps: Deps, loadShedder: LoadShedder = createLoadShedder(deps.env.loadLimits)) {
  const { db, env } = deps
  const options = { secret: deps.secret, baseUrl: env.baseUrl, termsVersion: env.TERMS_VERSION }
  const auth = createAuth(db, options)
  const provider = env.provider && openProvider(db, options, env.provider, env.allowedOrigins)
  const cards = openCards(env)
  const signing = { secret: deps.secret, baseUrl: env.baseUrl }
  const app = new Hono<HttpEnv>()
  app.use(observeRequests)
  app.use(async (c, next) => {
    c.set('session', null)
    c.set('clientAddress', clientAddress(c, env.TRUST_PROXY))
    await next()
  })
  app.use(requestLog)
  app.use(
    securityHeaders({
      https: env.baseUrl.startsWith('https:'),
      policy: !import.meta.env.DEV,
      popups: env.provider !== null,
    }),
  )
  app.use(unread)
  app.use(ownNamesOnly(env.hosts))
  app.use(ownCookies({ https: env.baseUrl.startsWith('https:'), secret: deps.secret }))
  app.use(shedLoad(loadShedder))
  // Before a request's origin and session are checked: API callers are no browsers, and present a key.
  if (env.ROLE !== 'worker') app.route('/api/v1', dealershipApi(deps))
  app.use(sameOriginOnly(env.allowedOrigins, env.anyHost))
  app.get('/healthz', (c) => c.json({ ok: true }))
  app.get('/readyz', async (c) => {
    const state = await readiness(db, env.ROLE !== 'web')
    return c.json(state, state.ready ? 200 : 503)
  })
  // A worker serves only its health check.
  if (env.ROLE === 'worker') return app
  // Before any handler reads a body or a session: the signature covers the exact bytes, and there is no user.
  if (cards) app.route('/stripe', stripeWebhook(db, cards))
  if (env.whatsapp) app.route('/whatsapp', whatsappWebhook(db, env.whatsapp, env.TERMS_VERSION))
  if (!import.meta.env.DEV) app.route('/', builtFiles(deps.assets))
  // Requests do not wait for a database that is known to be unavailable.
  app.use(async (_c, next) => (isUnavailable(db) ? refuse('unavailable') : next()))
  app.use(async (c, next) => {
    const session = await readSession(db, signing, c.req.header('cookie') ?? null)
    c.set('session', session)
    if (session?.unseen) await noteSessionUse(db, session.sessionId)
    await next()
  })
  app.use(sessionMarker)
  app.use(untilSecondFactor(env))
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
  app.all('*', screensHandler(deps, auth, provider, cards))
  app.onError(respondToError)
  return app
}
