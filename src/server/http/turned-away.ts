import { createHash } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { turnedAway } from '../../domain/turned-away.ts'
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
  const later = String(seconds())
  c.header('retry-after', later)
  c.header(turnedAway.header, '1')
  c.header('cache-control', 'no-store')
  if (!c.req.header('accept')?.includes('text/html')) return c.json(forPrograms(c.get('requestId')), 503)
  const isRead = reads.has(c.req.method)
  // The page asks again by itself; a form is sent again by whoever wrote it.
  if (isRead) c.header('refresh', later)
  c.header('content-security-policy', policy)
  return c.html(page(isRead ? turnedAway.read : turnedAway.change, c.get('requestId')), 503)
}

const { title, description } = turnedAway

/** In the forms that our programs read: operations, work on site, the dealerships' interface. */
const forPrograms = (requestId: string) => ({
  ...{ ok: false, code: 'unavailable', title, description, detail: description, status: 503, requestId },
  error: { code: 'unavailable', title, description },
})

const style = `body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#16201c;background:#f7f8f8}
main{max-width:28rem;margin:15vh auto 0;padding:1rem}h1{font-size:1.5rem;line-height:1.25}
small{color:#55605b;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{color:#e8edea;background:#0f1513}small{color:#9eaaa4}}`
const styleHash = createHash('sha256').update(style).digest('base64')
const policy = `default-src 'none'; object-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const page = (advice: string, requestId: string) => `<!doctype html>
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
<p>${description}</p>
<p>${advice}</p>
<p><small>Si pides ayuda, dinos este número: ${requestId}</small></p>
</main>
</body>
</html>`
