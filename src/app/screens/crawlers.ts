import { requestOf } from '../../kit/request.ts'
import type { Route } from './+types/crawlers.ts'

/** The pages that a search engine may show: those that say something to somebody without an account. */
const shownPaths = ['/approach', '/signup', '/signin']

/** robots.txt and sitemap.xml: what search engines may read, and where it is. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { baseUrl } = requestOf(context).calendarSource
  return url.pathname.endsWith('.xml')
    ? answer('application/xml', sitemap(baseUrl))
    : answer('text/plain', robots(baseUrl))
}

const answer = (type: string, body: string) =>
  new Response(body, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=86400' },
  })

const robots = (baseUrl: string) =>
  [
    'User-agent: *',
    ...shownPaths.map((path) => `Allow: ${path}`),
    'Allow: /assets/',
    'Allow: /icons/',
    'Disallow: /',
    '',
    `Sitemap: ${baseUrl}/sitemap.xml`,
    '',
  ].join('\n')

const sitemap = (baseUrl: string) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...shownPaths.map((path) => `<url><loc>${baseUrl}${path}</loc></url>`),
    '</urlset>',
    '',
  ].join('\n')
