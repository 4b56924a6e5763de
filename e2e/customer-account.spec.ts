import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { endSessionsOf, withDatabase } from './kit/database.ts'
import {
  completeProfile,
  dayOf,
  entersAs,
  isSought,
  keepsWords,
  kept,
  newCustomer,
  newPerson,
  openDay,
  openMenu,
  password,
  signIn,
  signUp,
  toastOn,
} from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a customer signs in, uses the menu and books a visit by keyboard', async ({ arrive }, info) => {
  const email = await newCustomer(await arrive())
  const page = await arrive()
  await signsIn(page, email)
  await usesTheSheet(page)
  await tabTo(page, page.getByRole('link', { name: 'Agendar visita' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('¿Cuándo te visitamos?')
  await chooses(page, dayOf('keyboard', info.project.name))
  await tabTo(page, page.getByRole('button', { name: 'Agendar visita' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/technics-visit?agendada')
  await tabTo(page, page.getByRole('button', { name: 'Avísame si se abre antes' }))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Te avisamos si se abre antes')
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: 'Avisos (F8)' }).getByRole('list')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(toastOn(page, 'Te avisamos si se abre antes')).toBeHidden()
})

async function signsIn(page: Page, email: string) {
  await page.goto('/signin')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Correo electrónico')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hola, Ana')
}

/** The sheet holds the focus, Escape closes it and gives the focus back; following a link closes it too. */
async function usesTheSheet(page: Page) {
  const opener = page.getByRole('button', { name: 'Abrir el menú' })
  await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Menú' })
  await expect(sheet).toBeVisible()
  const stops = await sheet.locator('a[href], button').count()
  for (let stop = 0; stop <= stops; stop += 1) {
    await expect(sheet.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, sheet.getByRole('link', { name: 'Inicio' }))
  await page.keyboard.press('Enter')
  await expect(sheet).toBeHidden()
}

async function chooses(page: Page, nth: number) {
  const day = page.getByRole('link', { name: /horarios libres/ }).nth(nth)
  await tabTo(page, day)
  await page.keyboard.press('Enter')
  await expect(day).toHaveAttribute('aria-current', 'date')
  const slots = page.getByRole('radio')
  await tabTo(page, slots.first())
  await page.keyboard.press('Space')
  await expect(slots.first()).toBeChecked()
  await page.keyboard.press('ArrowRight')
  await expect(slots.nth(1)).toBeChecked()
  await expect(slots.nth(1)).toBeFocused()
}

/** Presses Tab until it is there, and sees that the place of the focus shows. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reaches ${target}`)
}

const sizes = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]

/** One sentence, its one action in sight, and every step by its name. */
test('a customer reads on their home what comes next, on a phone and on a desk', async ({ page }) => {
  await entersAs(page, 'cliente2@demo.mx')
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.goto('/')
    const turn = page.getByRole('region', { name: 'Qué sigue' })
    await expect(turn).toContainText(/^(Hoy|Mañana|El .+), (entre|a las?) .+(visit|Tu visita era)/)
    const action = turn.getByRole('link')
    await expect(action).toHaveCount(1)
    const box = (await action.boundingBox())!
    expect(box.y + box.height).toBeLessThan(size.height)
    for (const step of ['Registro', 'Visita técnica', 'Cotización', 'Anticipo', 'Instalación', 'Concluido'])
      await expect(turn.getByRole('listitem').filter({ hasText: step })).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
  }
  await page.getByRole('region', { name: 'Prepárate' }).getByRole('link').first().click()
  await expect(page).toHaveURL('/address?editar')
})

test('a customer out of area reads so at once and asks to be notified', { tag: '@plain' }, async ({
  page,
  javaScriptEnabled,
}) => {
  await newPerson(page)
  await page.goto('/agenda-technics-visit')
  await expect(page).toHaveURL('/address?para=technical_visit')
  await expect(page.getByText('Para agendar tu visita necesitamos saber dónde es.')).toBeVisible()
  const code = page.getByLabel('Código postal', { exact: true })
  await code.fill('64000')
  if (!javaScriptEnabled) {
    await page.getByRole('button', { name: 'Guardar' }).click()
    await expect(code).toHaveAccessibleDescription(/Todavía no llegamos al 64000\./)
    await expect(page.getByText('Escribe la calle.')).toHaveCount(0)
  }
  await expect(page.getByText('Todavía no llegamos al 64000', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Calle', { exact: true })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Agendar asesoría' })).toBeVisible()
  if (javaScriptEnabled) {
    await code.fill('04100')
    await expect(page.getByText('Sí llegamos a Coyoacán')).toBeVisible()
    await expect(page.getByLabel('Calle', { exact: true })).toBeVisible()
    await code.fill('64000')
  }
  await page.getByRole('button', { name: 'Avísame cuando lleguen' }).click()
  await expectToast(page, 'Te avisamos cuando lleguemos a tu zona')
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Qué sigue' })).toContainText(
    'Todavía no llegamos a tu zona.',
  )
  await page.getByRole('link', { name: 'Corregir mi código postal' }).click()
  await expect(page).toHaveURL('/address?editar')
  await expect(code).toHaveValue('64000')
})

