import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { proofPath } from '../../src/server/reports/handover-document.ts'
import { findsNothing, findsNothingInAny } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { isLargeEnough } from '../kit/sizes.ts'
import { entersAs, isTakenOver, signUp } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

// Longer than others: on a busy machine twice what is usual.
test.describe.configure({ timeout: 120_000 })

async function visit(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await findsNothing(page)
}

/** Opens the first appointment of the list. */
async function openFirst(page: Page) {
  await page.locator('.row-link').first().click()
  await expect(page).toHaveURL(/[0-9a-f-]{36}$/)
  await findsNothing(page)
}

test('signed out', { tag: '@inHand' }, async ({ page }) => {
  for (const path of ['/signin', '/nada', '/visita/nada', '/dev/correo']) await visit(page, path)
  for (const asked of ['', '?enviado', '?mode=resetPassword&oobCode=x', '?mode=verifyEmail&oobCode=x'])
    await visit(page, `/recover-password${asked}`)
  await visit(page, '/signup')
  await page.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(page.getByLabel('Contraseña')).toHaveAttribute('aria-invalid', 'true')
  await findsNothing(page, 'a form with errors')
})

test('a refusal above its form', { tag: '@inHand' }, async ({ page }) => {
  await page.goto('/signin')
  await page.getByLabel('Correo electrónico').fill(`nadie-${randomUUID()}@demo.mx`)
  await page.getByLabel('Contraseña').fill('no es esta')
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await findsNothing(page)
})

test('a new account', { tag: '@inHand' }, async ({ page }) => {
  await signUp(page)
  await findsNothing(page)
})

