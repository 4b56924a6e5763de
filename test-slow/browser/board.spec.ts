import { blockOf, expectAllInSight, openBoard, openDay, rowOf, trayOf, widthOf } from '../../e2e/kit/board.ts'
import { buttonIn, exact, fingerOn, follow, isAt, itemWith, linkIn, regionIn } from '../../e2e/kit/parts.ts'
import { isTakenOver } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'

test('a manager drags a visit past the edge by a resting finger, and scrolls by a swipe', async ({
  arrive,
  team,
}) => {
  const page = await arrive({ hasTouch: true, viewport: { width: 1180, height: 420 } })
  const { colleague, folios } = team
  await openBoard(page, team)
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
  await expectToast(page, 'Cita movida')
  await expect(linkIn(rowOf(page, colleague), new RegExp(folios[0]))).toBeVisible()
  const from = await press()
  const before = await scrolled()
  for (const up of [10, 30, 60, 100]) await touch('touchMove', from.x, from.y - up)
  await touch('touchEnd')
  await expect.poll(scrolled).toBeGreaterThan(before)
  await expect(hint).toBeHidden()
})

test('a manager walks the board by arrows as one stop of Tab', async ({ page, day: { date, people } }) => {
  await openDay(page, date)
  const stops = page.locator('[data-roving] a').and(page.locator('[tabindex="0"]'))
  await isTakenOver(page)
  await expect(stops).toHaveCount(1)
  const rows = people.slice(0, 2).map(({ name }) => rowOf(page, name))
  const blocks = rows[0]!.locator('[data-block]')
  await blocks.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(blocks.nth(1)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(rows[0]!.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(blocks.last()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rows[1]!.locator('a:focus')).toHaveCount(1)
  await page.keyboard.press('ArrowUp')
  await expect(rows[0]!.locator('[data-block]:focus')).toHaveCount(1)
  await expect(stops).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-roving] a:focus')).toHaveCount(0)
  await page.keyboard.press('t')
  await expect(trayOf(page).getByRole('link').first()).toBeFocused()
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
  const map = regionIn(page, 'Mapa del día')
  const lane = page.locator('[data-lane]').last()
  const box = async (at: ReturnType<typeof trayOf>) => (await at.boundingBox())!
  const end = async (at: ReturnType<typeof trayOf>) => (await box(at)).x + (await box(at)).width
  await expectAllInSight(page, people)
  expect((await box(map)).x).toBeGreaterThanOrEqual(await end(lane))
  await isTakenOver(page)
  await buttonIn(page, 'Plegar el menú').click()
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
  expect((await linkIn(trayOf(page), new RegExp(waiting[0]!)).boundingBox())!.y).toBeGreaterThan(last.y)
  await page.goto(`/admin/assignations?dia=${date}&vista=semana`)
  expect(await widthOf(page)).toBe(1024)
})

test('a manager opens a stop on the map and brings a technician to the front', async ({
  page,
  day: { date, people },
}) => {
  await openDay(page, date)
  await follow(page, 'Mapa', exact)
  await isAt(page, /mapa=todos/)
  await isTakenOver(page)
  const map = regionIn(page, 'Mapa del día')
  const { name } = people[0]!
  const stop = linkIn(map, new RegExp(`1\\.ª visita de ${name}`))
  await expect(stop).toBeVisible()
  await expect(itemWith(map, name).first()).toContainText('15 min')
  expect(await widthOf(page)).toBe(page.viewportSize()!.width)
  const person = linkIn(map, new RegExp(`^${name}`))
  await person.click()
  await expect(person).toHaveAttribute('aria-current', 'true')
  await stop.click()
  await expect(page.getByRole('dialog')).toContainText(name)
  await expect(stop).toHaveAttribute('aria-current', 'true')
  await buttonIn(page, 'Cerrar', exact).click()
  await expect(stop).toBeFocused()
  await expect(stop).not.toHaveAttribute('aria-current')
})
