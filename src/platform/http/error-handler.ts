import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Refusal, refusals } from '../../shared/refusal.ts'
import { databaseRefusal } from '../database/client.ts'
import { log } from '../telemetry/log.ts'
import type { HttpEnv } from './types.ts'

/**
 * Responds to a request that failed outside of any screen: a page for browsers, else a line of text, with the request id of
 * the log. Only bugs are logged here; database faults were logged before.
 */
export async function respondToError(err: Error, c: Context<HttpEnv>): Promise<Response> {
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
  if (status === 503) {
    const page = await resendPage(c, c.req.raw)
    if (page) return page
  }
  // The page reloads by itself once the database is back.
  if (status === 503 && c.req.method === 'GET') c.header('refresh', '5')
  c.header('content-security-policy', barePolicy)
  return c.html(barePage(title, [description], c.get('requestId')), status as ContentfulStatusCode)
}

/** As much as a form without files may have (platform/storage/bodies.ts). */
const longest = 64 * 1024

/**
 * Responds to a form that was sent without scripts and can't be processed now: a page that has what was typed, and
 * sends it again. Null for any other request, and where the form can't be read. Passwords do not come back.
 */
export async function resendPage(c: Context<HttpEnv>, sent: Request): Promise<Response | null> {
  const { headers, method } = sent
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded')
  const isShort = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY) <= longest
  if (method !== 'POST' || !isForm || !isShort || !headers.get('accept')?.includes('text/html')) return null
  const fields = await sent.text().then(
    (text) => [...new URLSearchParams(text)],
    () => null,
  )
  if (!fields) return null
  const { pathname, search } = new URL(sent.url)
  const { description, title } = refusals.unavailable
  const kept = fields
    .filter(([name]) => !/password|contrase/i.test(name))
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
  const form = `<form method="post" action="${escaped(pathname + search)}">${kept.join('')}<button>Enviar otra vez</button></form>`
  c.header('retry-after', '2')
  c.header('cache-control', 'no-store')
  c.header('content-security-policy', barePolicy.replace("form-action 'none'", "form-action 'self'"))
  return c.html(
    barePage(title, [description, 'Lo que escribiste sigue aquí.'], c.get('requestId'), form),
    503,
  )
}

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => signs[sign]!)

const unexpected = {
  status: 500,
  title: 'Algo salió mal',
  description: 'Fue nuestra culpa y ya quedó registrado. Vuelve a intentarlo en un momento.',
}

const style = `body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#16201c;background:#f7f8f8}
main{max-width:28rem;margin:15vh auto 0;padding:1rem}h1{font-size:1.5rem;line-height:1.25}
small{color:#55605b;overflow-wrap:anywhere}
button{width:100%;min-height:3rem;font:inherit;font-weight:600;color:#fff;background:#0b7a5b;border:0;border-radius:.75rem}
@media(prefers-color-scheme:dark){body{color:#e8edea;background:#0f1513}small{color:#9eaaa4}}`
const styleHash = createHash('sha256').update(style).digest('base64')

/** The Content-Security-Policy of such a page: its own style, and nothing else. */
export const barePolicy = `default-src 'none'; object-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A page without any dependency. Its text is constant: nothing is escaped. `form` is HTML. */
export const barePage = (
  title: string,
  paragraphs: readonly string[],
  requestId: string,
  form = '',
) => `<!doctype html>
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
${form}
<p><small>Si pides ayuda, dinos este número: ${requestId}</small></p>
</main>
</body>
</html>`
