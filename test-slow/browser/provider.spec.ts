import type { Page } from '@playwright/test'
import { withDatabase } from '../../e2e/kit/database.ts'
import { startOwnServer, startTime } from '../../e2e/kit/own-server.ts'
import { buttonIn, fillForm, isAt, press, reads } from '../../e2e/kit/parts.ts'
import { completeProfile, signUp, toastOn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'
import { client, startIssuer } from '../../test/accounts/issuer.ts'

// One server and one issuer for all of them.
test.describe.configure({ mode: 'default' })

const port = Number(process.env.E2E_PORT ?? 3210) + 1000

const here = `http://localhost:${port}`
const issuerPort = port + 1000

test.use({ baseURL: here })

let issuer: Awaited<ReturnType<typeof startIssuer>>

let server: Awaited<ReturnType<typeof startOwnServer>>

test.beforeAll(async () => {
  test.setTimeout(startTime())
  issuer = await startIssuer(issuerPort, `${here}/session/callback/oidc`)
  server = await startOwnServer(port, {
    OIDC_ISSUER: issuer.origin,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_LABEL: 'Emisor',
    AUTH_SYNC_PATH: '/sincronizar',
  })
})

test.afterAll(async () => {
  await server?.stop()
  await issuer?.stop()
})

let people = 0

/** Somebody new at the issuer, who signs in there as soon as they are sent. */
function somebody(verified = true, email = `eva-${people}@example.mx`) {
  people += 1
  issuer.story.person = { sub: `s${people}`, email, verified }
  return email
}

const providerButton = (page: Page) => buttonIn(page, 'Continuar con Emisor')

/** Asks for the window, and answers it. */
async function openWindow(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), providerButton(page).click()])
  return popup
}

const inDatabase = (sql: string, email: string) =>
  withDatabase(async (db) => (await db.query(sql, [email])).rows, server.folder)

const accountsOf = async (email: string) => {
  const rows = await inDatabase(
    `select a.provider_id from accounts a join users u on u.id = a.user_id where u.email = $1 order by 1`,
    email,
  )
  return rows.map(({ provider_id }) => provider_id)
}

test('a visitor reads that the issuer is down, and the next try reads it again', async ({ page }) => {
  issuer.story.down = true
  await page.goto('/signin')
  await openWindow(page)
  await expectToast(page, 'Este acceso no está disponible')
  issuer.story.down = false
})

