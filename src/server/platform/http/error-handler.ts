import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { overload } from '../../../domain/shared/overload.ts'
import { Refusal, refusals } from '../../../domain/shared/refusal.ts'
import { databaseRefusal } from '../database/client.ts'
import { log } from '../telemetry/log.ts'
import { markAsShed } from '../telemetry/request-context.ts'
import type { LoadShedder } from './load-shedding.ts'
import type { HttpEnv } from './types.ts'

/**
 * Responds to a request that failed outside of any screen: a page for browsers, else a line of text, with the request id of
 * the log. Only bugs are logged here; database faults were logged before.
 */
export function respondToError(err: Error, c: Context<HttpEnv>): Response {
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
  // The page reloads by itself once the database is back.
  if (status === 503 && c.req.method === 'GET') c.header('refresh', '5')
  c.header('content-security-policy', barePolicy)
  return c.html(barePage(title, [description], c.get('requestId')), status as ContentfulStatusCode)
}

const unexpected = {
  status: 500,
  title: 'Algo salió mal',
  description: 'Fue nuestra culpa y ya quedó registrado. Vuelve a intentarlo en un momento.',
}

const style = `body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#16201c;background:#f7f8f8}
main{max-width:28rem;margin:15vh auto 0;padding:1rem}h1{font-size:1.5rem;line-height:1.25}
small{color:#55605b;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e8edea;background:#0f1513}small{color:#9eaaa4}}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The Content-Security-Policy of such a page: its own style, and nothing else. */
const barePolicy = `default-src 'none'; object-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A page without any dependency. Its text is constant: nothing is escaped. */
const barePage = (title: string, paragraphs: readonly string[], requestId: string) => `<!doctype html>
<html lang="es-MX">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs.map((words) => `<p>${words}</p>`).join('\n')}
<p><small>Si pides ayuda, dinos este número: ${requestId}</small></p>
</main>
</body>
</html>`

/** Never shed: health checks, cheap requests, and streams, which stay open by design. */
const always = /^\/(healthz$|readyz$|live$|assets\/|favicon\.svg$|sw\.js$)/
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Rejects requests above the limit before their session and body are read: a retry is safe. */
export function shedLoad(shedder: LoadShedder): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (always.test(c.req.path)) return next()
    if (!shedder.admits(!reads.has(c.req.method))) return refusal(c)
    const { incoming } = c.env ?? {}
    return shedder.within({ arrived: () => incoming?.complete ?? true }, next)
  }
}

/** Spread, so that clients do not retry at the same moment. */
const seconds = () => 2 + Math.floor(Math.random() * 4)

function refusal(c: Context<HttpEnv>): Response {
  markAsShed()
  const later = String(seconds())
  c.header('retry-after', later)
  c.header(overload.header, '1')
  c.header('cache-control', 'no-store')
  if (!c.req.header('accept')?.includes('text/html')) return c.json(forPrograms(c.get('requestId')), 503)
  const isRead = reads.has(c.req.method)
  // The page reloads by itself; the user sends a form again.
  if (isRead) c.header('refresh', later)
  c.header('content-security-policy', barePolicy)
  const advice = isRead ? overload.read : overload.change
  return c.html(barePage(title, [description, advice], c.get('requestId')), 503)
}

const { title, description } = overload

/** The formats that programs read: operations, phones on site, the public API. */
const forPrograms = (requestId: string) => ({
  ok: false,
  code: 'unavailable',
  title,
  description,
  detail: description,
  status: 503,
  requestId,
  error: { code: 'unavailable', title, description },
})
