import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { endSessionsOf, withDatabase } from './kit/database.ts'
import {
  buttonIn,
  exact,
  fillForm,
  follow,
  isAt,
  isTitled,
  itemWith,
  linkIn,
  press,
  reads,
  regionIn,
  showsError,
  showsValue,
} from './kit/parts.ts'
import {
  dayOf,
  entersAs,
  findsStreet,
  keepsWords,
  kept,
  newCustomer,
  newPerson,
  openDay,
  password,
  signIn,
  toastOn,
  typesStreet,
} from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a customer signs in, uses the menu and books a visit by keyboard', async ({ arrive }, info) => {
  const email = await newCustomer(await arrive())
  const page = await arrive()
  await signsIn(page, email)
  await usesTheSheet(page)
  await tabTo(page, linkIn(page, 'Agendar visita'))
  await page.keyboard.press('Enter')
  await isTitled(page, '¿Cuándo te visitamos?')
  await chooses(page, dayOf('keyboard', info.project.name))
  await tabTo(page, buttonIn(page, 'Agendar visita'))
  await page.keyboard.press('Enter')
  await isAt(page, '/technics-visit?agendada')
  await tabTo(page, buttonIn(page, 'Avísame si se abre antes'))
  await page.keyboard.press('Enter')
  await expectToast(page, 'Te avisamos si se abre antes')
  await page.keyboard.press('F8')
  await expect(regionIn(page, 'Avisos (F8)').getByRole('list')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(toastOn(page, 'Te avisamos si se abre antes')).toBeHidden()
  await expect(page.locator('main :focus')).toBeVisible()
})

async function signsIn(page: Page, email: string) {
  await page.goto('/signin')
  await page.keyboard.press('Tab')
  await expect(linkIn(page, 'Saltar al contenido')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Correo electrónico')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await isTitled(page, 'Hola, Ana')
}

/** The sheet holds the focus, Escape closes it and gives the focus back; following a link closes it too. */
async function usesTheSheet(page: Page) {
  const opener = buttonIn(page, 'Abrir el menú')
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
  await tabTo(page, linkIn(sheet, 'Inicio'))
  await page.keyboard.press('Enter')
  await expect(sheet).toBeHidden()
}

async function chooses(page: Page, nth: number) {
  const day = linkIn(page, /horarios libres/).nth(nth)
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
    const turn = regionIn(page, 'Qué sigue')
    await expect(turn).toContainText(/^(Hoy|Mañana|El .+), (entre|a las?) .+(visit|Tu visita era)/)
    const action = turn.getByRole('link')
    await expect(action).toHaveCount(1)
    const box = (await action.boundingBox())!
    expect(box.y + box.height).toBeLessThan(size.height)
    for (const step of ['Registro', 'Visita técnica', 'Cotización', 'Anticipo', 'Instalación', 'Concluido'])
      await expect(itemWith(turn, step)).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
  }
  await regionIn(page, 'Prepárate').getByRole('link').first().click()
  await isAt(page, '/address?editar')
})

