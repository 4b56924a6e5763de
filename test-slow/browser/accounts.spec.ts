import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { becomesManager, withDatabase } from '../../e2e/kit/database.ts'
import { isSought, isTakenOver, newPerson, password, toastOn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { signInErrors } from '../../src/domain/accounts/sign-in-errors.ts'

const bits = (letter: string) =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')

/** The code an authenticator shows for a secret, `steps` of thirty seconds from now. */
function codeOf(secret: string, steps = 0): string {
  const bytes = [...secret]
    .map(bits)
    .join('')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  return String((digest.readUInt32BE(digest[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const secondFactor = (page: Page) => page.getByRole('region', { name: 'Segundo factor' })

/** A manager of this test's own; answers the e-mail. */
async function newManager(page: Page): Promise<string> {
  const email = await newPerson(page)
  await becomesManager(email)
  await page.goto('/admin/account')
  return email
}

/** Turns the second factor on from the secret that the page shows; answers it and the recovery codes. */
async function enrols(page: Page) {
  const card = secondFactor(page)
  await card.getByLabel('Tu contraseña').fill(password)
  await card.getByRole('button', { name: 'Activar' }).click()
  await expect(card.getByRole('img', { name: 'Código QR de tu segundo factor' })).toBeVisible()
  const secret = ((await card.locator('code').textContent()) ?? '').replace(/\s/g, '')
  await card.getByLabel('2. Escribe el código de 6 dígitos que muestra').fill(codeOf(secret))
  await card.getByRole('button', { name: 'Confirmar y activar' }).click()
  const shown = page.getByRole('region', { name: 'Códigos de recuperación' }).getByRole('listitem')
  await expect(shown).toHaveCount(10)
  return { secret, codes: await shown.allInnerTexts() }
}

/** The first half of a sign-in. */
async function givesPassword(page: Page, email: string) {
  await page.goto('/signin')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña').fill(password)
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Escribe tu código')
}

test('a manager still sees new recovery codes after the page refreshes', async ({ page, arrive }) => {
  const email = await newManager(page)
  const { codes } = await enrols(page)
  const other = await arrive()
  await givesPassword(other, email)
  await other.getByText('No tengo mi teléfono').click()
  await other.getByLabel('Código de recuperación').fill(codes[1]!)
  await other.getByRole('button', { name: 'Entrar con este código' }).click()
  await expect(other).toHaveURL('/admin')
  await other.goto('/admin/account')
  await other.getByRole('region', { name: 'Tus datos' }).getByLabel('Nombre').fill('Otro Nombre')
  await other.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(toastOn(other, 'Guardamos tus datos')).toBeVisible()
  await expect(page.getByLabel('Nombre')).toHaveValue('Otro Nombre')
  await expect(page.getByText(codes[2]!)).toBeVisible()
  await page.reload()
  await expect(page.getByText(codes[2]!)).toHaveCount(0)
})

/** A browser without a screen asks nobody, and a service on the internet gives out the address: this one does both by itself. */
const subscribesHere = (page: Page) =>
  page.addInitScript(() => {
    const keys = { p256dh: `B${'x'.repeat(86)}`, auth: 'y'.repeat(22) }
    const subscription = {
      toJSON: () => ({ endpoint: 'https://push.example/aqui', keys }),
      unsubscribe: async () => (given = false),
    }
    let given = false
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    const { prototype } = PushManager
    prototype.subscribe = async () => {
      given = true
      return subscription as unknown as PushSubscription
    }
    prototype.getSubscription = async () => (given ? (subscription as unknown as PushSubscription) : null)
  })

const devicesOf = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query(
      'select endpoint from push_subscriptions p join users u on u.id = p.user_id where u.email = $1',
      [email],
    )
    return rows.map(({ endpoint }) => endpoint)
  })

const card = (page: Page) => page.getByRole('region', { name: 'Avisos en este dispositivo' })

test('a customer turns device notifications on and off', async ({ page }) => {
  await subscribesHere(page)
  const email = await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  const turn = card(page).getByRole('switch', { name: 'Avisarme aquí' })
  await expect(turn).toHaveAttribute('aria-checked', 'false')
  await turn.click()
  await expect(turn).toHaveAttribute('aria-checked', 'true')
  await expect(toastOn(page, 'Activamos tus avisos')).toBeVisible()
  expect(await devicesOf(email)).toEqual(['https://push.example/aqui'])
  // Its worker is there, and controls no page.
  const isThere = () =>
    page.evaluate(async () => Boolean(await navigator.serviceWorker.getRegistration('/push/')))
  expect(await isThere()).toBe(true)
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  await turn.click()
  await expect(turn).toHaveAttribute('aria-checked', 'false')
  await expect.poll(() => devicesOf(email)).toEqual([])
})

test('a customer whose browser blocks device notifications reads how to allow them', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  await isTakenOver(page)
  await card(page).getByText('Los avisos están bloqueados').click()
  await expect(card(page).getByText('Permítelos para este sitio')).toBeVisible()
  await expect(card(page).getByRole('switch')).toHaveCount(0)
})

test('a customer who refuses device notifications reads how to allow them', async ({ page }) => {
  await page.addInitScript(() => {
    let permission: NotificationPermission = 'default'
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => {
      permission = 'denied'
      return permission
    }
  })
  await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  await card(page).getByRole('switch').click()
  await expect(card(page).getByRole('alert')).toBeFocused()
  await expect(card(page).getByText('Permítelos para este sitio')).toBeVisible()
})

test('a customer with a wrong field in a closed section sees the section open', async ({ page }) => {
  await newPerson(page)
  await page.goto('/address')
  await page.getByLabel('Código postal', { exact: true }).fill('52140')
  // With a script the code's answer opens it.
  await page.getByLabel('Mi domicilio sí está en Toluca').check()
  const fields = { Colonia: 'Centro', Calle: 'Juárez', 'Número exterior': '1' }
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('Tipo de vivienda').selectOption('Casa')
  await page.getByLabel('Estacionamiento').selectOption('Compartido')
  await page.getByRole('button', { name: 'Guardar' }).click()
  const municipality = page.getByLabel('Municipio', { exact: true })
  await isSought(page, municipality)
  await expect(municipality).toHaveAccessibleDescription(/Elige Toluca, Lerma/)
  await municipality.selectOption('Toluca')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(toastOn(page, 'Guardamos tu domicilio')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Por verificar')
})

/** The words of a code, said once: above the fields of its form, or in a toast where there is no form. */
async function says(page: Page, code: keyof typeof signInErrors) {
  const { title, description } = signInErrors[code]
  const toast = page.getByRole('region', { name: 'Avisos (F8)' }).getByRole('listitem')
  const said = page.getByRole('main').getByRole('alert').or(toast)
  await expect(said).toHaveCount(1)
  await expect(said).toContainText(title)
  await expect(said).toContainText(description)
}

async function tryToSignIn(page: Page) {
  await page.getByLabel('Correo electrónico').fill('cliente@demo.mx')
  await page.getByLabel('Contraseña').fill('carga-en-casa')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
}

test('a visitor who signs in without a network keeps the form and signs in once it is back', async ({
  browser,
}) => {
  // A context of its own: the browser complains of each request that it cannot make.
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto('/signin')
  await isTakenOver(page)
  // What shows a toast comes when the page has nothing else to do.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await tryToSignIn(page)
  await says(page, 'network-request-failed')
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('cliente@demo.mx')
  await expect(page).toHaveURL(/\/signin(\?|$)/)
  await context.setOffline(false)
  await page.getByLabel('Contraseña').fill('carga-en-casa')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page).toHaveURL('/')
  // Nor does a sign-out take the screen away.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await says(page, 'network-request-failed')
  await expect(page).toHaveURL('/')
})

test('a visitor who gets a broken answer reads that it is an internal error', async ({ page }) => {
  await page.route('**/v1/session/sign-in', (route) => route.fulfill({ body: '<h1>Mantenimiento</h1>' }))
  await page.goto('/signin')
  await isTakenOver(page)
  await tryToSignIn(page)
  await says(page, 'internal-error')
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('cliente@demo.mx')
})

test('a visitor whose browser keeps no cookies reads so', async ({ browser }) => {
  // A context of its own: the router complains that it can't keep where a page was scrolled to.
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setDocumentCookieDisabled', { disabled: true })
  // What such a browser answers to whoever asks it to keep anything else.
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  await page.goto('/signin')
  await isTakenOver(page)
  await tryToSignIn(page)
  await says(page, 'web-storage-unsupported')
  await expect(page).toHaveURL(/\/signin(\?|$)/)
  await context.close()
})

test('a visitor shows and hides the password and keeps the focus in its field', async ({ page }) => {
  await page.goto('/signin')
  await isTakenOver(page)
  const box = page.getByLabel('Contraseña')
  const eye = page.getByRole('button', { name: 'Mostrar lo que escribes' })
  await box.fill('no es esta')
  await expect(box).toHaveAttribute('type', 'password')
  await eye.click()
  await expect(box).toHaveAttribute('type', 'text')
  await expect(box).toHaveValue('no es esta')
  await expect(box).toBeFocused()
  await expect(eye).toHaveAttribute('aria-pressed', 'true')
  await eye.press('Enter')
  await expect(box).toHaveAttribute('type', 'password')
  await eye.press('Enter')
  await page.getByLabel('Correo electrónico').fill('nadie@demo.mx')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(box).toHaveAttribute('type', 'password')
})
