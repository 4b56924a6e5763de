import type { Page } from '@playwright/test'
import { signInErrors } from '../../src/domain/accounts/sign-in-errors.ts'
import { isTakenOver } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

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

test('network-request-failed: without a network the form stays, with what was typed, and works once it is back', async ({
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
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Cerrar sesión' }).click()
  await says(page, 'network-request-failed')
  await expect(page).toHaveURL('/')
})

test('internal-error: an answer that is none', async ({ page }) => {
  await page.route('**/v1/session/sign-in', (route) => route.fulfill({ body: '<h1>Mantenimiento</h1>' }))
  await page.goto('/signin')
  await isTakenOver(page)
  await tryToSignIn(page)
  await says(page, 'internal-error')
  await expect(page.getByLabel('Correo electrónico')).toHaveValue('cliente@demo.mx')
})

test('operation-not-supported-in-this-environment: a provider is asked for where none is set', async ({
  page,
}) => {
  await page.goto('/signin')
  await page.evaluate(() => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', action: '/session/provider/start' })
    document.body.append(form)
    form.submit()
  })
  await says(page, 'operation-not-supported-in-this-environment')
  await expect(page).toHaveURL(/\/signin(\?|$)/)
})

test('web-storage-unsupported: a browser set to keep no cookies', async ({ browser }) => {
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

test('the eye shows a password and hides it, also as it is sent, and keeps the focus in its box', async ({
  page,
}) => {
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