test('a visitor signs up by the window of the issuer, which is 500 × 600 and closes', async ({ page }) => {
  issuer.story.person = null
  await page.goto('/signin')
  const popup = await openWindow(page)
  await expect(popup.getByRole('heading')).toHaveText('Inicia sesión en el emisor')
  expect(await popup.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([500, 600])
  const email = somebody()
  const synced = page.context().waitForEvent('request', (request) => request.url() === `${here}/sincronizar`)
  await Promise.all([popup.waitForEvent('close'), popup.reload()])
  await isAt(page, '/completion')
  const [user] = await inDatabase(
    'select role, kind, name, email_verified, terms_version from users where email = $1',
    email,
  )
  expect(user).toEqual({
    role: 'customer',
    kind: null,
    name: null,
    email_verified: true,
    terms_version: '2025-01',
  })
  // The program beside ours hears of it by the tab that stays.
  expect((await synced).headers().authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
  await completeProfile(page, 'Eva', 'Prueba')
  const left = page.waitForRequest((request) => request.url() === `${here}/sincronizar`)
  await page.locator('form[action="/signout"]:visible').getByRole('button').click()
  expect((await left).method()).toBe('DELETE')
})

test('a visitor who closes the window of the issuer reads so after eight seconds', async ({ page }) => {
  issuer.story.person = null
  await page.goto('/signin')
  const popup = await openWindow(page)
  await expect(popup.getByRole('heading')).toBeVisible()
  const closed = Date.now()
  await popup.close()
  await expect(toastOn(page, 'Se cerró la ventana')).toBeVisible({ timeout: 12_000 })
  const waited = Date.now() - closed
  console.log(`closed window: told after ${waited} ms`)
  expect(waited).toBeGreaterThan(7_500)
})

test('a visitor who asks the issuer again cancels the first request', async ({ page }) => {
  issuer.story.person = null
  await page.goto('/signin')
  await expect((await openWindow(page)).getByRole('heading')).toBeVisible()
  somebody()
  await providerButton(page).click()
  await expectToast(page, 'Ese intento se canceló')
  await isAt(page, '/completion')
})

test('a visitor who closed the window and asks again reads nothing of the first request', async ({
  page,
}) => {
  issuer.story.person = null
  await page.goto('/signin')
  const popup = await openWindow(page)
  await expect(popup.getByRole('heading')).toBeVisible()
  await popup.close()
  somebody()
  await openWindow(page)
  await isAt(page, '/completion')
  await expect(toastOn(page, 'Ese intento se canceló')).toHaveCount(0)
})

test('a visitor gets an account linked only when both sides proved its e-mail', async ({ page, arrive }) => {
  const email = await signUp(await arrive())
  await page.goto('/signin')
  // Where ours was never proved, whoever wrote it down first need not be its owner.
  for (const isVerifiedThere of [false, true]) {
    somebody(isVerifiedThere, email)
    await openWindow(page)
    await expect(toastOn(page, 'Ya tienes una cuenta con ese correo')).toBeVisible()
    await press(page, 'Cerrar aviso')
  }
  expect(await accountsOf(email)).toEqual(['credential'])
  await inDatabase('update users set email_verified = true where email = $1', email)
  await openWindow(page)
  await isAt(page, '/completion')
  expect(await accountsOf(email)).toEqual(['credential', 'oidc'])
})

test('a visitor reads of a wrong secret and of a deactivated account', async ({ page }) => {
  const email = somebody()
  const remember = await issuer.forgetSecret()
  await page.goto('/signin')
  await openWindow(page)
  await expectToast(page, 'Este acceso no está bien configurado')
  remember()
  await openWindow(page)
  await isAt(page, '/completion')
  await press(page, 'Cerrar sesión')
  await isAt(page, /\/signin(\?|$)/)
  await inDatabase('update users set active = false where email = $1', email)
  await openWindow(page)
  await expectToast(page, 'Tu cuenta está inactiva')
})

test('a visitor whose browser blocks windows is led to the issuer by the page itself', async ({
  playwright,
}) => {
  somebody()
  const { executablePath, args } = test.info().project.use.launchOptions ?? {}
  const strict = await playwright.chromium.launch({
    ...(executablePath && { executablePath }),
    // The runner's own browsers let every window open, and one without windows of its own wants to be told not to.
    args: [...(args ?? []), '--block-new-web-contents'],
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  })
  const page = await strict.newPage({ baseURL: here, locale: 'es-MX' })
  // Nobody presses anything, and the runner asks the page nothing, which would count as pressing: the browser itself
  // refuses the window. So the page tells by its console what it shows.
  await page.addInitScript(() => {
    const look = setInterval(() => {
      const form = document.querySelector<HTMLFormElement>('form[action="/session/provider/start"]')
      if (!form || !Object.keys(form).some((key) => key.startsWith('__reactProps'))) return
      clearInterval(look)
      setTimeout(() => form.requestSubmit(), 300)
      setInterval(() => console.log(document.querySelector('[aria-label^="Avisos"]')?.textContent), 100)
    }, 50)
  })
  const told = page.waitForEvent('console', (line) => line.text().includes('Tu navegador bloqueó la ventana'))
  const arrived = page.waitForEvent('framenavigated', (frame) => frame.url() === `${here}/completion`)
  await page.goto('/signin')
  await Promise.all([told, arrived])
  await strict.close()
})

test('a visitor without JavaScript signs up by the issuer, whose answer counts once', async ({ arrive }) => {
  somebody()
  const page = await arrive({ javaScriptEnabled: false })
  const answers: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/session/callback/')) answers.push(request.url())
  })
  await page.goto('/signup')
  await providerButton(page).click()
  await isAt(page, '/completion')
  const other = await arrive({ javaScriptEnabled: false })
  for (const answer of [
    answers[0] ?? '',
    '/session/callback/oidc',
    '/session/callback/oidc?code=x&state=y',
  ]) {
    await other.goto(answer)
    await isAt(other, /\/signin(\?|$)/)
    await expect(other.getByRole('alert')).toContainText('Ese acceso ya no sirve')
  }
})

test('a visitor under another address of the site opens no window', async ({ page }) => {
  await page.goto(`http://127.0.0.1:${port}/signin`)
  let windows = 0
  page.on('popup', () => {
    windows += 1
  })
  await providerButton(page).click()
  await expectToast(page, 'Este sitio no está autorizado')
  await fillForm(page, { 'Correo electrónico': 'eva@example.mx', Contraseña: 'una-frase-larga' })
  await press(page, 'Iniciar sesión')
  await reads(page.getByRole('main'), 'Este sitio no está autorizado')
  expect(windows).toBe(0)
})
