import type { Locator } from '@playwright/test'
import { addDays } from '../src/shared/calendar.ts'
import { blockOf, expectAllInSight, openBoard, openDay, rowOf, trayOf, widthOf } from './kit/board.ts'
import { withDatabase } from './kit/database.ts'
import { exact, follow, headingIn, itemWith, linkIn, press, reads, regionIn, visitAs } from './kit/parts.ts'
import { isTakenOver } from './kit/steps.ts'
import type { Team } from './kit/team.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a manager moves a visit on the board by keyboard, and needs a reason outside the shift', async ({
  page,
  team,
}) => {
  const { colleague, folios, name } = team
  await openBoard(page, team)
  await expect(rowOf(page, name)).toContainText('1 cita')
  const block = blockOf(page, folios[0])
  await expect(block).toContainText('Asignada')
  await block.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(folios[0])
  await page.keyboard.press('Escape')
  await expect(block).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(linkIn(dialog, '551 234 56 78')).toBeVisible()
  await dialog.getByRole('radio', { name: new RegExp(colleague) }).check()
  await reads(dialog, 'Puede tomarla')
  await dialog.getByLabel('Hora', { exact: true }).selectOption('5:30 p.\u00a0m.')
  await expect(dialog.getByRole('paragraph').filter({ hasText: 'Queda fuera de su turno' })).toBeVisible()
  await press(dialog, 'Mover y avisar')
  await expect(dialog.getByLabel(/¿Por qué/)).toBeFocused()
  await dialog.getByLabel('Hora', { exact: true }).selectOption('12:00 p.\u00a0m.')
  await press(dialog, 'Mover y avisar')
  await expectToast(page, 'Cita movida')
  await expect(dialog).toBeHidden()
  await expect(linkIn(rowOf(page, colleague), /12:00 p\. m\. a 1:00 p\. m\./)).toBeFocused()
})

test('a manager drags a visit to a technician who can take it, not to one who cannot', async ({
  page,
  team,
  onPhone,
}) => {
  test.skip(onPhone, 'Lanes along the hours stand on a desk; a phone lists each day and opens the panel.')
  const { colleague, folios, name } = team
  await openBoard(page, team)
  const block = blockOf(page, folios[0])
  const hint = page.getByRole('status').filter({ hasText: 'a. m.' })
  /** Away from the edges, where a carried block goes on scrolling. */
  const centred = async (on: Locator) => {
    await on.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
    return (await on.boundingBox())!
  }
  /** Takes the block up and carries it over the colleague's lane, scrolled to on the way; answers where it is then. */
  const carry = async () => {
    const from = await centred(block)
    await page.mouse.move(from.x + 20, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, from.y + 40, { steps: 4 })
    const { y } = await centred(rowOf(page, colleague).getByRole('heading'))
    await page.mouse.move(from.x + 22, y + 20, { steps: 8 })
    await expect(hint).toContainText(colleague)
    await expect(hint).toContainText('Puede tomarla')
    return from
  }
  const { x } = await carry()
  const { y } = await centred(headingIn(page.locator('[data-board]'), 'Teresa Demo'))
  await page.mouse.move(x + 22, y + 20, { steps: 8 })
  await expect(hint).toContainText('No atiende esta zona')
  await page.keyboard.press('Escape')
  await expect(hint).toBeHidden()
  await page.mouse.up()
  await expect(linkIn(rowOf(page, name), new RegExp(folios[0]))).toBeVisible()
  await carry()
  await page.mouse.up()
  await expectToast(page, 'Cita movida')
  await expect(linkIn(rowOf(page, colleague), new RegExp(folios[0]))).toBeVisible()
  // Its toast is gone, and its panel still undoes it.
  await press(page, 'Cerrar aviso')
  await block.click()
  const panel = page.getByRole('dialog')
  await expect(panel).toContainText('Puedes deshacerlo todavía')
  await press(panel, 'Deshacer')
  await expectToast(page, 'Lo deshicimos')
  await expect(linkIn(rowOf(page, name), new RegExp(folios[0]))).toBeVisible()
})

test('a manager sees twelve technicians on one screen and drags a waiting visit to one', async ({
  arrive,
  day: { date, people, waiting },
}) => {
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
  const from = (await linkIn(trayOf(page), new RegExp(waiting[0]!)).boundingBox())!
  const free = people.at(-2)!
  const row = page.getByRole('listitem').filter({ has: headingIn(page, free.name) })
  const lane = (await row.locator('[data-lane]').boundingBox())!
  await isTakenOver(page)
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(lane.x + lane.width * (2.2 / 9), lane.y + 28, { steps: 12 })
  await expect(page.getByRole('status').filter({ hasText: free.name })).toContainText('11:00 a. m.')
  await page.mouse.up()
  await expectToast(page, 'Cita movida')
  await expect(linkIn(row, new RegExp(waiting[0]!))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`dia=${date}`))
})

/** Both of a team's visits on one day that no other test plans, not confirmed, with the same person. */
async function oneForTwo({ days, folios }: Team) {
  const later = 14
  await withDatabase((client) =>
    client.query(
      `update appointments set state = 'requested', confirmed_at = null,
         starts_at = starts_at + make_interval(days => $2 - (folio = $3)::int, hours => 3 * (folio = $3)::int)
       where folio = any($1)`,
      [folios, later, folios[1]],
    ),
  )
  return addDays(days[0], later)
}

test('a manager optimizes a day, compares it with before and applies it', async ({ page, team }) => {
  const { folios, name } = team
  const date = await oneForTwo(team)
  await visitAs(page, 'gerente@demo.mx', `/admin/assignations?dia=${date}&zona=milpa-alta`)
  await follow(page, 'Optimizar el día')
  await reads(page, '2 citas pueden cambiar de persona')
  await expect(page.getByText('Óptimo')).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('#contenido')).toBeFocused()
  await expect(itemWith(page, 'Pasa a')).not.toHaveCount(0)
  await follow(page, 'Antes', exact)
  await expect(page.getByText(`Antes con ${name}`)).toHaveCount(0)
  await follow(page, 'Después', exact)
  await expect(page.getByText(`Antes con ${name}`).first()).toBeAttached()
  await page.getByText('1 cita cambia de persona').click()
  const moved = page.getByRole('table', { name: 'Citas que cambian de persona' }).getByRole('row').last()
  await expect(moved).toContainText(name)
  await expect(page.getByRole('listitem').filter({ has: headingIn(page, name) })).toContainText('2 → 1 cita')
  const folio = (await moved.textContent())?.includes(folios[0]) ? folios[0] : folios[1]
  await press(page, 'Aplicar y confirmar 2 citas')
  await expectToast(page, '2 citas asignadas')
  await expect(page).toHaveURL(new RegExp(`assignations\\?dia=${date}&zona=milpa-alta`))
  await expect(regionIn(page, 'Por asignar')).not.toContainText(folio)
  await expect(linkIn(page.locator('[data-board]'), new RegExp(folio))).toContainText('Asignada')
})
