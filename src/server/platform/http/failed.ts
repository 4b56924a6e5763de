import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal, refusals } from '../../../domain/shared/refusal.ts'
import { log } from '../../app/log.ts'
import { databaseRefusal } from '../database/faults.ts'
import { barePage, barePolicy } from './bare-page.ts'
import type { HttpEnv } from './types.ts'

/**
 * Answers a request that failed outside of any screen: as a page where a browser asked for one, else as a line of text;
 * with the number by which the log knows it. Only a bug is written down here; the database's own faults were already.
 */
export function answerFailure(err: Error, c: Context<HttpEnv>): Response {
  if (c.req.raw.signal.aborted) return new Response(null, { status: refusals.cancelled.status })
  const isGone = err instanceof Refusal && err.code === 'unavailable'
  if (err instanceof Refusal && !isGone) return c.text(err.description, err.status as ContentfulStatusCode)
  const refusal = isGone ? err : databaseRefusal(err)
  if (!refusal) log.error({ err, req: c.get('requestId') }, 'unexpected error')
  const { description, status, title } = refusal ?? unexpected
  if (status === 503) c.header('retry-after', '2')
  c.header('cache-control', 'no-store')
  if (!c.req.header('accept')?.includes('text/html'))
    return c.text(
      `${title}. ${description} Si pides ayuda, dinos este número: ${c.get('requestId')}`,
      status as ContentfulStatusCode,
    )
  // It comes back by itself once the database does.
  if (status === 503 && c.req.method === 'GET') c.header('refresh', '5')
  c.header('content-security-policy', barePolicy)
  return c.html(barePage(title, [description], c.get('requestId')), status as ContentfulStatusCode)
}

const unexpected = {
  status: 500,
  title: 'Algo salió mal',
  description: 'Fue nuestra culpa y ya quedó registrado. Vuelve a intentarlo en un momento.',
}
