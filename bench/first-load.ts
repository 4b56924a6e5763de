import type { Client } from './load.ts'

/** Compressed bytes that a first visit brings, by what they are. */
export type FirstLoad = { document: number; script: number; style: number; font: number }

const kindOf = (path: string): keyof FirstLoad | undefined =>
  path.endsWith('.js')
    ? 'script'
    : path.endsWith('.css')
      ? 'style'
      : path.endsWith('.woff2')
        ? 'font'
        : undefined

/** Asks for a page and for every script, style and preloaded font it names, as served to a browser that takes brotli. */
export async function firstLoad(
  client: Client,
  path: string,
  cookie: string | undefined,
): Promise<FirstLoad> {
  const page = await client.ask({ path, ...(cookie && { cookie }), plain: true })
  if (page.status !== 200) throw new Error(`${path} answered ${page.status}`)
  const sizes: FirstLoad = { document: 0, script: 0, style: 0, font: 0 }
  sizes.document = (await client.ask({ path, ...(cookie && { cookie }) })).bytes
  // Beyond the tags, the manifest in the page names every route's script: only what is linked or imported is loaded.
  const html = page.body.toString().replace(/window\.__reactRouterManifest\s*=\s*\{.*?\};/gs, '')
  const named = html.matchAll(/["'](\/assets\/[^"']+)["']/g)
  for (const asset of new Set([...named].map(([, found]) => found!))) {
    const kind = kindOf(asset)
    if (kind) sizes[kind] += (await client.ask({ path: asset })).bytes
  }
  return sizes
}
