import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { RouterContextProvider, type ServerBuild } from 'react-router'
import { type Auth, askAuth, idToken } from '../accounts/auth.ts'
import type { Provider } from '../accounts/provider.ts'
import { knownBrowser } from '../accounts/session.ts'
import { type Cards, checkoutOrigin } from '../integrations/stripe/checkout-result.ts'
import { openWebhooks } from '../integrations/webhooks/send.ts'
import { vapidKeys } from '../notifications/push.ts'
import { readableOutbox } from '../notifications/transport.ts'
import { type Db, sendTogether } from '../platform/database/client.ts'
import { sharingReads } from '../platform/database/reads.ts'
import { listsFrom } from '../platform/database/replica.ts'
import { resendPage } from '../platform/http/error-handler.ts'
import { answerForm } from '../platform/http/form-answers.ts'
import { keptPages } from '../platform/http/kept-pages.ts'
import {
  type clientAddress,
  contentSecurityPolicy,
  isSecondFactorMissing,
} from '../platform/http/security.ts'
import { unsealed } from '../privacy/blocked-accounts.ts'
import { overload } from '../shared/overload.ts'
import { refusals } from '../shared/refusal.ts'
import { openCalendars } from '../users/read-calendars.ts'
import { type Deps, type ScreenRequest, screenRequest } from './context.ts'
import { handlersByBeginning } from './route-handlers.ts'

const development = import.meta.env.DEV

/** The one screen with a map. */
const boardPath = '/admin/assignations'

/** Passes a request to React Router with the context of its loaders and actions, and secures the response. */
export function screensHandler(
  { advanceDay, db, drive, env, secret, site }: Deps,
  auth: Auth,
  provider: Provider | null,
  cards: Cards | null,
) {
  sendTogether(db)
  const ownHosts = env.allowedOrigins.map((origin) => new URL(origin).host)
  const services = {
    db,
    drive,
    modules: env.MODULES,
    site,
    provider,
    syncPath: env.AUTH_SYNC_PATH ?? null,
    calendarSource: { brand: env.BRAND, baseUrl: env.baseUrl, from: env.MAIL_FROM },
    outbox: readableOutbox(env),
    advanceDay,
    cards,
    tiles: env.tiles,
    routing: env.routing,
    webhooks: openWebhooks({ env, secret }),
    calendars: openCalendars({ baseUrl: env.baseUrl, secret }),
    pushKey: vapidKeys(secret).publicKey,
    unsealBlocked: (sealed: string | null) => unsealed(sealed, secret),
  }
  const payAt = env.cards && checkoutOrigin(env.cards)
  const origins = (url: string) => (env.anyHost ? [new URL(url).origin] : env.allowedOrigins)
  // Imported once, since a build during this process replaces the files.
  const handlers = import('virtual:react-router/server-build').then((made: unknown) =>
    handlersByBeginning({ ...(made as ServerBuild), allowedActionOrigins: ownHosts }),
  )
  const pages = keptPages()
  return async (c: Parameters<typeof clientAddress>[0]) => {
    const session = c.get('session')
    // What scripts fetch runs nothing: it gets the closed policy of all other answers, and no nonce.
    const isPage = !development && !c.req.path.endsWith('.data')
    const nonce = isPage ? randomBytes(16).toString('base64') : ''
    const address = c.get('clientAddress')
    const ask = askAuth(auth, { baseUrl: env.baseUrl, address, headers: c.req.raw.headers })
    const outcome: ScreenRequest['outcome'] = { route: '', fault: 500, document: null }
    const context = new RouterContextProvider()
    context.set(screenRequest, {
      ...services,
      lists: listsOf(db, c.req.raw),
      actor: session?.actor ?? null,
      get now() {
        return new Date()
      },
      openProjects: session?.openProjects ?? [],
      session: session && { id: session.sessionId, endsAt: session.endsAt },
      secondFactorMissing: isSecondFactorMissing(env, session?.actor),
      nonce,
      newIdToken: env.AUTH_SYNC_PATH
        ? () => session && idToken({ secret, baseUrl: env.baseUrl, ...session }, new Date())
        : null,
      caller: {
        db,
        ask,
        address,
        now: new Date(),
        termsVersion: env.TERMS_VERSION,
        known: knownBrowser({ secret, baseUrl: env.baseUrl }, c.req.header('cookie') ?? null),
        actor: session?.actor ?? null,
        sessionId: session?.sessionId ?? null,
      },
      requestId: c.get('requestId'),
      outcome,
    })
    const handle = (await handlers)(c.req.path)
    const render = () => handle(c.req.raw, context)
    const { method, path } = c.req
    // A page that fails shows no form: what was typed comes back from a copy of the request.
    const copy = isPage && isTypedForm(c.req.raw) ? c.req.raw.clone() : null
    const who = `${session?.actor.id ?? ''} ${path}`
    const own = { nonce, requestId: c.get('requestId') }
    const kept = isPage ? pages.of(c.req.raw, own) : null
    const answer =
      kept?.answer ?? (method === 'POST' ? await answerForm(db, who, render) : await sharingReads(render))
    c.set('route', kept ? path : outcome.route)
    // The client has disconnected: the router's answer has no reader.
    if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
    const headers = new Headers(answer.headers)
    if (isPage) {
      const tilesAt = path === boardPath ? (env.tiles?.origin ?? null) : null
      const policy = contentSecurityPolicy(nonce, origins(c.req.url), { payAt, tilesAt })
      headers.set('content-security-policy', policy)
    }
    if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store')
    // A toast is shown once: the service worker does not cache its answer.
    if (headers.has('set-cookie')) headers.set('x-once', '1')
    if (session?.stale) for (const cookie of await ask.refreshed()) headers.append('set-cookie', cookie)
    const status = answer.status === 500 ? outcome.fault : answer.status
    if (status === 503) headers.set('retry-after', '2')
    const again = status === 503 && copy && !headers.has(overload.answered) ? await resendPage(c, copy) : null
    if (again) return again
    const page = kept ?? outcome.document
    if (page && page !== kept) pages.keep(c.req.raw, own, page)
    const body = page?.answer === answer ? Buffer.from(page.html) : await readBody(answer)
    const accepted = c.req.header('accept-encoding')
    return new Response(compressed(body, headers, accepted), { status, headers })
  }
}

