import type { Page } from '@playwright/test'
import type { Crew } from '../../e2e/kit/crew.ts'
import { entersAs, isTakenOver, toastOn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

/** The board of the day on which the test's technician has a visit. */
async function openBoard(page: Page, { days }: Crew) {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/assignations?dia=${days[0]}`)
  await isTakenOver(page)
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

const blockOf = (page: Page, folio: string) => page.getByRole('link', { name: new RegExp(folio) }).first()

test('a manager moves a visit to the next free slot by one click and undoes it', async ({ page, crew }) => {
  const { folios, name } = crew
  await openBoard(page, crew)
  await blockOf(page, folios[0]).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^Otro horario: /).click()
  await expect(dialog.getByRole('link', { name: 'Ver todo el calendario' })).toBeVisible()
  await dialog.getByRole('button', { name: new RegExp(`^Mover al .* con ${name}`) }).click()
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(toastOn(page, 'Lo deshicimos')).toBeVisible()
  await expect(rowOf(page, name).getByRole('link', { name: new RegExp(folios[0]) })).toBeVisible()
})

test('a manager drags a visit past the edge by a resting finger, and scrolls by a swipe', async ({
  arrive,
  crew,
}) => {
  const page = await arrive({ hasTouch: true, viewport: { width: 1180, height: 420 } })
  const { colleague, folios } = crew
  await openBoard(page, crew)
  const block = blockOf(page, folios[0])
  const hint = page.getByRole('status').filter({ hasText: 'a. m.' })
  const scrolled = () => page.evaluate(() => scrollY)
  const touch = await fingerOn(page)
  const press = async () => {
    await block.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const { x, y } = (await block.boundingBox())!
    await touch('touchStart', x + 20, y + 20)
    return { x: x + 20, y: y + 20 }
  }
  await block.tap()
  await expect(page.getByRole('dialog')).toContainText(folios[0])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  const { x, y } = await press()
  await expect(hint).toContainText('10:00 a. m.')
  const still = await scrolled()
  await touch('touchMove', x, 415)
  await expect.poll(scrolled).toBeGreaterThan(still)
  await touch('touchMove', x, y)
  const lane = rowOf(page, colleague).getByRole('heading')
  await lane.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  await touch('touchMove', x, (await lane.boundingBox())!.y + 8)
  await expect(hint).toContainText(colleague)
  await touch('touchEnd')
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  await expect(rowOf(page, colleague).getByRole('link', { name: new RegExp(folios[0]) })).toBeVisible()
  const from = await press()
  const before = await scrolled()
  for (const up of [10, 30, 60, 100]) await touch('touchMove', from.x, from.y - up)
  await touch('touchEnd')
  await expect.poll(scrolled).toBeGreaterThan(before)
  await expect(hint).toBeHidden()
})

/** Moves one finger as a touch screen tells of it. */
async function fingerOn(page: Page) {
  const screen = await page.context().newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

const trayOf = (page: Page) => page.getByRole('region', { name: 'Por asignar' })

async function openDay(page: Page, date: string) {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/assignations?dia=${date}&zona=milpa-alta`)
}

async function expectAllInSight(page: Page, people: readonly { name: string }[]) {
  const heads = page.locator('[data-board]').getByRole('heading', { level: 3 }).filter({ visible: true })
  for (const { name } of people) {
    const box = (await heads.filter({ hasText: name }).boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(900)
  }
}

test('a manager walks the board by arrows as one stop of Tab', async ({ page, day: { date, people } }) => {
  await openDay(page, date)
  const links = page.locator('[data-roving] a')
  const stops = links.and(page.locator('[tabindex="0"]'))
  await isTakenOver(page)
  await expect(stops).toHaveCount(1)
  const rowOf = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  const blocks = rowOf(people[0]!.name).locator('[data-block]')
  await blocks.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(blocks.nth(1)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(rowOf(people[0]!.name).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(blocks.last()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rowOf(people[1]!.name).locator('a:focus')).toHaveCount(1)
  await page.keyboard.press('ArrowUp')
  await expect(rowOf(people[0]!.name).locator('[data-block]:focus')).toHaveCount(1)
  await expect(stops).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-roving] a:focus')).toHaveCount(0)
  await page.keyboard.press('t')
  const tray = page.getByRole('region', { name: 'Por asignar' })
  await expect(tray.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('b')
  await expect(page.locator('[data-roving] a:focus')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('a manager sees twelve technicians on one screen with the map open', async ({
  arrive,
  day: { date, people },
}) => {
  const page = await arrive({ viewport: { width: 1440, height: 900 } })
  await openDay(page, `${date}&mapa=todos`)
  const map = page.getByRole('region', { name: 'Mapa del día' })
  const lane = page.locator('[data-lane]').last()
  const box = async (at: ReturnType<typeof trayOf>) => (await at.boundingBox())!
  const end = async (at: ReturnType<typeof trayOf>) => (await box(at)).x + (await box(at)).width
  await expectAllInSight(page, people)
  expect((await box(map)).x).toBeGreaterThanOrEqual(await end(lane))
  await isTakenOver(page)
  await page.getByRole('button', { name: 'Plegar el menú' }).click()
  await expect.poll(async () => (await box(trayOf(page))).x).toBeGreaterThanOrEqual(await end(lane))
  expect((await box(map)).x).toBeGreaterThanOrEqual(await end(trayOf(page)))
  await expectAllInSight(page, people)
  expect(await widthOf(page)).toBe(1440)
})

test('a manager at 1024 pixels scrolls nothing sideways', async ({ arrive, day: { date, waiting } }) => {
  const page = await arrive({ viewport: { width: 1024, height: 768 } })
  await openDay(page, date)
  expect(await widthOf(page)).toBe(1024)
  const last = (await page.locator('[data-lane]').last().boundingBox())!
  const card = trayOf(page).getByRole('link', { name: new RegExp(waiting[0]!) })
  expect((await card.boundingBox())!.y).toBeGreaterThan(last.y)
  await page.goto(`/admin/assignations?dia=${date}&vista=semana`)
  expect(await widthOf(page)).toBe(1024)
})

test('a manager opens a stop on the map and brings a technician to the front', async ({
  page,
  day: { date, people },
}) => {
  await openDay(page, date)
  await page.getByRole('link', { name: 'Mapa', exact: true }).click()
  await expect(page).toHaveURL(/mapa=todos/)
  await isTakenOver(page)
  const map = page.getByRole('region', { name: 'Mapa del día' })
  const { name } = people[0]!
  await expect(map.getByRole('link', { name: new RegExp(`1\\.ª visita de ${name}`) })).toBeVisible()
  await expect(map.getByRole('listitem').filter({ hasText: name }).first()).toContainText('15 min')
  expect(await widthOf(page)).toBe(page.viewportSize()!.width)
  await map.getByRole('link', { name: new RegExp(`^${name}`) }).click()
  await expect(map.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await map.getByRole('link', { name: new RegExp(`1\\.ª visita de ${name}`) }).click()
  await expect(page.getByRole('dialog')).toContainText(name)
  const stop = map.getByRole('link', { name: new RegExp(`1\\.ª visita de ${name}`) })
  await expect(stop).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await expect(stop).toBeFocused()
  await expect(stop).not.toHaveAttribute('aria-current')
})
