import type { Context, MiddlewareHandler } from 'hono'
import { turnedAway } from '../../../domain/shared/overload.ts'
import { noteTurnedAway } from '../telemetry/cause.ts'
import { barePage, barePolicy } from './bare-page.ts'
import type { Crowd } from './crowd.ts'
import type { HttpEnv } from './types.ts'

/** Who asks whether we live, what costs next to nothing, and streams, which stay open by design. */
const always = /^\/(healthz$|readyz$|live$|assets\/|favicon\.svg$|sw\.js$)/
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Turns away what there is no room for, before its session or its body are looked at: nothing was done, and asking again is safe. */
export function whileThereIsRoom(crowd: Crowd): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (always.test(c.req.path)) return next()
    if (!crowd.admits(!reads.has(c.req.method))) return refusal(c)
    const { incoming } = c.env ?? {}
    return crowd.within({ arrived: () => incoming?.complete ?? true }, next)
  }
}

/** Not all at the same moment. */
const seconds = () => 2 + Math.floor(Math.random() * 4)

function refusal(c: Context<HttpEnv>): Response {
  noteTurnedAway()
  const later = String(seconds())
  c.header('retry-after', later)
  c.header(turnedAway.header, '1')
  c.header('cache-control', 'no-store')
  if (!c.req.header('accept')?.includes('text/html')) return c.json(forPrograms(c.get('requestId')), 503)
  const isRead = reads.has(c.req.method)
  // The page asks again by itself; a form is sent again by whoever wrote it.
  if (isRead) c.header('refresh', later)
  c.header('content-security-policy', barePolicy)
  const advice = isRead ? turnedAway.read : turnedAway.change
  return c.html(barePage(title, [description, advice], c.get('requestId')), 503)
}

const { title, description } = turnedAway

/** In the forms that our programs read: operations, work on site, the dealerships' interface. */
const forPrograms = (requestId: string) => ({
  ...{ ok: false, code: 'unavailable', title, description, detail: description, status: 503, requestId },
  error: { code: 'unavailable', title, description },
})
