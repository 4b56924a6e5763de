import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { type Crew, onlyAnotherTime } from '../kit/crew.ts'
import { entersAs, isTakenOver, newCustomer, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

/** The board of the day on which the story's technician has a visit. */
async function openBoard(page: Page, { days }: Crew) {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/assignations?dia=${days[0]}`)
  await isTakenOver(page)
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const blockOf = (page: Page, folio: string) => page.getByRole('link', { name: new RegExp(folio) }).first()

test('a block is given another person and another time by keyboard, judged before it is sent', {
  tag: '@once',
}, async ({ page, crew }) => {
  const { colleague, folios, name } = crew
  await openBoard(page, crew)
  await expect(rowOf(page, name)).toContainText('1 cita')
  await findsNothing(page, 'the board')
  const block = blockOf(page, folios[0])
  await expect(block).toContainText('Asignada')
  await block.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(folios[0])
  await page.keyboard.press('Escape')
  await expect(block).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('link', { name: '551 234 56 78' })).toBeVisible()
  await dialog.getByRole('radio', { name: new RegExp(colleague) }).check()
  await expect(dialog.getByText('Puede tomarla')).toBeVisible()
  await dialog.getByLabel('Hora', { exact: true }).selectOption('5:30 p.\u00a0m.')
  await expect(dialog.getByRole('paragraph').filter({ hasText: 'Queda fuera de su turno' })).toBeVisible()
  await findsNothing(page, 'the panel')
  await dialog.getByRole('button', { name: 'Mover y avisar' }).click()
  await expect(dialog.getByLabel(/¿Por qué/)).toBeFocused()
  await dialog.getByLabel('Hora', { exact: true }).selectOption('12:00 p.\u00a0m.')
  await dialog.getByRole('button', { name: 'Mover y avisar' }).click()
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(
    rowOf(page, colleague).getByRole('link', { name: /12:00 p\. m\. a 1:00 p\. m\./ }),
  ).toBeFocused()
})

test('a block is moved from the panel to the next free slot of a person by one press', {
  tag: '@once',
}, async ({ page, crew }) => {
  const { folios, name } = crew
  await openBoard(page, crew)
  await blockOf(page, folios[0]).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^Otro horario: /).click()
  await expect(dialog.getByRole('link', { name: 'Ver todo el calendario' })).toBeVisible()
  await findsNothing(page, 'the next free slots')
  await dialog.getByRole('button', { name: new RegExp(`^Mover al .* con ${name}`) }).click()
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(toastOn(page, 'Lo deshicimos')).toBeVisible()
  await expect(rowOf(page, name).getByRole('link', { name: new RegExp(folios[0]) })).toBeVisible()
})

test('a block is dragged: what nobody may do is said and left, what can be done is done', async ({
  page,
  crew,
  onPhone,
}) => {
  test.skip(onPhone, 'Lanes along the hours stand on a desk; a phone lists each day and opens the panel.')
  const { colleague, folios, name } = crew
  await openBoard(page, crew)
  const block = blockOf(page, folios[0])
  const hint = page.getByRole('status').filter({ hasText: 'a. m.' })
  /** Takes the block up and carries it over the colleague's lane, scrolled to on the way; answers where it is then. */
  const carry = async () => {
    await block.scrollIntoViewIfNeeded()
    const from = (await block.boundingBox())!
    await page.mouse.move(from.x + 20, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(from.x + 20, from.y + 40, { steps: 4 })
    const row = rowOf(page, colleague).getByRole('heading')
    await row.scrollIntoViewIfNeeded()
    const { y } = (await row.boundingBox())!
    await page.mouse.move(from.x + 22, y + 20, { steps: 8 })
    await expect(hint).toContainText(colleague)
    return from
  }
  const { x } = await carry()
  await expect(hint).toContainText('Puede tomarla')
  const away = page.locator('[data-board]').getByRole('heading', { name: 'Teresa Demo' })
  await away.scrollIntoViewIfNeeded()
  await page.mouse.move(x + 22, (await away.boundingBox())!.y + 20, { steps: 8 })
  await expect(hint).toContainText('No atiende esta zona')
  await page.keyboard.press('Escape')
  await expect(hint).toBeHidden()
  await page.mouse.up()
  await expect(rowOf(page, name).getByRole('link', { name: new RegExp(folios[0]) })).toBeVisible()

  await carry()
  await page.mouse.up()
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  await expect(rowOf(page, colleague).getByRole('link', { name: new RegExp(folios[0]) })).toBeVisible()

  // Its toast is gone, and its panel still undoes it.
  await page.getByRole('button', { name: 'Cerrar aviso' }).click()
  await block.click()
  const panel = page.getByRole('dialog')
  await expect(panel).toContainText('Puedes deshacerlo todavía')
  await panel.getByRole('button', { name: 'Deshacer' }).click()
  await expect(toastOn(page, 'Lo deshicimos')).toBeVisible()
  await expect(rowOf(page, name).getByRole('link', { name: new RegExp(folios[0]) })).toBeVisible()
})

test('a finger that rests on a block carries it past the edge of the window; one that swipes scrolls', async ({
  arrive,
  crew,
  onPhone,
}) => {
  test.skip(onPhone, 'Lanes along the hours stand on a desk; a phone lists each day and opens the panel.')
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

test('several days away: what becomes of each day is seen before, and follows what is chosen', {
  tag: '@plain',
}, async ({ page, crew, javaScriptEnabled }) => {
  const { days, folios, id, name } = crew
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/assignations/ausencia?persona=${id}&dia=${days[0]}`)
  await page.getByLabel('Hasta', { exact: true }).fill(days[1])
  await page.getByRole('button', { name: 'Ver esos días' }).click()
  await expect(page.getByText('Tiene 2 citas esos días')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: /de 20\d\d$/ })).toHaveCount(2)
  await expect(page.getByText(/2 citas conservan su hora con otra persona/)).toBeVisible()
  if (javaScriptEnabled) {
    await findsNothing(page, 'an absence of several days')
    await page.getByText('Otras opciones').first().click()
    await page
      .getByRole('radio', { name: /Dejarla sin persona/ })
      .first()
      .check()
    await expect(page.getByText(/1 cita conserva su hora con otra persona/)).toBeVisible()
  }
  await page.getByRole('button', { name: 'Confirmar todo y avisar' }).click()
  await expect(toastOn(page, 'Ausencia registrada')).toBeVisible()
  await page.goto(`/admin/assignations?dia=${days[1]}&zona=milpa-alta`)
  await expect(blockOf(page, folios[1])).toContainText('Asignada')
  await expect(rowOf(page, name)).toContainText('Sin citas')
})