test('a customer out of area reads so at once and asks to be notified', { tag: '@plain' }, async ({
  page,
  javaScriptEnabled,
}) => {
  await newPerson(page)
  await page.goto('/agenda-technics-visit')
  await isAt(page, '/address?para=technical_visit')
  await reads(page, 'Para agendar tu visita necesitamos saber dónde es.')
  const code = page.getByLabel('Código postal', { exact: true })
  await code.fill('64000')
  if (!javaScriptEnabled) {
    await press(page, 'Guardar')
    await expect(code).toHaveAccessibleDescription(/Todavía no llegamos al 64000\./)
    await expect(page.getByText('Escribe la calle.')).toHaveCount(0)
  }
  await expect(page.getByText('Todavía no llegamos al 64000', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Calle', { exact: true })).toBeHidden()
  await expect(linkIn(page, 'Agendar asesoría')).toBeVisible()
  if (javaScriptEnabled) {
    await code.fill('04100')
    await reads(page, 'Sí llegamos a Coyoacán')
    await expect(page.getByLabel('Calle', { exact: true })).toBeVisible()
    await code.fill('64000')
  }
  await press(page, 'Avísame cuando lleguen')
  await expectToast(page, 'Te avisamos cuando lleguemos a tu zona')
  await page.goto('/')
  await expect(regionIn(page, 'Qué sigue')).toContainText('Todavía no llegamos a tu zona.')
  await follow(page, 'Corregir mi código postal')
  await isAt(page, '/address?editar')
  await expect(code).toHaveValue('64000')
})

/** Opens a row of a customer's account. */
const opens = (page: Page, row: string) => regionIn(page, row, exact).locator('summary').first().click()

test('a customer changes and downloads their data, is refused a deletion with a wrong password, and signs in by a passkey', async ({
  page,
}) => {
  const email = await newPerson(page)
  await page.goto('/cuenta')
  await isTitled(page, 'Mi cuenta')
  await expect(page.getByLabel('Teléfono')).toBeHidden()
  await opens(page, 'Tus datos')
  await page.getByLabel('Teléfono').fill('55 8765 4321')
  await press(page, 'Guardar', exact)
  await expectToast(page, 'Guardamos tus datos')
  await showsValue(page, 'Teléfono', '558 765 43 21')
  await opens(page, 'Correo y WhatsApp')
  await page.getByLabel('Quiero avisos de mis citas por WhatsApp').check()
  await press(page, 'Guardar avisos')
  await expectToast(page, 'Guardamos tus avisos')
  await expect(page.getByLabel('Quiero avisos de mis citas por WhatsApp')).toBeChecked()
  await opens(page, 'Mis datos')
  await follow(page, 'Ver mis datos', exact)
  await expect(regionIn(page, 'Cómo entras')).toContainText('Correo y contraseña')
  const [file] = await Promise.all([page.waitForEvent('download'), follow(page, 'Descargar (JSON)')])
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toHaveProperty('Tu cuenta')
  await opens(page, 'Calendario')
  await press(page, 'Crear enlace')
  const link = await page.getByText(/\/calendar\/feed\/[\w-]+\.ics$/).textContent()
  expect(await (await page.request.get(link!)).text()).toContain('BEGIN:VCALENDAR')
  await opens(page, 'Eliminar mi cuenta')
  await page.getByText('Quiero eliminar mi cuenta').click()
  const card = regionIn(page, 'Eliminar mi cuenta')
  await card.getByLabel('Tu contraseña').fill('no es esta')
  await press(card, 'Eliminar mi cuenta')
  await showsError(card, 'Tu contraseña', /La contraseña no es correcta\./)
  await card.getByLabel('Tu contraseña').fill(password)
  await press(card, 'Eliminar mi cuenta')
  await expect(card).toContainText('Tu cuenta se elimina el')
  await press(card, 'Conservar mi cuenta')
  await expectToast(page, 'Conservamos tu cuenta')
  await entersByPasskey(page, email, await addsPasskey(page))
})

/** A device in the browser that holds passkeys; answers whether its owner shows their finger. */
async function addsPasskey(page: Page) {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  const shown = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, ...shown },
  })
  await opens(page, 'Llaves de acceso')
  const card = regionIn(page, 'Llaves de acceso', exact)
  await card.getByText('Agregar una llave').click()
  await card.getByLabel('Tu contraseña').fill(password)
  await press(card, 'Agregar llave')
  await expectToast(page, 'Agregamos tu llave de acceso')
  await expect(card).toContainText('en Linux')
  return (enabled: boolean) =>
    device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
}

/** By the passkey that the box of the e-mail offers, and then after the password, as the second factor. */
async function entersByPasskey(page: Page, email: string, shows: (finger: boolean) => Promise<unknown>) {
  await withDatabase((client) =>
    client.query('update users set email_verified = true where email = $1', [email]),
  )
  await leaves(page)
  await isTitled(page, 'Hola, Ana')
  await page.goto('/cuenta')
  await opens(page, 'Segundo factor')
  const card = regionIn(page, 'Segundo factor', exact)
  await card.getByText('Activarlo con mi llave de acceso').click()
  await card.getByLabel('Tu contraseña').last().fill(password)
  await press(card, 'Activar con mi llave')
  await expect(regionIn(page, 'Códigos de recuperación').getByRole('listitem')).toHaveCount(10)
  await shows(false)
  await leaves(page)
  await expect(buttonIn(page, 'Entrar con llave de acceso')).toBeVisible()
  await fillForm(page, { 'Correo electrónico': email, Contraseña: password })
  await press(page, 'Iniciar sesión')
  await isTitled(page, 'Usa tu llave')
  await shows(true)
  await press(page, 'Usar mi llave de acceso')
  await isTitled(page, 'Hola, Ana')
}

async function leaves(page: Page) {
  // An open page of the account would go to /signin by itself, and come back.
  await page.goto('about:blank')
  await page.context().clearCookies({ name: 'carga.session_token' })
  await page.goto('/signin')
}

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
    await press(page, 'Agendar visita')
    await reads(page, offline)
    await expect(notes).toHaveValue('El timbre no sirve')
    await expect(hour).toBeChecked()
    await expect(buttonIn(page, 'Agendar visita')).not.toHaveAttribute('aria-disabled')
    // Pressed again, and led elsewhere, it still is there.
    await press(page, 'Agendar visita')
    await page.getByRole('main').getByRole('link').first().click()
    await expectToast(page, 'Sin señal')
    await reads(page, offline)
    await expect(notes).toHaveValue('El timbre no sirve')
    await page.context().setOffline(false)
    await isAt(page, '/technics-visit?agendada')
    expect(await bookingsOf(email)).toEqual([{ notes: 'El timbre no sirve' }])
    await expect.poll(() => kept(page)).toBeNull()
  })
})

test('a customer whose session ended elsewhere signs in again and finds what they typed', async ({
  page,
}) => {
  const email = await newCustomer(page)
  await typesStreet(page)
  await endSessionsOf(email)
  await expect(page).toHaveURL(/\/signin(\?|$)/, { timeout: 5_000 })
  await signIn(page, email, password)
  await findsStreet(page)
  await expectToast(page, 'Recuperamos lo que escribiste')
  await press(page, 'Guardar')
  await isAt(page, '/technics-visit')
  // The address changes a moment before the screen does.
  await expect.poll(() => kept(page)).toBeNull()
})