const isTypedForm = ({ headers, method }: Request) =>
  method === 'POST' && headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')

/** Only a GET may read from the replica: a page after an action without JavaScript shows what that action changed. */
function listsOf(db: Db, { method, headers }: Request): () => Promise<Db> {
  let chosen: Promise<Db> | undefined
  return () => (chosen ??= method === 'GET' ? listsFrom(db, headers.get('cookie')) : Promise.resolve(db))
}

// CSV exports may exceed the memory: they are streamed uncompressed.
const textual = /^(text\/(?!event-stream|csv)|application\/json)/
const isTextual = (headers: Headers) =>
  !headers.has('content-encoding') && textual.test(headers.get('content-type') ?? '')

/** The body of a response: whole where it is text, else as it streams. */
const readBody = async (answer: Response) =>
  answer.body && isTextual(answer.headers) ? new Uint8Array(await answer.arrayBuffer()) : answer.body

/** Smaller responses fit one packet anyway, in bytes. */
const smallest = 1_000

// Brotli: half the time of the next two levels; a page of 50 rows is 7 % larger. Zstandard: as small in half of that.
// A window of 256 kB fits any page; the default would take megabytes for each.
const brotli = { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 }
const zstd = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_windowLog]: 18 }

const encoders = [
  ['zstd', (body: Uint8Array) => zstdCompressSync(body, { params: zstd, pledgedSrcSize: body.length })],
  ['br', (body: Uint8Array) => brotliCompressSync(body, { params: brotli })],
  ['gzip', (body: Uint8Array) => gzipSync(body, { level: 3 })],
] as const

type Body = Uint8Array<ArrayBuffer> | ReadableStream | null

/** The body of a response, compressed where that helps and the browser supports it; sets the headers. Others are unchanged. */
function compressed(body: Body, headers: Headers, accepted = ''): Body {
  if (!(body instanceof Uint8Array) || !isTextual(headers)) return body
  headers.append('vary', 'accept-encoding')
  const taken = body.length < smallest ? undefined : encoders.find(([name]) => accepts(accepted, name))
  if (!taken) return body
  const [name, encode] = taken
  headers.set('content-encoding', name)
  headers.delete('content-length')
  return encode(body)
}

const accepts = (accepted: string, name: string) =>
  accepted.split(',').some((part) => {
    const [coding, ...options] = part
      .toLowerCase()
      .split(';')
      .map((word) => word.trim())
    return coding === name && !options.some((option) => /^q=0(\.0*)?$/.test(option))
  })
