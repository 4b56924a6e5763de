import type { Page } from '@playwright/test'
import { everyScreenHears, withDatabase } from '../../e2e/kit/database.ts'
import {
  buttonIn,
  fillForm,
  isAt,
  isTitled,
  mainSays,
  openScreen,
  press,
  reads,
  regionIn,
  showsValue,
} from '../../e2e/kit/parts.ts'
import { enrols, newManager } from '../../e2e/kit/second-factor.ts'
import { isSought, isTakenOver, newPerson } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'
import { signInErrors } from '../../src/accounts/rules/sign-in-errors.ts'

test('a manager still sees new recovery codes after the page refreshes', async ({ page }) => {
  const email = await newManager(page)
  const { codes } = await enrols(page)
  await withDatabase((client) =>
    client.query(`update users set name = 'Otro Nombre' where email = $1`, [email]),
  )
  await expect(async () => {
    await everyScreenHears()
    await expect(page.getByLabel('Nombre')).toHaveValue('Otro Nombre', { timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  await reads(page, codes[2]!)
  await page.reload()
  await expect(page.getByText(codes[2]!)).toHaveCount(0)
})

/** A browser without a screen asks nobody, and a service on the internet gives out the address: this one does both by itself. */
const subscribesHere = (page: Page) =>
  page.addInitScript(() => {
    const keys = { p256dh: `B${'x'.repeat(86)}`, auth: 'y'.repeat(22) }
    const subscription = {
      toJSON: () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/aqui', keys }),
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

const card = (page: Page) => regionIn(page, 'Avisos en este dispositivo')

test('a customer turns device notifications on and off', async ({ page }) => {
  await subscribesHere(page)
  const email = await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  const turn = card(page).getByRole('switch', { name: 'Avisarme aquí' })
  await expect(turn).toHaveAttribute('aria-checked', 'false')
  await turn.click()
  await expect(turn).toHaveAttribute('aria-checked', 'true')
  await expectToast(page, 'Activamos tus avisos')
  expect(await devicesOf(email)).toEqual(['https://fcm.googleapis.com/fcm/send/aqui'])
  // Its worker is there, and controls no page.
  const worker = await page.evaluate(async () => ({
    isThere: (await navigator.serviceWorker.getRegistration('/push/')) !== undefined,
    controls: navigator.serviceWorker.controller !== null,
  }))
  expect(worker).toEqual({ isThere: true, controls: false })
  await turn.click()
  await expect(turn).toHaveAttribute('aria-checked', 'false')
  await expect.poll(() => devicesOf(email)).toEqual([])
})

test('a customer whose browser blocks or refuses device notifications reads how to allow them', async ({
  page,
}) => {
  // What was refused stays so after a reload, as a browser keeps it.
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', {
      get: () => sessionStorage.getItem('told') ?? 'default',
    })
    Notification.requestPermission = async () => {
      sessionStorage.setItem('told', 'denied')
      return 'denied'
    }
  })
  await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  await card(page).getByRole('switch').click()
  await expect(card(page).getByRole('alert')).toBeFocused()
  await reads(card(page), 'Permítelos para este sitio')
  await page.reload()
  await isTakenOver(page)
  await card(page).getByText('Los avisos están bloqueados').click()
  await reads(card(page), 'Permítelos para este sitio')
  await expect(card(page).getByRole('switch')).toHaveCount(0)
})

test('a customer with a wrong field in a closed section sees the section open', async ({ page }) => {
  await newPerson(page)
  await page.goto('/address')
  await page.getByLabel('Código postal', { exact: true }).fill('52140')
  // With a script the code's answer opens it.
  await page.getByLabel('Mi domicilio sí está en Toluca').check()
  const fields = { Colonia: 'Centro', Calle: 'Juárez', 'Número exterior': '1' }
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await fillForm(page, { 'Tipo de vivienda': 'Casa', Estacionamiento: 'Compartido' })
  await press(page, 'Guardar')
  const municipality = page.getByLabel('Municipio', { exact: true })
  await isSought(page, municipality)
  await expect(municipality).toHaveAccessibleDescription(/Elige Toluca, Lerma/)
  await municipality.selectOption('Toluca')
  await press(page, 'Guardar')
  await expectToast(page, 'Guardamos tu domicilio')
  await mainSays(page, 'Por verificar')
})

/** The words of a code, said once: above the fields of its form, or in a toast where there is no form. */
async function says(page: Page, code: keyof typeof signInErrors) {
  const { title, description } = signInErrors[code]
  const toast = regionIn(page, 'Avisos (F8)').getByRole('listitem')
  const said = page.getByRole('main').getByRole('alert').or(toast)
  await expect(said).toHaveCount(1)
  await expect(said).toContainText(title)
  await expect(said).toContainText(description)
}

async function tryToSignIn(page: Page, email = 'cliente@demo.mx', secret = 'carga-en-casa') {
  await fillForm(page, { 'Correo electrónico': email, Contraseña: secret })
  await press(page, 'Iniciar sesión')
}

test('a visitor who signs in without a network keeps the form and signs in once it is back', async ({
  browser,
}) => {
  // A context of its own: the browser complains of each request that it cannot make.
  const context = await browser.newContext()
  const page = await context.newPage()
  await openScreen(page, '/signin')
  // What shows a toast comes when the page has nothing else to do.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await tryToSignIn(page)
  await says(page, 'network-request-failed')
  await showsValue(page, 'Correo electrónico', 'cliente@demo.mx')
  await isAt(page, /\/signin(\?|$)/)
  await context.setOffline(false)
  await tryToSignIn(page)
  await isAt(page, '/')
  // Nor does a sign-out take the screen away.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await press(page, 'Cerrar sesión')
  await says(page, 'network-request-failed')
  await isAt(page, '/')
})

test('a visitor who gets a broken answer reads that it is an internal error', async ({ page }) => {
  await page.route('**/v1/session/sign-in', (route) => route.fulfill({ body: '<h1>Mantenimiento</h1>' }))
  await openScreen(page, '/signin')
  await tryToSignIn(page)
  await says(page, 'internal-error')
  await showsValue(page, 'Correo electrónico', 'cliente@demo.mx')
})

test('a visitor whose browser keeps no cookies reads so', async ({ browser }) => {
  // A context of its own: the router complains that it can't keep where a page was scrolled to.
  const context = await browser.newContext()
  const page = await context.newPage()
  await (await context.newCDPSession(page)).send('Emulation.setDocumentCookieDisabled', { disabled: true })
  // What such a browser answers to whoever asks it to keep anything else.
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
  })
  await openScreen(page, '/signin')
  await tryToSignIn(page)
  await says(page, 'web-storage-unsupported')
  await isAt(page, /\/signin(\?|$)/)
  await context.close()
})

test('a visitor shows and hides the password and keeps the focus in its field', async ({ page }) => {
  await openScreen(page, '/signin')
  const box = page.getByLabel('Contraseña')
  const eye = buttonIn(page, 'Mostrar lo que escribes')
  await box.fill('no es esta')
  await eye.click()
  await expect(box).toHaveAttribute('type', 'text')
  await expect(box).toHaveValue('no es esta')
  await expect(box).toBeFocused()
  await expect(eye).toHaveAttribute('aria-pressed', 'true')
  await eye.press('Enter')
  await expect(box).toHaveAttribute('type', 'password')
  await eye.press('Enter')
  await tryToSignIn(page, 'nadie@demo.mx')
  await expect(box).toHaveAttribute('type', 'password')
})

test('the challenge of a passkey is renewed, one at a time, and asked for at the host of passkeys only', async ({
  page,
}) => {
  await page.clock.install()
  let asked = 0
  const first = Promise.withResolvers<void>()
  await page.route('**/ask-for-passkey', async (route) => {
    asked++
    await first.promise
    await route.continue()
  })
  const times = (n: number) => expect.poll(() => asked).toBe(n)
  await page.goto('/signin')
  const button = buttonIn(page, 'Entrar con llave de acceso')
  await times(1)
  await button.click()
  await page.evaluate(() => fetch('/'))
  await times(1)
  first.resolve()
  await expectToast(page, 'No usaste ninguna llave')
  await times(3)
  await page.clock.fastForward('04:01')
  await times(4)
  await page.goto(page.url().replace('localhost', '127.0.0.1'))
  await isTitled(page, 'Iniciar sesión')
  await expect(button).toHaveCount(0)
})
