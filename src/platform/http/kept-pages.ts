import { randomUUID } from 'node:crypto'

/** The screens that are the same for all visitors without cookies. */
const paths = ['/signin', '/signup', '/approach', '/recover-password']
const keptForMs = 60_000
const formKeys = /(?<=name="formKey" value=")[^"]+/g

/** What a page holds of its own request: its number, and the nonce of its policy. */
type Own = { nonce: string; requestId: string }
type Kept = Own & { html: string; headers: Headers; until: number }
type Shown = { answer: Response; html: string }

/** Renders a public screen once a minute. Each answer has its own nonce and number, and its forms their own keys. */
export function keptPages(now = () => performance.now()) {
  const pages = new Map<string, Kept>()
  /** The path of a public screen as every visitor sees it; empty for any other request. */
  const placeOf = ({ headers, method, url }: Request) => {
    const { pathname, search } = new URL(url)
    const isSame = method === 'GET' && search === '' && !headers.has('cookie')
    return isSame && paths.includes(pathname) ? pathname : ''
  }
  return {
    /** The answer to a request whose screen was rendered within the minute; its policy names `nonce`. */
    of(request: Request, { nonce, requestId }: Own): Shown | null {
      const kept = pages.get(placeOf(request))
      if (!kept || kept.until < now()) return null
      const html = kept.html
        .replaceAll(kept.nonce, nonce)
        .replaceAll(kept.requestId, requestId)
        .replace(formKeys, () => randomUUID())
      return { answer: new Response(html, { headers: kept.headers }), html }
    },
    keep(request: Request, own: Own, { answer: { headers, status }, html }: Shown): void {
      const place = placeOf(request)
      if (!place || status !== 200 || headers.has('set-cookie')) return
      pages.set(place, { ...own, html, headers: new Headers(headers), until: now() + keptForMs })
    },
  }
}
