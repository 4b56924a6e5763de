import type { Page } from '@playwright/test'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '../src/web/routes.ts'
import { type AxeRules, onSiteRules, rules, violations } from './kit/axe.ts'
import { withDatabase } from './kit/database.ts'
import { customers, office, onSite, others, type Row, visitor } from './kit/screens.ts'
import { phone, tooSmall } from './kit/sizes.ts'
import { entersAs, isTakenOver } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'

// Some twenty screens each: longer than other tests.
test.describe.configure({ timeout: 240_000 })

/** Opens each screen of the rows in its states, and collects what axe finds there in light and in dark. */
async function findings(page: Page, rows: readonly Row[], asked: AxeRules = rules) {
  const ids = await idsOfDemo()
  const found: string[] = []
  for (const { at, opens, sends } of rows) {
    const path = at.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? `missing-${name}`)
    const look = async (state: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const broken = await violations(page, asked[colorScheme])
        found.push(...broken.map((rule) => `${at}, ${state}, ${colorScheme}: ${rule}`))
      }
      if (asked === onSiteRules)
        found.push(...(await tooSmall(page)).map((what) => `${at}, ${state}: ${what}`))
    }
    await page.goto(path)
    await isTakenOver(page)
    expect.soft(new URL(page.url()).pathname, at).toBe(new URL(path, page.url()).pathname)
    await look('as it opens')
    if (opens) {
      await page
        .getByRole('button', { name: opens })
        .or(page.locator('summary, a', { hasText: opens }))
        .filter({ visible: true })
        .first()
        .click()
      await expect(page.getByRole('dialog'), `the dialog of ${at}`).toBeVisible()
      await look(`«${opens}» open`)
    }
    if (!sends) continue
    await page.getByRole('button', { name: sends }).click()
    await expect(page.locator('[aria-invalid=true], main [role=alert]').first(), at).toBeVisible()
    await look('refused')
  }
  return found
}

test('a visitor meets no barrier on any screen', async ({ arrive }) => {
  expect(await findings(await arrive(phone), visitor)).toEqual([])
})

const roles = {
  'a customer meets no barrier on any screen': [customers, phone, rules],
  'a technician meets no barrier on any screen, and can read and touch all of it on site': [
    onSite,
    phone,
    onSiteRules,
  ],
  'an analyst, a gester and an ally meet no barrier on any screen': [others, {}, rules],
} as const
for (const [title, [people, options, asked]] of Object.entries(roles))
  test(title, async ({ arrive }) => {
    const found: string[] = []
    for (const [email, rows] of Object.entries(people)) {
      const page = await arrive(options)
      await entersAs(page, email)
      found.push(...(await findings(page, rows, asked)))
    }
    expect(found).toEqual([])
  })

for (const [some, rows] of Object.entries(office))
  test(`${some} have no barrier`, async ({ page }) => {
    await entersAs(page, 'gerente@demo.mx')
    expect(await findings(page, rows)).toEqual([])
  })

/** Screens that another test looks at: this one closes itself, this one needs Stripe. */
const elsewhere = ['/session/provider/done', '/payments/tarjeta/:id']

test('every screen is in the table', () => {
  const lists = [visitor, ...[customers, onSite, office, others].flatMap((some) => Object.values(some))]
  const paths = lists.flat().map(({ at }) => at.replace(/\?.*/, ''))
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

/** Ids of the demo data, by the name that the table gives them. */
const idsOfDemo = () =>
  withDatabase(async (client) => {
    const one = (table: string, where: string, column = 'id') =>
      `(select ${column} from ${table} where ${where} order by 1 limit 1)`
    const person = (email: string) => one('users', `email = '${email}@demo.mx'`)
    const visit = (state: string, more = 'true') =>
      one('appointments', `state = '${state}' and service = 'technical_visit' and ${more}`)
    const columns: Record<string, string> = {
      agency: one('agencies', 'active'),
      call: one('appointments', `service = 'videocall' and state = 'assigned'`),
      cancelled: visit('cancelled'),
      case: one('cfe_cases', `state = 'gathering'`),
      client: one('clients', `ally_id = ${person('aliado')}`),
      customer: person('cliente3'),
      installed: one('sheets', `kind = 'installation' and state = 'approved'`, 'appointment_id'),
      item: one('catalogue_items', 'active', 'code'),
      otherCustomer: person('cliente4'),
      ownInstallation: one(
        'appointments',
        `assignee_id = ${person('tecnico2')} and service = 'installation' and state = 'assigned'`,
      ),
      ownVisit: visit('assigned', `assignee_id = ${person('tecnico')}`),
      pastCall: one('appointments', `service = 'videocall' and state = 'done'`),
      project: one('projects', `customer_id = ${person('cliente3')}`),
      quotable: one('sheets', `kind = 'visit' and state = 'approved'`, 'appointment_id'),
      quote: one('quotes', `state = 'accepted'`),
      requested: visit('requested', 'assignee_id is not null'),
      submitted: one('sheets', `kind = 'visit' and state = 'submitted'`, 'appointment_id'),
      technician: person('tecnico'),
    }
    const proof = await client.query<{ secret: string }>(
      `insert into handover_proofs (appointment_id) values (${columns.installed})
       on conflict (appointment_id) do update set appointment_id = excluded.appointment_id returning secret`,
    )
    const { rows } = await client.query<Record<string, string>>(
      `select ${Object.entries(columns).map(([name, sql]) => `${sql} as "${name}"`)}`,
    )
    return { ...rows[0], proof: proof.rows[0]?.secret } as Record<string, string | undefined>
  })
