import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { Link as RouterLink, StaticRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import drawnIcon from '../../src/web/ui/drawn-icon.tsx'
import { Link } from '../../src/web/ui/link.tsx'
import { linesOf } from '../../vite.icons.ts'

// The server draws links with less work than their library (decision 0103), and a browser takes over what the library
// draws; icons are drawn by ours on both sides. Here no build has replaced any of them.

const web = path.resolve(import.meta.dirname, '../../src/web')
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => readFileSync(path.join(web, name), 'utf8'))

/** The markup of an element; the order of its attributes means nothing. */
const markup = (element: ReactNode) =>
  renderToString(element).replaceAll(
    /<(\w+)((?: [\w-]+="[^"]*")*)/g,
    (_, tag, attributes) => `<${tag} ${(attributes.match(/[\w-]+="[^"]*"/g) ?? []).toSorted().join(' ')}`,
  )

describe('a link', () => {
  type Props = ComponentProps<typeof RouterLink>
  const drawn = (Element: ComponentType<Props>, props: Props) =>
    markup(
      <StaticRouter location="/admin/clients?estado=open">
        <Element {...props}>Ver</Element>
      </StaticRouter>,
    )

  test.each<Props>([
    { to: '/admin/clients?text=a&b=%C3%A1#abajo', className: 'row-link' },
    { to: '/admin', prefetch: 'intent', 'aria-current': 'page', id: 'x' },
    { to: '/admin', prefetch: 'none', replace: true, preventScrollReset: true, viewTransition: true },
    { to: '/admin', discover: 'none', relative: 'path', state: { from: 1 } },
    { to: '/files/1', reloadDocument: true },
    { to: '../users' },
    { to: '//example.com/a' },
    { to: 'https://example.com/a', target: '_blank', rel: 'noopener' },
    { to: { pathname: '/admin', search: '?a=1' } },
  ])('to $to', (props) => {
    expect(drawn(Link, props)).toBe(drawn(RouterLink, props))
  })
})

describe('an icon', () => {
  const names = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/import \{([^}]+)\} from 'lucide-react'/g)].flatMap(([, list]) =>
        list!.split(',').map((name) => name.trim().replace(/ as \w+$/, '')),
      ),
    ),
  )
  const used = [...names].filter((name) => name && !name.startsWith('type '))
  /** An icon's own file, which has another name where it was renamed. */
  const fileOf = async (name: string) => {
    const index = readFileSync('node_modules/lucide-react/dist/esm/lucide-react.mjs', 'utf8')
    const file = new RegExp(`default as ${name}\\b.*from '(.+)'`).exec(index)?.[1]
    return await import(path.resolve('node_modules/lucide-react/dist/esm', file!))
  }

  /** Without the names that lucide gives its icons as classes, and however an empty element is closed. */
  const alike = (icon: ReactNode) =>
    markup(icon)
      .replaceAll(/ class="([^"]*)"/g, (_, classes) => {
        const own = classes.split(' ').filter((name: string) => !/^lucide(-|$)/.test(name))
        return own.length > 0 ? ` class="${own.join(' ')}"` : ''
      })
      .replaceAll(/><\/(?!svg)\w+>/g, '/>')
      .replaceAll(' />', '/>')

  test('of the many that are used', () => {
    expect(used.length).toBeGreaterThan(50)
  })

  test.each(used)('%s', async (name) => {
    const { __iconData, default: Theirs } = await fileOf(name)
    const Ours = drawnIcon(linesOf(__iconData.node))
    for (const props of [
      {},
      { 'aria-hidden': true, className: 'size-5 shrink-0' },
      { className: 'size-3.5', strokeWidth: 2.5 },
      { size: 16, 'data-x': 'y' },
    ])
      expect(alike(<Ours {...props} />)).toBe(alike(<Theirs {...props} />))
  })
})
