import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { signIn, signUp } from './steps.ts'
import { expect, test } from './world.ts'

const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds on the page as it stands, in light and in dark. */
async function findsNothing(page: Page, what = page.url()) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // On a busy machine colours may still be those of the other preference: what is wrong stays wrong.
    await expect(async () => {
      await settle(page)
      const { violations } = await axe(page).analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
      expect(found, `${what}, ${colorScheme}`).toEqual([])
    }).toPass({ timeout: 8_000 })
  }
}

/**
 * The builder names the page's type by another copy of playwright-core than the runner's; the pages are the same.
 * Ours hold no frames, for which it would open one more page each time: hence the legacy mode.
 */
const axe = (page: Page) => new AxeBuilder({ page: page as never }).withTags(levels).setLegacyMode()

/** Colours change with the next frames after the preference did. */
const settle = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

async function visit(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await findsNothing(page)
}

/** Opens the first appointment of a list. */
async function openFirst(page: Page, path: string) {
  await page.goto(path)
  await page.getByRole('row').getByRole('link').first().click()
  await expect(page).toHaveURL(/[0-9a-f-]{36}$/)
  await findsNothing(page)
}

test('signed out', async ({ page }) => {
  for (const path of ['/signin', '/nada', '/dev/correo']) await visit(page, path)
  await visit(page, '/signup')
  await page.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(page.getByLabel('Contraseña')).toHaveAttribute('aria-invalid', 'true')
  await findsNothing(page, 'a form with errors')
})

test('a refusal and its toast', async ({ page }) => {
  await page.goto('/signin')
  await page.getByLabel('Correo electrónico').fill('nadie@demo.mx')
  await page.getByLabel('Contraseña').fill('no es esta')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page.getByRole('region', { name: 'Avisos (F8)' }).getByRole('listitem')).toHaveCount(1)
  await findsNothing(page)
})

test('a new account', async ({ page }) => {
  await signUp(page)
  await findsNothing(page)
})

test('a customer who books', async ({ page, onPhone }) => {
  await signIn(page, 'cliente@demo.mx')
  for (const path of ['/', '/technics-visit', '/agenda-technics-visit', '/address', '/quote'])
    await visit(page, path)
  await page.goto('/agenda-technics-visit')
  await page.getByRole('radio').first().check()
  await findsNothing(page, 'a chosen slot')
  if (!onPhone) return
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await findsNothing(page, 'the menu sheet')
})

test('a customer with a visit', async ({ page }) => {
  await signIn(page, 'cliente2@demo.mx')
  for (const path of ['/', '/technics-visit', '/address']) await visit(page, path)
})

test('the manager', async ({ page }) => {
  await signIn(page, 'gerente@demo.mx')
  for (const path of [
    '/admin',
    '/admin/assignations',
    '/admin/appointments-pending',
    '/admin/appointments-done',
  ])
    await visit(page, path)
  await visit(page, '/admin/appointments-pending?service=videocall')
  for (const path of ['/admin/assignations', '/admin/appointments-pending', '/admin/appointments-done'])
    await openFirst(page, path)
})

test('the technician, the gester and the ally', async ({ arrive }) => {
  for (const email of ['tecnico@demo.mx', 'gestor@demo.mx', 'aliado@demo.mx']) {
    const page = await arrive()
    await signIn(page, email)
    await findsNothing(page, email)
    if (email === 'tecnico@demo.mx') await openFirst(page, '/admin/appointments-pending')
  }
})
