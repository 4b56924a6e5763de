import { expect, type Locator, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { violations } from './axe.ts'
import { withDatabase } from './database.ts'
import type { Row } from './screens.ts'
import { isTakenOver, posts } from './steps.ts'

/** Opens each screen of the rows in each of its states, and collects what axe finds there. */
export async function barriersOn(
  page: Page,
  rows: readonly Row[],
  asked: RunOptions,
  more: (page: Page) => Promise<string[]> = async () => [],
) {
  const ids = await idsOfDemo()
  const found: string[] = []
  let isClean = false
  for (const { at, opens, rival, sends } of rows) {
    const path = at.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? `missing-${name}`)
    const look = async (state: string) => {
      const broken = [...(await violations(page, asked)), ...(await more(page))]
      found.push(...broken.map((what) => `${at}, ${state}: ${what}`))
    }
    if (!isClean || !(await leadsTo(page, path))) {
      await page.goto(path)
      await isTakenOver(page)
    }
    isClean = !opens && !sends && !rival
    expect.soft(new URL(page.url()).pathname, at).toBe(new URL(path, page.url()).pathname)
    await look('as it opens')
    if (opens) {
      const opener = page
        .getByRole('button', { name: opens })
        .or(page.locator('summary, a', { hasText: opens }))
      await opener.filter({ visible: true }).first().click()
      await expect(page.getByRole('dialog'), `the dialog of ${at}`).toBeVisible()
      await look(`«${opens}» open`)
    }
    if (rival) {
      await overtakenIn(page, page.getByLabel(rival))
      // What stays in view covers the same as when it opened.
      await page.evaluate(() => scrollTo(0, 0))
      await look('overtaken')
    }
    if (!sends) continue
    await page.getByRole('button', { name: sends }).click()
    await expect(page.locator('[aria-invalid=true], main [role=alert]').first(), at).toBeVisible()
    await look('refused')
  }
  return found
}

/** Writes in a field that another window saves meanwhile, until its form shows both values. */
async function overtakenIn(page: Page, field: Locator) {
  await field.fill('Lo mío')
  const form = await field.evaluate(({ form, name }: HTMLInputElement) => {
    const fields = new FormData(form!, form!.querySelector<HTMLElement>('[type=submit]'))
    fields.set(name, 'Lo suyo')
    return Object.fromEntries(fields) as Record<string, string>
  })
  await posts(page, page.url(), form)
  await expect(page.getByLabel('Usar lo suyo: Lo suyo')).toBeVisible()
  const said = page.getByRole('alert').filter({ hasText: /Guardaste en otra ventana a las? \d/ })
  await expect(said).toContainText('Lo suyo')
  // How to fill a field in is no part of its name.
  await expect(said).not.toContainText('opcional')
}

type Router = { navigate: (path: string) => Promise<void>; state: { location: Location } }

/**
 * Goes on to a screen as a link does; false where the application has it only as a document. A new document would read the
 * scripts and axe once more, which takes longer than to look at it.
 */
async function leadsTo(page: Page, path: string): Promise<boolean> {
  const led = await page
    .evaluate(async (to) => {
      const router = (window as unknown as { __reactRouterDataRouter: Router }).__reactRouterDataRouter
      await router.navigate(to)
      await new Promise((idle) => requestIdleCallback(idle))
      return router.state.location.pathname
    }, path)
    .catch(() => undefined)
  return led === path.replace(/\?.*/, '')
}

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
