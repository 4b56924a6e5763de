import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { startOwnServer, startTime } from '../kit/own-server.ts'
import { isRefreshed } from '../kit/refreshes.ts'
import { entersAs, isHeld, openSlowly } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

// One worker tells all stories: their server, with every module on, is theirs alone.
test.describe.configure({ mode: 'default' })

const desks = [
  [1024, 768],
  [1440, 900],
] as const
/** A row of 44 px and its line. */
const ROW = 45

let server: Awaited<ReturnType<typeof startOwnServer>> | undefined
test.beforeAll(async ({ browserName: _ }, { project }) => {
  test.setTimeout(startTime())
  const port = Number(process.env.E2E_PORT ?? 3210) + (project.name === 'phone' ? 1500 : 1600)
  server = await startOwnServer(port, { DEMO: 'true', MODULES: 'clients,payments,gesties' })
})
test.afterAll(() => server?.stop())

const lists = [
  'appointments-pending',
  'appointments-done',
  'cotizations',
  'clients',
  'gesties',
  'payments/cobrar',
  'payments/libro',
  'agencies',
  'users',
]

/** How far a list goes beyond the window, and how high its highest row is. */
async function measured(page: Page, path: string) {
  await page.goto(`/admin/${path}`)
  const { beside, rows } = await page.evaluate(() => ({
    beside: document.documentElement.scrollWidth - innerWidth,
    rows: [...document.querySelectorAll('.dense-table tbody tr')].map((row) => row.clientHeight),
  }))
  expect(rows.length, path).toBeGreaterThan(0)
  return { beside: Math.max(0, beside), highest: Math.max(...rows) }
}

/** Moves a confirmed visit to 38 minutes ago, of somebody who has nothing else then. */
const lateVisit = () =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>(`update appointments set
        starts_at = date_trunc('minute', now()) - interval '38 minutes' where id = (
      select id from appointments late where state = 'assigned' and confirmed_at is not null and service = 'technical_visit'
        and not exists (select from appointments other where other.id <> late.id and other.assignee_id = late.assignee_id
          and other.starts_at between now() - interval '9 hours' and now() + interval '3 hours')
      order by starts_at desc limit 1) returning id`)
    return rows[0]!.id
  }, server!.folder)

test('on a desk no list of the office scrolls sideways, and each of its rows is one line', async ({
  arrive,
  onPhone,
}) => {
  test.skip(onPhone, 'A phone has cards.')
  const id = await lateVisit()
  const page = await arrive({ baseURL: server!.origin })
  await entersAs(page, 'gerente@demo.mx')
  for (const [width, height] of desks) {
    await page.setViewportSize({ width, height })
    for (const path of lists) {
      const { beside, highest } = await measured(page, path)
      expect([path, width, beside]).toEqual([path, width, 0])
      expect(highest, `${path} at ${width}`).toBeLessThanOrEqual(ROW)
    }
    // A late row holds a second badge, and the call to its person.
    await page.goto('/admin/appointments-pending?view=tarde')
    const row = page.getByRole('row').filter({ has: page.locator(`a.row-link[href*="${id}"]`) })
    for (const part of [row.getByText(/ tarde$/), row.getByRole('link', { name: /^Llamar a / })]) {
      const [inner, outer] = [await part.boundingBox(), await row.boundingBox()]
      expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width)
    }
  }
})

test('on a phone no list scrolls sideways, and its cards are ticked one by one and all at once', async ({
  arrive,
  onPhone,
}) => {
  test.skip(!onPhone, 'A desk has rows.')
  const page = await arrive({ baseURL: server!.origin })
  await entersAs(page, 'gerente@demo.mx')
  for (const path of lists) expect([path, (await measured(page, path)).beside]).toEqual([path, 0])
  await page.goto('/admin/appointments-pending')
  const boxes = page.getByRole('checkbox', { name: /^Marcar [A-Z]/ })
  await boxes.first().check()
  await expect(page.getByText('1 marcada')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Marcar toda la página' }).check()
  await expect(page.getByText(`${await boxes.count()} marcadas`)).toBeVisible()
  await findsNothing(page, 'cards that are ticked')
})

test('a line of stages that was scrolled before scripts ran stays, also when the page refreshes', async ({
  arrive,
  onPhone,
}) => {
  test.skip(!onPhone, 'A desk has room for all of them.')
  const page = await arrive({ baseURL: server!.origin })
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/clients')
  const stages = page.getByRole('navigation', { name: 'Etapas' })
  const scrolled = () => stages.evaluate((line) => line.scrollLeft)
  const first = await stages.getByRole('link').first().getAttribute('href')
  let before = 0
  await openSlowly(page, first!, async () => {
    await stages.getByRole('link').last().scrollIntoViewIfNeeded()
    before = await scrolled()
  })
  await isHeld(stages)
  await isRefreshed(page, server!.folder)
  expect(before).toBeGreaterThan(0)
  expect(await scrolled()).toBe(before)
})
