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
 * Answers a request that failed outside of any screen: as a page where a browser asked for one, else as a line of text;
 * with the number by which the log knows it. Only a bug is written down here; the database's own faults were already.
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

const style = `body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#16201c;background:#f7f8f8}
main{max-width:28rem;margin:15vh auto 0;padding:1rem}h1{font-size:1.5rem;line-height:1.25}
small{color:#55605b;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e8edea;background:#0f1513}small{color:#9eaaa4}}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The Content-Security-Policy of such a page: its own style, and nothing else. */
const barePolicy = `default-src 'none'; object-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A page that needs neither the database nor anything else that may just be missing. The words are ours: nothing in them is escaped. */
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

/** Who asks whether we live, what costs next to nothing, and streams, which stay open by design. */
const always = /^\/(healthz$|readyz$|live$|assets\/|favicon\.svg$|sw\.js$)/
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Turns away what there is no room for, before its session or its body are looked at: nothing was done, and asking again is safe. */
export function shedLoad(shedder: LoadShedder): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (always.test(c.req.path)) return next()
    if (!shedder.admits(!reads.has(c.req.method))) return refusal(c)
    const { incoming } = c.env ?? {}
    return shedder.within({ arrived: () => incoming?.complete ?? true }, next)
  }
}

/** Not all at the same moment. */
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

/** In the forms that our programs read: operations, work on site, the dealerships' interface. */
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