test('a customer with a wrong profile and address reads each error and keeps what was typed', async ({
  page,
}) => {
  await signUp(page)
  await page.getByLabel('Nombre').fill('Ana')
  await page.getByLabel('Teléfono').fill('123')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await isSought(page, page.getByLabel('Apellidos'))
  await expect(page.getByLabel('Apellidos')).toHaveAccessibleDescription(/Escribe tus apellidos\./)
  await expect(page.getByLabel('Teléfono')).toHaveAccessibleDescription(/10 dígitos de tu teléfono/)
  await expect(page.getByLabel('Nombre')).toHaveValue('Ana')
  await completeProfile(page, 'Ana', 'Prueba')
  await page.goto('/address')
  await page.getByLabel('Código postal', { exact: true }).fill('031')
  await page.getByLabel('Calle', { exact: true }).fill('Londres')
  await page.getByLabel('Tipo de vivienda').selectOption('Departamento')
  await page.getByRole('button', { name: 'Guardar' }).click()
  const postalCode = page.getByLabel('Código postal', { exact: true })
  await isSought(page, postalCode)
  await expect(postalCode).toHaveAccessibleDescription(/El código postal tiene 5 dígitos\./)
  await expect(postalCode).toHaveValue('031')
  await expect(page.getByLabel('Calle', { exact: true })).toHaveValue('Londres')
  await expect(page.getByLabel('Tipo de vivienda')).toHaveValue('apartment')
  await expect(page.getByLabel('Estacionamiento')).toHaveAccessibleDescription(
    /Elige el tipo de estacionamiento\./,
  )
})

/** Opens a row of a customer's account. */
const opens = (page: Page, row: string) =>
  page.getByRole('region', { name: row, exact: true }).locator('summary').first().click()

test('a customer changes and downloads their data, and is refused a deletion with a wrong password', async ({
  page,
}) => {
  await newPerson(page)
  await page.goto('/cuenta')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mi cuenta')
  await expect(page.getByLabel('Teléfono')).toBeHidden()
  await opens(page, 'Tus datos')
  await page.getByLabel('Teléfono').fill('55 8765 4321')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expectToast(page, 'Guardamos tus datos')
  await expect(page.getByLabel('Teléfono')).toHaveValue('558 765 43 21')
  await opens(page, 'Correo y WhatsApp')
  await page.getByLabel('Quiero avisos de mis citas por WhatsApp').check()
  await page.getByRole('button', { name: 'Guardar avisos' }).click()
  await expectToast(page, 'Guardamos tus avisos')
  await expect(page.getByLabel('Quiero avisos de mis citas por WhatsApp')).toBeChecked()
  await opens(page, 'Mis datos')
  await page.getByRole('link', { name: 'Ver mis datos', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Cómo entras' })).toContainText('Correo y contraseña')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Descargar (JSON)' }).click(),
  ])
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toHaveProperty('Tu cuenta')
  await opens(page, 'Calendario')
  await page.getByRole('button', { name: 'Crear enlace' }).click()
  const link = await page.getByText(/\/calendar\/feed\/[\w-]+\.ics$/).textContent()
  expect(await (await page.request.get(link!)).text()).toContain('BEGIN:VCALENDAR')
  await opens(page, 'Eliminar mi cuenta')
  await page.getByText('Quiero eliminar mi cuenta').click()
  const card = page.getByRole('region', { name: 'Eliminar mi cuenta' })
  await card.getByLabel('Tu contraseña').fill('no es esta')
  await card.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await expect(card.getByLabel('Tu contraseña')).toHaveAccessibleDescription(/La contraseña no es correcta\./)
  await card.getByLabel('Tu contraseña').fill(password)
  await card.getByRole('button', { name: 'Eliminar mi cuenta' }).click()
  await expect(card).toContainText('Tu cuenta se elimina el')
  await card.getByRole('button', { name: 'Conservar mi cuenta' }).click()
  await expectToast(page, 'Conservamos tu cuenta')
})