test('somebody can’t come: the customer is offered another time, takes it, and the manager sees it', {
  tag: '@once',
}, async ({ arrive, crew, page: manager }) => {
  const customer = await arrive()
  const email = await newCustomer(customer, { postalCode: '12000', colonia: 'Villa Milpa Alta' })
  await onlyAnotherTime(crew, email)
  await entersAs(manager, 'gerente@demo.mx')
  await manager.goto(`/admin/assignations/ausencia?persona=${crew.id}&dia=${crew.days[0]}`)
  await manager.getByText('Otras opciones').first().click()
  await manager
    .getByRole('radio', { name: /Proponer/ })
    .first()
    .check()
  await findsNothing(manager, 'an absence')
  await manager.getByRole('button', { name: 'Confirmar todo y avisar' }).click()
  await expect(toastOn(manager, 'Ausencia registrada')).toBeVisible()
  await expect(manager.locator('#contenido')).toBeFocused()
  await expect(manager.getByRole('row').filter({ hasText: crew.folios[0] })).toContainText('Sin respuesta')
  await findsNothing(manager, 'the offers')

  await customer.goto('/technics-visit')
  await expect(customer.getByRole('heading', { name: 'Te proponemos otro horario' })).toBeVisible()
  await findsNothing(customer, 'an offer')
  await customer.getByRole('button', { name: 'Aceptar' }).click()
  await expect(toastOn(customer, 'Tu cita ya tiene su nuevo horario')).toBeVisible()
  await expect(manager.getByRole('row').filter({ hasText: crew.folios[0] })).toContainText('Aceptada')
})
