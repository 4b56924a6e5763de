import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { onBehalfOf, wasTurnedAway } from '../telemetry/cause.ts'
import { requestBegan, requestEnded } from '../telemetry/meters.ts'
import { newRequestId } from '../telemetry/request-id.ts'
import { type Carrier, isTracing, spanned } from '../telemetry/spans.ts'
import { quiet } from './request-log.ts'
import type { HttpEnv } from './types.ts'

type Seen = Context<HttpEnv>
type Next = () => Promise<void>

/** First of all: gives a request its id, which everything done for it tells, and notes when and how it was answered. */
export const observed: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const request = newRequestId()
  c.set('requestId', request)
  c.set('route', '')
  const started = performance.now()
  const cause = { request }
  requestBegan()
  try {
    await onBehalfOf(cause, () => followed(c, next))
  } finally {
    const seconds = (performance.now() - started) / 1000
    const { status } = c.res
    const turnedAway = status === 503 && wasTurnedAway(cause)
    requestEnded({ method: methodOf(c), route: routeOf(c), status, seconds, turnedAway })
  }
}

/** The same as a span, where traces are gathered. A path has ids in it, and some are keys: the span has its pattern only. */
function followed(c: Seen, next: Next): Promise<void> {
  if (!isTracing() || quiet.test(c.req.path)) return next()
  const method = methodOf(c)
  const attributes = { 'http.request.method': method, 'carga.request.id': c.get('requestId') }
  return spanned(method, { kind: 'server', attributes, from: carrierOf(c) }, async (span) => {
    await next()
    const route = routeOf(c)
    span?.updateName(`${method} ${route}`)
    span?.setAttributes({ 'http.route': route, 'http.response.status_code': c.res.status })
    if (c.res.status >= 500 && !wasTurnedAway()) span?.setStatus({ code: failedStatus })
  })
}

/** OpenTelemetry's word for a failed span: its own enumeration would be the only thing needed of the library here. */
const failedStatus = 2

function carrierOf(c: Seen): Carrier {
  const [traceparent, tracestate] = [c.req.header('traceparent'), c.req.header('tracestate')]
  return { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const methodOf = (c: Seen) => (methods.includes(c.req.method) ? c.req.method : 'OTHER')

/** The pattern of what answered: a screen's, or the host's own; all that is not there has one in common. */
function routeOf(c: Seen): string {
  const pattern = c.get('route') || routePath(c)
  if (pattern === '*' || pattern === '/*') return '(otra)'
  return pattern.startsWith('/') ? pattern : `/${pattern}`
}
