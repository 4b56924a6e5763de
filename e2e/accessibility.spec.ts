import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../src/routes.ts'
import { onSiteRules, rules } from './kit/axe.ts'
import { barriersOn } from './kit/barriers.ts'
import { everybody, type Role } from './kit/screens.ts'
import { tooSmall } from './kit/sizes.ts'
import { entersAs } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'

// Some twenty screens each: longer than other tests. The dark is looked at in test-slow/browser/accessibility.spec.ts.
test.describe.configure({ timeout: 240_000 })

for (const [who, { isOnSite, people, window }] of Object.entries<Role>(everybody))
  test(`${who} meets no barrier on any screen`, async ({ arrive }) => {
    const found: string[] = []
    for (const [email, rows] of people) {
      const page = await arrive(window)
      if (email) await entersAs(page, email)
      if (isOnSite) found.push(...(await barriersOn(page, rows, onSiteRules.light, tooSmall)))
      else found.push(...(await barriersOn(page, rows, rules.light)))
    }
    expect(found).toEqual([])
  })

/** No screens of their own: one closes itself, one leads on; the third needs Stripe (test-slow/browser/cards.spec.ts). */
const elsewhere = ['/session/provider/done', '/admin/clients/:id', '/payments/tarjeta/:id']

test('every screen is in the table', () => {
  const rows = Object.values<Role>(everybody).flatMap(({ people }) => people.flatMap(([, some]) => some))
  const paths = rows.map(({ at }) => at.replace(/\?.*/, ''))
  const isIn = (screen: string) =>
    paths.some((path) => new RegExp(`^${screen.replace(/:\w+/g, '[^/]+')}$`).test(path))
  const screens = pathsOf(routes as RouteConfigEntry[]).filter((path) => !elsewhere.includes(path))
  expect(screens.length).toBeGreaterThan(60)
  expect(screens.filter((screen) => screen !== '/*' && !isIn(screen))).toEqual([])
})

/** The addresses of modules with a component. */
const pathsOf = (entries: readonly RouteConfigEntry[], parent = ''): string[] =>
  entries.flatMap(({ children, file, path }) => {
    const here = path ? `${parent}/${path}` : parent
    return children ? pathsOf(children, here) : file.endsWith('.tsx') ? [here || '/'] : []
  })