test('a customer follows the menu, which marks the open screen', async ({ page, onPhone }) => {
  await entersAs(page, 'cliente@demo.mx')
  await page.goto('/agenda-technics-visit')
  const menu = await openMenu(page, onPhone)
  await expect(menu.locator('[aria-current]')).toHaveText(['Visita técnica'])
  await menu.getByRole('link', { name: 'Mi domicilio' }).click()
  await expect(page).toHaveURL('/address')
  await expect(page.getByRole('heading', { level: 1, name: 'Mi domicilio' })).toBeVisible()
  await expect((await openMenu(page, onPhone)).locator('[aria-current]')).toHaveText(['Mi domicilio'])
})

const offline = 'Sin señal. Guardamos lo que escribiste; lo enviamos cuando vuelva la señal.'

const bookingsOf = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query(
      `select notes from appointments a join users u on u.id = a.customer_id where u.email = $1`,
      [email],
    )
    return rows
  })

test.describe('without a network', () => {
  test.use({ losesNetwork: true })

  test('a customer who books without a network keeps the form and has one visit once it is back', async ({
    page,
  }) => {
    const email = await newCustomer(page)
    await openDay(page, dayOf('offline'))
    await keepsWords(page)
    const hour = page.getByRole('radio').first()
    await expect(hour).toBeEnabled()
    await hour.check({ force: true })
    const notes = page.getByLabel('Notas para el técnico')
    await notes.fill('El timbre no sirve')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Agendar visita' }).click()
    await expect(page.getByText(offline)).toBeVisible()
    await expect(notes).toHaveValue('El timbre no sirve')
    await expect(hour).toBeChecked()
    await expect(page.getByRole('button', { name: 'Agendar visita' })).not.toHaveAttribute('aria-disabled')
    // Pressed again, and led elsewhere, it still is there.
    await page.getByRole('button', { name: 'Agendar visita' }).click()
    await page.getByRole('main').getByRole('link').first().click()
    await expectToast(page, 'Sin señal')
    await expect(page.getByText(offline)).toBeVisible()
    await expect(notes).toHaveValue('El timbre no sirve')
    await page.context().setOffline(false)
    await expect(page).toHaveURL('/technics-visit?agendada')
    expect(await bookingsOf(email)).toEqual([{ notes: 'El timbre no sirve' }])
    await expect.poll(() => kept(page)).toBeNull()
  })
})

/** Writes the street of an address, without sending it. */
async function typeStreet(page: Page) {
  await page.goto('/address?editar')
  await page.getByLabel('Calle', { exact: true }).fill('Calle de los Olvidos')
  await page.getByLabel('Estacionamiento').selectOption('Compartido')
}

async function findsStreet(page: Page) {
  await expect(page).toHaveURL(/\/address\?editar=?$/)
  await expect(page.getByLabel('Calle', { exact: true })).toHaveValue('Calle de los Olvidos')
  await expect(page.getByLabel('Estacionamiento')).toHaveValue('shared')
}

test('a customer whose session ended elsewhere signs in again and finds what they typed', async ({
  page,
}) => {
  const email = await newCustomer(page)
  await typeStreet(page)
  await endSessionsOf(email)
  await expect(page).toHaveURL(/\/signin(\?|$)/, { timeout: 5_000 })
  await signIn(page, email, password)
  await findsStreet(page)
  await expectToast(page, 'Recuperamos lo que escribiste')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL('/technics-visit')
  // The address changes a moment before the screen does.
  await expect.poll(() => kept(page)).toBeNull()
})
