import type { Viewer } from '../../access/rules/actor.ts'
import { menuFor } from '../../access/rules/menu.ts'
import { requestOf } from '../../kit/request.ts'
import type { Route } from './+types/manifest.ts'

/** How many shortcuts a phone shows under the icon at most. */
const mostShortcuts = 4

/** What a phone needs to keep the product among its applications; the shortcuts are those of the person's own menu. */
export function loader({ context }: Route.LoaderArgs) {
  const { site, actor, modules } = requestOf(context)
  const { brand } = site
  const icon = (file: string, side: number, purpose: string) => ({
    src: `/icons/${file}`,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose,
  })
  const manifest = {
    id: '/',
    start_url: '/',
    scope: '/',
    name: brand,
    short_name: brand,
    description: 'Tu cargador, instalado en casa.',
    lang: 'es-MX',
    dir: 'ltr',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#0b7a5b',
    categories: ['lifestyle', 'utilities'],
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('maskable-512.png', 512, 'maskable'),
    ],
    shortcuts: shortcutsOf(actor, modules),
  }
  return Response.json(manifest, {
    headers: {
      'content-type': 'application/manifest+json; charset=utf-8',
      'cache-control': 'private, max-age=3600',
      vary: 'Cookie',
    },
  })
}

/** The items of the person's menu after their home, as far as they are built. */
function shortcutsOf(viewer: Viewer, on: Parameters<typeof menuFor>[1]) {
  if (!viewer) return []
  return menuFor(viewer, on)
    .flatMap(({ items }) => items)
    .filter(({ missing, icon }) => !missing && icon !== 'house')
    .slice(0, mostShortcuts)
    .map(({ label, dir }) => ({ name: label, url: dir }))
}
