import { Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import './follows.ts'
import { isCustomer, isTechnician } from '../access/rules/actor.ts'
import { createAuth } from '../accounts/auth.ts'
import { openProvider } from '../accounts/provider.ts'
import { noteSessionUse, readSession, sessionToken } from '../accounts/session.ts'
import { sentPlaces } from '../dispatch/positions.ts'
import { shownDocuments } from '../documents/documents.ts'
import { dealershipApi } from '../integrations/public-api/api.ts'
import { openCards } from '../integrations/stripe/checkout-result.ts'
import { stripeWebhook } from '../integrations/stripe/webhook.ts'
import { sendCode, whatsappWebhook } from '../notifications/whatsapp.ts'
import { type Db, databaseRefusal } from '../platform/database/client.ts'
import { isUnavailable, isWritable } from '../platform/database/health.ts'
import { missingMigrations } from '../platform/database/migrate.ts'
import { type ReplicaState, rememberWrites, replicaStatus } from '../platform/database/replica.ts'
import { ownCookies, sessionMarker } from '../platform/http/cookies.ts'
import { respondToError } from '../platform/http/error-handler.ts'
import { createLoadShedder, type LoadShedder, shedLoad } from '../platform/http/load-shedding.ts'
import { networkOf } from '../platform/http/network.ts'
import { observeRequests, requestLog } from '../platform/http/request-observer.ts'
import {
  builtFiles,
  clientAddress,
  ownNamesOnly,
  sameOriginOnly,
  securityHeaders,
  untilSecondFactor,
} from '../platform/http/security.ts'
import type { HttpEnv, OnsiteEnv } from '../platform/http/types.ts'
import { jobsRun } from '../platform/jobs/jobs.ts'
import { lateRounds } from '../platform/jobs/rounds.ts'
import { bodies } from '../platform/storage/bodies.ts'
import { causedBy, log } from '../platform/telemetry/log.ts'
import { sheetEndpoints } from '../reports/answers.ts'
import { sentFiles, shownFiles } from '../reports/photo-addresses.ts'
import { dayAhead } from '../reports/queries.ts'
import { shownSettings } from '../settings/queries.ts'
import { Refusal, refusals, refuse } from '../shared/refusal.ts'
import type { Deps } from './context.ts'
import { screensHandler } from './screens-handler.ts'

export { livingSessions } from '../accounts/session.ts'
export { externalSystems } from '../platform/external.ts'
export { startJobs, stopJobs } from '../platform/jobs/jobs.ts'
export { setJobSecret } from '../platform/jobs/queues.ts'
export { openStreams } from '../platform/live/streams.ts'
export { openDrive } from '../platform/storage/drive.ts'
export { backup, importPeople, loadPostalList, makeManager, reconcileEmails, restore } from './commands.ts'
export { openData, start } from './start.ts'

/** The whole HTTP side: headers, health, live updates, static files, and React Router for every screen. */
export function createApp(deps: Deps, loadShedder: LoadShedder = createLoadShedder(deps.env.loadLimits)) {
  const { db, env } = deps
  const { whatsapp } = env
  const options = {
    secret: deps.secret,
    baseUrl: env.baseUrl,
    brand: env.BRAND,
    termsVersion: env.TERMS_VERSION,
    sendCode: whatsapp ? (userId: string, code: string) => sendCode(db, whatsapp, userId, code) : undefined,
  }
  const auth = createAuth(db, options)
  const provider = env.provider && openProvider(db, options, env.provider, env.allowedOrigins)
  const cards = openCards(env)
  const signing = { secret: deps.secret, baseUrl: env.baseUrl }
  const app = new Hono<HttpEnv>()
  app.use(observeRequests)
  app.use(async (c, next) => {
    c.set('session', null)
    c.set('clientAddress', clientAddress(c, env.TRUST_PROXY))
    causedBy({ network: networkOf(c.get('clientAddress')) })
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
  app.use(shedLoad(loadShedder, (cookies) => sessionToken(signing, cookies)))
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
  if (whatsapp) app.route('/whatsapp', whatsappWebhook(db, whatsapp, env.TERMS_VERSION))
  if (!import.meta.env.DEV) app.route('/', builtFiles(deps.assets))
  // Requests do not wait for a database that is known to be unavailable.
  app.use(async (_c, next) => (isUnavailable(db) ? refuse('unavailable') : next()))
  app.use(async (c, next) => {
    const session = await readSession(db, signing, c.req.header('cookie') ?? null)
    c.set('session', session)
    if (session && isCustomer(session.actor)) causedBy({ by: session.actor.id })
    if (session) causedBy({ proved: session.actor.emailVerified })
    if (session?.unseen) await noteSessionUse(db, session.sessionId)
    await next()
  })
  app.use(sessionMarker)
  app.use(rememberWrites(db))
  app.use(untilSecondFactor(env))
  app.use(bodies())
  app.get('/v1/projects', (c) =>
    c.json({ authorizedDomains: env.allowedOrigins.map((origin) => new URL(origin).host) }),
  )
  app.get('/.well-known/security.txt', async (c) => {
    const { support } = await shownSettings(db)
    return c.text(securityText(env.baseUrl, support.email))
  })
  app.get('/live', (c) => {
    const session = c.get('session')
    if (!session) return c.text('Inicia sesión.', 401)
    return deps.streams.open(session, c.req.query('posicion'))
  })
  app.route('/files', shownFiles(deps))
  app.route('/documents', shownDocuments(deps))
  app.route('/onsite', onsite(dayAhead(db), sentFiles(deps), sheetEndpoints(db), sentPlaces(db)))
  app.all('*', screensHandler(deps, auth, provider, cards))
  app.onError(respondToError)
  return app
}

/** Whom to tell of a hole (RFC 9116); it names its end, a year from now. */
function securityText(baseUrl: string, email: string): string {
  const expires = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const canonical = `${baseUrl}/.well-known/security.txt`
  return `Contact: mailto:${email}\nExpires: ${expires}\nPreferred-Languages: es, en\nCanonical: ${canonical}\n`
}

/** A response to HEAD has no body: a started stream or export is cancelled, since nothing will read it. */
export const unread: MiddlewareHandler = async (c, next) => {
  await next()
  if (c.req.method !== 'HEAD') return
  const { body } = c.res
  if (!body) return
  c.res = new Response(null, c.res)
  await body.cancel()
}

/** Longer than the health monitor takes to declare the database unavailable: later requests are then refused at once. */
const longestLookMs = 4_000

const unanswered = [null, null] as const

const roundsInWords = (late: readonly string[]) =>
  late.length === 0 ? 'running' : `late: ${late.join(', ')}`

type Readiness = {
  ready: boolean
  database: boolean
  migrations: boolean
  jobs: boolean
  /** Whether the database and the folder of files take what is written. */
  writable: boolean
  /** "running", those that are late, or "unknown". Pages are served all the same: they make no process unready. */
  rounds: string
  /** Where there is one; without it lists are read from the primary. */
  replica?: ReplicaState
}

/** Whether this process can serve: database reachable and writable, schema migrated, jobs running. */
export async function readiness(db: Db, withJobs: boolean): Promise<Readiness> {
  const asked = () => Promise.all([missingMigrations(db), lateRounds(db).catch(() => null)])
  const [missing, late] = await Promise.race([
    isUnavailable(db) ? unanswered : asked().catch(() => unanswered),
    new Promise<typeof unanswered>((resolve) => setTimeout(resolve, longestLookMs, unanswered)),
  ])
  const parts = {
    database: missing !== null,
    migrations: missing?.length === 0,
    jobs: !withJobs || jobsRun(),
    writable: isWritable(db),
  }
  const replica = replicaStatus(db)?.state
  const rounds = late ? roundsInWords(late.map(({ queue }) => queue)) : 'unknown'
  return { ready: Object.values(parts).every(Boolean), ...parts, rounds, ...(replica && { replica }) }
}

/**
 * The endpoints of a technician's phone, below /onsite: JSON responses, and refusals with code and message. `parts` are the
 * routes.
 */
export function onsite(...parts: readonly Hono<OnsiteEnv>[]): Hono<OnsiteEnv> {
  const app = new Hono<OnsiteEnv>()
  app.use(forWhomItWasMade)
  for (const part of parts) app.route('/', part)
  app.all('*', () => {
    throw new Refusal('not-found')
  })
  app.onError((error, c) => {
    // The phone lost its network during the request, and will retry.
    if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
    const refusal = error instanceof Refusal ? error : (databaseRefusal(error) ?? new Refusal('internal'))
    if (refusal.code === 'internal')
      log.error({ err: error, req: c.get('requestId') }, 'onsite request failed')
    if (refusal.status === 503) c.header('retry-after', '2')
    const { code, title, description, details } = refusal
    return c.json({ code, title, description, details }, refusal.status as ContentfulStatusCode)
  })
  return app
}

const otherPerson = {
  code: 'other-person',
  title: 'Esto es de otra persona',
  description:
    'Se guardó en este teléfono con otra cuenta. Se enviará cuando esa persona inicie sesión aquí.',
}

/** Data waiting on a phone belongs to its author: sent while another user is signed in there, it is refused. */
const forWhomItWasMade: MiddlewareHandler<OnsiteEnv> = async (c, next) => {
  c.header('cache-control', 'no-store')
  const actor = c.get('session')?.actor
  if (!actor) throw new Refusal('unauthenticated')
  if (c.req.header('x-person') !== actor.id) return c.json(otherPerson, 403)
  if (!isTechnician(actor)) throw new Refusal('permission-denied')
  c.set('actor', actor)
  await next()
}
