import type { MiddlewareHandler } from 'hono'
import { log } from '../../app/log.ts'
import { wasTurnedAway } from '../telemetry/cause.ts'
import type { HttpEnv } from './types.ts'

/** Too many, and too alike, to be worth a line or a trace each. */
export const quiet = /^\/(assets\/|favicon|healthz|readyz)/

/** A calendar's link is a key. */
export const withoutSecret = (path: string) => path.replace(/^(\/+calendar\/+feed\/).+/i, '$1…')

/** One line a request. The path only: a query may hold what somebody searched for. */
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
  // Whoever left in the middle gets no answer, whatever it would have been: no fault of ours, and nobody may fill the log so.
  // Nor is it one that there was no room: of that the crowd itself tells, now and then.
  const ours = c.res.status >= 500 && c.res.status !== 501 && !wasTurnedAway()
  if (ours && !c.req.raw.signal.aborted) log.error(line, 'request')
  else if (!quiet.test(c.req.path)) log.info(line, 'request')
}