test('a customer who books', { tag: '@inHand' }, async ({ page }) => {
  await entersAs(page, 'cliente@demo.mx')
  for (const path of ['/', '/technics-visit', '/agenda-technics-visit', '/address', '/quote'])
    await visit(page, path)
  for (const path of ['/installation', '/videocall', '/agenda-videocall']) await visit(page, path)
  await page.goto('/agenda-technics-visit')
  await page.getByRole('radio').first().check()
  await findsNothing(page, 'a chosen slot')
  await page.getByRole('button', { name: 'Abrir el menú' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await findsNothing(page, 'the menu sheet')
})

test('a customer with a visit', { tag: '@inHand' }, async ({ page }) => {
  await entersAs(page, 'cliente2@demo.mx')
  for (const path of ['/', '/technics-visit', '/address']) await visit(page, path)
})

test('a customer whose installation can be booked', { tag: '@inHand' }, async ({ page }) => {
  await entersAs(page, 'cliente3@demo.mx')
  for (const path of ['/', '/installation', '/agenda-installation']) await visit(page, path)
})

test('a customer whose charger is installed', { tag: '@inHand' }, async ({ page }) => {
  await entersAs(page, 'cesar.luna@demo.mx')
  for (const path of ['/technics-visit', '/installation']) await visit(page, path)
  // The page behind the code on the paper is there once somebody printed it.
  const paper = (await page.locator('a[href^="/handover/"]').first().getAttribute('href'))!
  expect((await page.request.get(paper)).status()).toBe(200)
  await page.goto(proofPath(await proofOn(paper)))
  await expect(page.getByText('Válido', { exact: true })).toBeVisible()
  await findsNothingInAny(page, 'a proven hand-over')
})

/** What is behind the code on a printed document. */
const proofOn = (paper: string) =>
  withDatabase(async (client) => {
    const id = paper.match(/[0-9a-f-]{36}/)?.[0]
    const { rows } = await client.query<{ secret: string }>(
      'select secret from handover_proofs where appointment_id = $1',
      [id],
    )
    return rows[0]!.secret
  })

for (const path of ['/admin', '/admin/appointments-pending?service=videocall'])
  test(`the manager at ${path}`, { tag: '@once' }, async ({ page }) => {
    await entersAs(page, 'gerente@demo.mx')
    await visit(page, path)
  })

const lists = {
  '/admin/assignations': '@inHand',
  '/admin/appointments-pending': '@once',
  '/admin/appointments-done': '@once',
}
for (const [path, tag] of Object.entries(lists))
  test(`the manager at ${path}, and an appointment of it`, { tag }, async ({ page }) => {
    await entersAs(page, 'gerente@demo.mx')
    await visit(page, path)
    // What has a report is long, and looked at once.
    if (path.endsWith('done')) await page.goto(`${path}?state=cancelled`)
    if (path.endsWith('assignations')) {
      const first = page.getByRole('region', { name: 'Por asignar' }).getByRole('link').first()
      await visit(page, (await first.getAttribute('href')) ?? '')
      return visit(page, `${path}?vista=semana`)
    }
    await openFirst(page)
  })

test('an analyst at a report that waits', { tag: '@once' }, async ({ page }) => {
  await entersAs(page, 'analista@demo.mx')
  await page.goto('/admin/appointments-done?view=por-revisar')
  await openFirst(page)
})

test('the manager with a caller', { tag: '@once' }, async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await visit(page, '/admin/assignations/nueva?q=carlos')
  await page.getByRole('link', { name: /Carlos/ }).click()
  await page.getByRole('link', { name: 'Asesoría virtual' }).click()
  await expect(page.getByRole('group', { name: '¿De qué quiere hablar?' })).toBeVisible()
  await findsNothing(page, 'a caller’s call')
})

/** A screen that is read in the sun and touched with a glove. */
async function visitOnSite(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await looksAsOnSite(page)
}

async function looksAsOnSite(page: Page, what = page.url()) {
  await isLargeEnough(page, what)
  await findsNothingInAny(page, what, true)
}

/** The address of the first appointment of a list. */
async function firstOf(page: Page, list: string) {
  await page.goto(list)
  return (await page.locator('.row-link').first().getAttribute('href'))!
}

test('a technician at home, and their menu', { tag: '@inHand' }, async ({ page }) => {
  await entersAs(page, 'tecnico@demo.mx')
  await visitOnSite(page, '/admin')
  await page.getByRole('navigation', { name: 'Atajos' }).getByText('Más').click()
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeFocused()
  await looksAsOnSite(page, 'the menu')

  await page.goto('/admin')
  const map = page.locator('details', { hasText: 'Waze' })
  await isTakenOver(page)
  await map.locator('summary').press('Enter')
  await expect(map.getByRole('link', { name: 'Waze' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(map.getByRole('link', { name: 'Waze' })).toBeHidden()
})

test('a technician’s lists and account', { tag: '@inHand' }, async ({ page }) => {
  await entersAs(page, 'tecnico@demo.mx')
  for (const path of ['/admin/appointments-pending', '/admin/appointments-done', '/admin/account'])
    await visitOnSite(page, path)
})

for (const sections of [
  ['', 'lugar', 'tablero'],
  ['cargas', 'ruta', 'calculo'],
])
  test(`a technician’s visit and its report, to ${sections.at(-1)}`, { tag: '@inHand' }, async ({ page }) => {
    await entersAs(page, 'tecnico@demo.mx')
    const visited = await firstOf(page, '/admin/appointments-pending?service=technical_visit')
    for (const section of sections) await visitOnSite(page, `${visited}${section && `?seccion=${section}`}`)
  })

test('a technician’s installation, and the record of one that is over', { tag: '@inHand' }, async ({
  page,
}) => {
  await entersAs(page, 'tecnico2@demo.mx')
  const installation = await firstOf(page, '/admin/appointments-pending?service=installation')
  for (const section of ['', '?seccion=canalizacion', '?seccion=pruebas'])
    await visitOnSite(page, installation + section)
  await visitOnSite(page, await firstOf(page, '/admin/appointments-done?service=installation'))
})

test('the gester and the ally', { tag: '@inHand' }, async ({ arrive }) => {
  for (const email of ['gestor@demo.mx', 'aliado@demo.mx']) {
    const page = await arrive()
    await entersAs(page, email)
    await page.goto('/admin')
    await findsNothingInAny(page, email)
  }
})

test('an ally at their codes, clients and commissions', { tag: '@once' }, async ({ page }) => {
  await entersAs(page, 'aliado@demo.mx')
  await page.goto('/admin')
  const commissions = await page.getByRole('link', { name: 'Ver por mes' }).getAttribute('href')
  const client = await firstOf(page, '/admin/alliate/clients')
  const lists = ['/admin/alliate/codes', '/admin/alliate/clients', '/admin/alliate/clients/registrar']
  for (const path of [...lists, client, commissions!]) {
    await page.goto(path)
    await findsNothingInAny(page)
  }
})
