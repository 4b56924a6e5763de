import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { Link as RouterLink, StaticRouter } from 'react-router'
import { Link } from '../../src/ui/link.tsx'

// The server draws links with less work than their library (decision 0103), and a browser takes over what the library
// draws.

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
  ])('to $to', (props) => expect(drawn(Link, props)).toBe(drawn(RouterLink, props)))
})
