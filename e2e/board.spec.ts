import type { Page } from '@playwright/test'
import { findsNothing } from './axe.ts'
import { type Crew, newCrew, onlyAnotherTime } from './crew.ts'
import { newCustomer, signIn, toastOn } from './steps.ts'
import { expect, test } from './world.ts'

/** The board of the day on which the story's technician has a visit. */
async function openBoard(page: Page): Promise<Crew> {
  const crew = await newCrew()
  await signIn(page, 'gerente@demo.mx')
  await page.goto(`/admin/assignations?dia=${crew.days[0]}`)
  return crew
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const blockOf = (page: Page, folio: string) => page.getByRole('link', { name: new RegExp(folio) }).first()

test('a block is given another person and another time by keyboard, judged before it is sent', async ({
  page,
}) => {
  const { colleague, folios, name } = await openBoard(page)
  await expect(rowOf(page, name)).toContainText('1 cita')
  await findsNothing(page, 'the board')
  const block = blockOf(page, folios[0])
  await expect(block).toContainText('Asignada')
  await block.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(folios[0])
  await dialog.getByLabel('Persona').selectOption({ label: colleague })
  await expect(dialog.getByText('Puede tomarla')).toBeVisible()
  await dialog.getByLabel('Hora').selectOption('5:30 p. m.')
  await expect(dialog.getByRole('paragraph').filter({ hasText: 'Queda fuera de su turno' })).toBeVisible()
  await findsNothing(page, 'the dialog')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(dialog.getByLabel(/¿Por qué/)).toBeFocused()
  await dialog.getByLabel('Hora').selectOption('12:00 p. m.')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(
    rowOf(page, colleague).getByRole('link', { name: /12:00 p\. m\. a 1:00 p\. m\./ }),
  ).toBeVisible()
})

test('a block is dragged: what nobody may do is said and left, what can be done is done', async ({
  page,
  onPhone,
}) => {
  test.skip(onPhone, 'Lanes along the hours stand on a desk; a phone lists each day and opens the dialog.')
  const { colleague, folios, name } = await openBoard(page)
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
})

test('somebody can’t come: the customer is offered another time, takes it, and the manager sees it', async ({
  arrive,
  page: manager,
}) => {
  const customer = await arrive()
  const email = await newCustomer(customer, { postalCode: '12000', colonia: 'Villa Milpa Alta' })
  const crew = await newCrew()
  await onlyAnotherTime(crew, email)
  await signIn(manager, 'gerente@demo.mx')
  await manager.goto(`/admin/assignations/ausencia?persona=${crew.id}&dia=${crew.days[0]}`)
  await manager
    .getByRole('radio', { name: /Proponer/ })
    .first()
    .check()
  await findsNothing(manager, 'an absence')
  await manager.getByRole('button', { name: 'Confirmar todo y avisar' }).click()
  await expect(toastOn(manager, 'Ausencia registrada')).toBeVisible()
  await expect(manager.getByRole('row').filter({ hasText: crew.folios[0] })).toContainText('Enviada')
  await findsNothing(manager, 'the offers')

  await customer.goto('/technics-visit')
  await expect(customer.getByRole('heading', { name: 'Te proponemos otro horario' })).toBeVisible()
  await findsNothing(customer, 'an offer')
  await customer.getByRole('button', { name: 'Aceptar' }).click()
  await expect(toastOn(customer, 'Tu cita ya tiene su nuevo horario')).toBeVisible()
  await expect(manager.getByRole('row').filter({ hasText: crew.folios[0] })).toContainText('Aceptada')
})
