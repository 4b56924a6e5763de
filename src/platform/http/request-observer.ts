import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { log, newRequestId, runWithContext, wasShed } from '../telemetry/log.ts'
import { type Carrier, isTracing, requestBegan, requestEnded, spanned } from '../telemetry/spans.ts'
import type { HttpEnv } from './types.ts'

type Seen = Context<HttpEnv>
type Next = () => Promise<void>

/**
 * Runs first: gives a request its id, which all its log lines and errors carry, and records when and how it was
 * answered.
 */
export const observeRequests: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const request = newRequestId()
  c.set('requestId', request)
  c.set('route', '')
  const started = performance.now()
  const cause = { request }
  requestBegan()
  try {
    await runWithContext(cause, () => followed(c, next))
  } finally {
    const seconds = (performance.now() - started) / 1000
    const { status } = c.res
    const turnedAway = status === 503 && wasShed(cause)
    requestEnded({ method: methodOf(c), route: routeOf(c), status, seconds, wasShed: turnedAway })
  }
}

/** The same as a span, where traces are collected: with the route pattern only, since a path may contain ids and keys. */
function followed(c: Seen, next: Next): Promise<void> {
  if (!isTracing() || quiet.test(c.req.path)) return next()
  const method = methodOf(c)
  const attributes = { 'http.request.method': method, 'carga.request.id': c.get('requestId') }
  return spanned(method, { kind: 'server', attributes, from: carrierOf(c) }, async (span) => {
    await next()
    const route = routeOf(c)
    span?.updateName(`${method} ${route}`)
    span?.setAttributes({ 'http.route': route, 'http.response.status_code': c.res.status })
    if (c.res.status >= 500 && !wasShed()) span?.setStatus({ code: failedStatus })
  })
}

/** OpenTelemetry's status code of a failed span, without importing the library for it. */
const failedStatus = 2

function carrierOf(c: Seen): Carrier {
  const traceparent = c.req.header('traceparent')
  const tracestate = c.req.header('tracestate')
  return { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const methodOf = (c: Seen) => (methods.includes(c.req.method) ? c.req.method : 'OTHER')

/** The route pattern of the response; unknown paths share one. */
function routeOf(c: Seen): string {
  const pattern = c.get('route') || routePath(c)
  if (pattern === '*' || pattern === '/*') return '(otra)'
  return pattern.startsWith('/') ? pattern : `/${pattern}`
}

/** Frequent, similar requests that get no trace and, unless they fail, no log line. */
const quiet = /^\/(assets\/|icons\/|favicon|healthz|readyz)/

/** The secret of a link to a calendar, a shared visit or a hand-over is not logged. */
export const withoutSecret = (path: string) =>
  path.replace(/^(\/+(?:calendar\/+feed|visita|garantia)\/).+/i, '$1…')

/** One log line for each request, without the query string: it may contain a user's search. */
export const requestLog: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const started = performance.now()
  await next()
  c.res.headers.set('x-request-id', c.get('requestId'))
  const line = {
    req: c.get('requestId'),
    actor: c.get('session')?.actor.id ?? null,
    method: c.req.method,
    path: withoutSecret(c.req.path),
    status: c.res.status,
    ms: Math.round((performance.now() - started) * 10) / 10,
  }
  // A client that disconnected gets no answer: no error of ours, and clients must not be able to fill the log so. A
  // shed request is no error either: the load shedder reports it now and then.
  const ours = c.res.status >= 500 && c.res.status !== 501 && !wasShed()
  if (ours && !c.req.raw.signal.aborted) log.error(line, 'request')
  else if (!quiet.test(c.req.path) || c.res.status >= 400) log.info(line, 'request')
}
