import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { endFullDay, fullDay } from '../kit/crew.ts'
import { entersAs, isTakenOver, toastOn } from '../kit/steps.ts'
import { expect, test as withWorld } from '../kit/world.ts'

type Day = { day: Awaited<ReturnType<typeof fullDay>> }

const test = withWorld.extend<Day>({
  day: async ({ browserName: _ }, use, { parallelIndex }) => {
    const day = await fullDay(parallelIndex)
    await use(day)
    await endFullDay(day)
  },
})

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)
const trayOf = (page: Page) => page.getByRole('region', { name: 'Por asignar' })

async function openDay(page: Page, date: string) {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/assignations?dia=${date}&zona=milpa-alta`)
}

async function expectAllInSight(page: Page, people: Day['day']['people']) {
  const heads = page.locator('[data-board]').getByRole('heading', { level: 3 }).filter({ visible: true })
  for (const { name } of people) {
    const box = (await heads.filter({ hasText: name }).boundingBox())!
    expect(box.y + box.height).toBeLessThanOrEqual(900)
  }
}

test('twelve people and twenty-eight visits stand on one screen; what waits is dragged from beside', {
  tag: '@once',
}, async ({ arrive, day: { date, people, waiting } }) => {
  const page = await arrive({ viewport: { width: 1440, height: 900 } })
  await openDay(page, date)
  await expectAllInSight(page, people)
  expect(await widthOf(page)).toBe(1440)
  for (const lane of await page.locator('[data-lane]').all())
    expect((await lane.boundingBox())!.height).toBe(56)
  const colourOf = (name: RegExp) =>
    page
      .locator('[data-block]')
      .filter({ hasText: name })
      .first()
      .evaluate((block) => getComputedStyle(block).backgroundColor)
  expect(await colourOf(/Instalación/)).not.toBe(await colourOf(/Visita técnica · Guadalupe/))
  const hours = page.locator('[data-lane-head]')
  await page.setViewportSize({ width: 1440, height: 400 })
  await page.evaluate(() => scrollTo(0, 400))
  await expect.poll(async () => (await hours.boundingBox())!.y).toBe(0)
  await page.evaluate(() => scrollTo(0, 0))
  await page.setViewportSize({ width: 1440, height: 900 })
  const figures = page.getByRole('list', { name: 'Cifras del día' })
  await expect(figures).toContainText('2 sin persona')
  await expect(figures).toContainText('4 por asignar')
  await findsNothing(page, 'a full board')

  const card = trayOf(page).getByRole('link', { name: new RegExp(waiting[0]!) })
  const from = (await card.boundingBox())!
  const free = people.at(-2)!
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: free.name }) })
  const lane = (await row.locator('[data-lane]').boundingBox())!
  await isTakenOver(page)
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(lane.x + lane.width * (2.2 / 9), lane.y + 28, { steps: 12 })
  await expect(page.getByRole('status').filter({ hasText: free.name })).toContainText('11:00 a. m.')
  await page.mouse.up()
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  await expect(row.getByRole('link', { name: new RegExp(waiting[0]!) })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`dia=${date}`))
})

test('by keys the board is one stop of Tab, and arrows walk its blocks; without scripts each link is one', {
  tag: ['@plain', '@once'],
}, async ({ page, day: { date, people }, javaScriptEnabled }) => {
  await openDay(page, date)
  const links = page.locator('[data-roving] a')
  const stops = links.and(page.locator('[tabindex="0"]'))
  if (!javaScriptEnabled) {
    await expect(links.and(page.locator('[tabindex]'))).toHaveCount(0)
    return
  }
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

test('with the map open twelve people stay on one screen; a folded sidebar leaves room for the tray too', {
  tag: '@once',
}, async ({ arrive, day: { date, people } }) => {
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

test('at 1024 pixels nothing scrolls sideways, and what waits stands under the board', {
  tag: '@once',
}, async ({ arrive, day: { date, waiting } }) => {
  const page = await arrive({ viewport: { width: 1024, height: 768 } })
  await openDay(page, date)
  expect(await widthOf(page)).toBe(1024)
  const last = (await page.locator('[data-lane]').last().boundingBox())!
  const card = trayOf(page).getByRole('link', { name: new RegExp(waiting[0]!) })
  expect((await card.boundingBox())!.y).toBeGreaterThan(last.y)
  await page.goto(`/admin/assignations?dia=${date}&vista=semana`)
  expect(await widthOf(page)).toBe(1024)
  await findsNothing(page, 'a week')
})

test('a filter applies by itself, or by its button; a day of the week opens; a visit says who can take it', {
  tag: ['@plain', '@once'],
}, async ({ page, day: { date, people, waiting }, javaScriptEnabled }) => {
  await openDay(page, date)
  if (javaScriptEnabled) await isTakenOver(page)
  await page.getByLabel('Servicio').selectOption('Instalación')
  if (!javaScriptEnabled) await page.getByRole('button', { name: 'Mostrar' }).last().click()
  await expect(page).toHaveURL(/service=installation/)
  await page.getByRole('link', { name: 'Semana', exact: true }).click()
  await expect(page).toHaveURL(/vista=semana/)
  await page.locator(`a[href*="dia=${date}"]:visible`).filter({ hasText: 'cita' }).first().click()
  await expect(page).not.toHaveURL(/vista=semana/)

  await page.goto(`/admin/assignations?dia=${date}&zona=milpa-alta`)
  if (javaScriptEnabled) await isTakenOver(page)
  await trayOf(page)
    .getByRole('link', { name: new RegExp(waiting[0]!) })
    .click()
  const shown = javaScriptEnabled ? page.getByRole('dialog') : page.getByRole('main')
  await expect(shown.getByText('Historial').or(shown.getByText('Rita')).first()).toBeVisible()
  const able = shown.getByRole('radio', { name: new RegExp(people.at(-2)!.name) })
  await able.check()
  await shown.getByRole('button', { name: 'Confirmar asignación' }).click()
  await expect(page).toHaveURL(new RegExp(`dia=${date}`))
  await expect(trayOf(page).getByRole('link', { name: new RegExp(waiting[0]!) })).toHaveCount(0)
})

test('a map beside the day shows each way; a stop opens as its block does, a person comes to the front', {
  tag: '@plain',
}, async ({ page, day: { date, people }, javaScriptEnabled }) => {
  await openDay(page, date)
  await page.getByRole('link', { name: 'Mapa', exact: true }).click()
  await expect(page).toHaveURL(/mapa=todos/)
  if (javaScriptEnabled) await isTakenOver(page)
  const map = page.getByRole('region', { name: 'Mapa del día' })
  const { id, name } = people[0]!
  await expect(map.getByRole('link', { name: new RegExp(`1\\.ª visita de ${name}`) })).toBeVisible()
  await expect(map.getByRole('listitem').filter({ hasText: name }).first()).toContainText('15 min')
  expect(await widthOf(page)).toBe(page.viewportSize()!.width)
  if (javaScriptEnabled) await findsNothing(page, 'a map')

  await map.getByRole('link', { name: new RegExp(`^${name}`) }).click()
  await expect(map.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveAttribute(
    'aria-current',
    'true',
  )
  if (!javaScriptEnabled) await expect(page).toHaveURL(new RegExp(`mapa=${id}`))
  if (javaScriptEnabled) await findsNothing(page, 'a map with one person in front')

  await map.getByRole('link', { name: new RegExp(`1\\.ª visita de ${name}`) }).click()
  if (!javaScriptEnabled)
    return expect(page.getByRole('button', { name: 'Confirmar asignación' })).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText(name)
  const stop = map.getByRole('link', { name: new RegExp(`1\\.ª visita de ${name}`) })
  await expect(stop).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Cerrar', exact: true }).click()
  await expect(stop).toBeFocused()
  await expect(stop).not.toHaveAttribute('aria-current')
})
