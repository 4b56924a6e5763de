import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import type { Crew } from '../kit/crew.ts'
import { withDatabase } from '../kit/database.ts'
import { entersAs, isTakenOver, newCustomer, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

/** Where only the story's own crew goes. */
const away = { postalCode: '12000', colonia: 'Villa Milpa Alta' }

/** Presses what it is given, and counts. */
function pressing() {
  const pressed = { count: 0 }
  const press = async (what: Locator) => {
    pressed.count++
    await what.click()
  }
  return { press, pressed }
}

/** The hours of the story's own technician: the crews of other stories go to the same place, and leave meanwhile. */
function ofOwnCrew(page: Page, { id }: Pick<Crew, 'id'>) {
  const url = new URL(page.url())
  url.searchParams.set('con', id)
  return page.goto(url.href)
}

const idOf = (folio: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from appointments where folio = $1', [
      folio,
    ])
    return rows[0]!.id
  })

test('a visit is moved by three presses, and back by one', { tag: '@plain' }, async ({
  page,
  crew,
  javaScriptEnabled,
}) => {
  const { press, pressed } = pressing()
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/appointments-pending/${await idOf(crew.folios[0])}`)
  await press(page.getByRole('link', { name: 'Mover', exact: true }))
  await expect(page.getByRole('heading', { name: 'Mover la cita' })).toBeVisible()
  await expect(page.getByText('Ahora es el')).toContainText(crew.name)
  await ofOwnCrew(page, crew)
  await press(page.getByRole('group', { name: 'Tarde' }).getByRole('radio').first())
  if (javaScriptEnabled) {
    await expect(page.getByText('A Ana le avisamos de su nueva hora')).toBeVisible()
    await findsNothing(page, 'the calendar of a move')
  }
  await press(page.getByRole('button', { name: 'Mover y avisar' }))
  await expect(toastOn(page, 'Cita movida')).toBeVisible()
  expect(pressed.count).toBe(3)
  // The toast goes after five seconds; the page keeps the button.
  await press(page.getByRole('main').getByRole('button', { name: 'Deshacer' }).last())
  await expect(toastOn(page, 'Lo deshicimos')).toBeVisible()
  expect(pressed.count).toBe(4)
})

test('a known caller is booked and assigned by four presses from the board', { tag: '@plain' }, async ({
  page,
  arrive,
  crew,
  javaScriptEnabled,
}) => {
  const { press, pressed } = pressing()
  const email = await newCustomer(await arrive(), away)
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/assignations')
  await press(page.getByRole('link', { name: 'Nueva cita' }))
  await expect(page.getByLabel('Buscar a un cliente')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await press(page.getByRole('link', { name: /Ana Prueba/ }))
  await expect(page.getByRole('link', { name: 'Con quien pueda' })).toBeVisible()
  if (javaScriptEnabled) await findsNothing(page, 'the calendar of a booking')
  await ofOwnCrew(page, crew)
  await press(page.getByRole('radio').first())
  await press(page.getByRole('button', { name: 'Agendar y asignar' }))
  await expect(toastOn(page, 'La cita quedó agendada')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Asignada')
  await expect(page.getByRole('main')).toContainText(crew.name)
  expect(pressed.count).toBe(4)
})

test('a new caller: the postal code first, and six presses from the board', { tag: '@plain' }, async ({
  page,
  crew,
  javaScriptEnabled,
}) => {
  const { press, pressed } = pressing()
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/assignations')
  if (javaScriptEnabled) await isTakenOver(page)
  await press(page.getByRole('link', { name: 'Nueva cita' }))
  const phone = `55${String(Date.now()).slice(-8)}`
  await expect(page.getByLabel('Buscar a un cliente')).toBeFocused()
  // The last of the ten digits asks by itself.
  await page.keyboard.type(phone)
  if (!javaScriptEnabled) await page.keyboard.press('Enter')
  await expect(page.getByText('No encontramos a nadie')).toBeVisible()
  await page.getByLabel('Código postal').fill(away.postalCode)
  // Without a script the code is asked about by a press.
  if (!javaScriptEnabled) await page.getByRole('button', { name: '¿Llegamos?' }).click()
  await expect(page.getByText('Sí llegamos: Milpa Alta')).toBeVisible()
  await expect(page.getByLabel('Teléfono')).toHaveValue(phone)
  await page.getByLabel('Nombre', { exact: true }).fill('Rita')
  await page.getByLabel('Apellidos').fill('Llamas')
  await page.getByLabel('Correo electrónico').fill(`persona-${randomUUID()}@example.mx`)
  await page.getByLabel('Colonia').fill(away.colonia)
  await page.getByLabel('Calle', { exact: true }).fill('Londres')
  await page.getByLabel('Número exterior').fill('247')
  await page.getByLabel('Tipo de vivienda').selectOption('Casa')
  await page.getByLabel('Estacionamiento').selectOption('Propio techado')
  // Each choice of a list is as good as a press.
  pressed.count += 2
  if (javaScriptEnabled) await findsNothing(page, 'a new caller')
  await press(page.getByRole('button', { name: 'Registrar y elegir hora' }))
  await expect(page.getByRole('link', { name: 'Con quien pueda' })).toBeVisible()
  await ofOwnCrew(page, crew)
  await press(page.getByRole('radio').first())
  await press(page.getByRole('button', { name: 'Agendar y asignar' }))
  await expect(toastOn(page, 'La cita quedó agendada')).toBeVisible()
  expect(pressed.count).toBe(6)
})
