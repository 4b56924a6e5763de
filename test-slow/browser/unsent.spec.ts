import type { Page } from '@playwright/test'
import { withDatabase } from '../../e2e/kit/database.ts'
import { startOwnServer } from '../../e2e/kit/own-server.ts'
import {
  entersAs,
  isTakenOver,
  keepsWords,
  kept,
  newCustomer,
  password,
  places,
  signIn,
  toastOn,
} from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

test.use({ losesNetwork: true })

const offline = 'Sin señal. Guardamos lo que escribiste; lo enviamos cuando vuelva la señal.'

const unreachable =
  'No pudimos llegar al servidor. Guardamos lo que escribiste; lo intentamos otra vez en unos segundos.'

const street = (page: Page) => page.getByLabel('Calle', { exact: true })

const save = (page: Page) => page.getByRole('button', { name: 'Guardar' }).click()

/** A customer with an address, who has written another street and not sent it. */
async function writesStreet(page: Page) {
  const email = await newCustomer(page)
  await page.goto('/address?editar')
  await keepsWords(page)
  await street(page).fill('Calle de los Olvidos')
  return email
}

const streetsOf = (email: string, folder?: string) =>
  withDatabase(
    (client) =>
      client.query<{ street: string }>(
        `select a.street from addresses a join projects p on p.id = a.project_id join users u on u.id = p.customer_id where u.email = $1`,
        [email],
      ),
    folder,
  ).then(({ rows }) => rows)

const idOf = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query('select id from users where email = $1', [email])
    return rows[0].id as string
  })

test('a manager whose answer was lost has the form sent again and done once', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/users/${await idOf('cliente2@demo.mx')}/cliente`)
  await keepsWords(page)
  await page.getByText('Anotar una llamada').click()
  const words = `Llamada ${Date.now()}`
  await page.getByLabel('¿En qué quedaron?').fill(words)
  let lost = 0
  await page.route(/\.data/, async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.fallback()
    lost += 1
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Anotar llamada' }).click()
  await expect(page.getByText(unreachable)).toBeVisible()
  await expect(page.locator('[data-unsent]')).toHaveCount(0, { timeout: 10_000 })
  expect(lost).toBe(1)
  await page.reload()
  await expect(page.getByText(words)).toHaveCount(1)
})

test('a customer’s form reaches a stopped server once it is back', async ({ page }) => {
  const server = await startOwnServer(3277, {})
  try {
    const email = 'ana@example.mx'
    const there = await page.context().browser()!.newContext({ baseURL: server.origin })
    const own = await there.newPage()
    const headers = { 'sec-fetch-site': 'same-origin' }
    const forms: [string, Record<string, string>][] = [
      ['/signup', { email, password }],
      ['/completion', { name: 'Ana', lastname: 'Prueba', phone: '55 1234-5678' }],
    ]
    for (const [path, form] of forms)
      expect((await own.request.post(path, { form, headers, maxRedirects: 0 })).status()).toBe(303)
    await own.goto('/address?editar')
    await keepsWords(own)
    await own.getByLabel('Código postal', { exact: true }).fill(places.south.postalCode)
    await own.getByLabel('Colonia').fill(places.south.colonia)
    await street(own).fill('Calle de los Olvidos')
    await own.getByLabel('Número exterior').fill('7')
    await own.getByLabel('Tipo de vivienda').selectOption('Casa')
    await own.getByLabel('Estacionamiento').selectOption('Propio techado')
    await server.restart('SIGTERM', async () => {
      await save(own)
      await expect(own.getByText(unreachable)).toBeVisible()
      await expect(street(own)).toHaveValue('Calle de los Olvidos')
    })
    await expect(own).toHaveURL(/\/technics-visit/, { timeout: 60_000 })
    const rows = await streetsOf(email, server.folder)
    expect(rows.map((row) => row.street)).toEqual(['Calle de los Olvidos'])
    await there.close()
  } finally {
    await server.stop()
  }
})

test('a customer who edits a waiting form sends it by hand', async ({ page }) => {
  const email = await writesStreet(page)
  await page.context().setOffline(true)
  await save(page)
  await expect(page.getByText(offline)).toBeVisible()
  await street(page).press('End')
  await street(page).pressSequentially(' y')
  await expect(
    page.getByText('Sin señal. Guardamos lo que escribiste; envíalo cuando termines.'),
  ).toBeVisible()
  await page.context().setOffline(false)
  await street(page).press('End')
  await street(page).pressSequentially(' la Memoria')
  await page.getByRole('button', { name: 'Enviar ahora' }).click()
  await expect(page).toHaveURL('/technics-visit')
  expect(await streetsOf(email)).toMatchObject([{ street: 'Calle de los Olvidos y la Memoria' }])
})

test('a customer reads that an answer takes long, and a reload loses nothing', async ({ page }) => {
  await writesStreet(page)
  await page.route(/\.data/, (route) => (route.request().method() === 'POST' ? undefined : route.fallback()))
  await save(page)
  await expect(page.getByText('Está tardando… Guardamos lo que escribiste.')).toBeVisible({ timeout: 8_000 })
  await expect(page.getByRole('button', { name: 'Guardar' })).toHaveAttribute('aria-disabled', 'true')
  await page.reload()
  await expect(toastOn(page, 'Recuperamos lo que escribiste')).toBeVisible()
  await expect(street(page)).toHaveValue('Calle de los Olvidos')
})

test('a customer finds the words of a closed tab, and leaves none after signing out', async ({ page }) => {
  const email = await writesStreet(page)
  await page.context().setOffline(true)
  await save(page)
  await expect(page.getByText(offline)).toBeVisible()
  const context = page.context()
  await page.close()
  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto('/address?editar')
  await expect(toastOn(again, 'Recuperamos lo que escribiste')).toBeVisible()
  await expect(street(again)).toHaveValue('Calle de los Olvidos')
  await again.locator('form[action="/signout"]:visible').getByRole('button').click()
  await expect(again).toHaveURL(/signin/)
  await signIn(again, email, password)
  await again.goto('/address?editar')
  await isTakenOver(again)
  await expect(street(again)).toHaveValue('Londres')
  expect(await kept(again)).toBeNull()
})

test('a customer keeps the chosen hour, topic and note after a reload', async ({ page }) => {
  await newCustomer(page)
  await page.goto('/agenda-videocall')
  await keepsWords(page)
  const hour = page.locator('input[name=startsAt]').last()
  const chosen = await hour.inputValue()
  await hour.check({ force: true })
  await page.locator('input[name=interest]').nth(1).check()
  await page.getByLabel('¿Qué te gustaría saber?').fill('¿Sirve mi medidor?')
  // What keeps them may begin a moment after its script has come; nobody is as quick as this test.
  await expect.poll(() => kept(page)).toContain('Sirve mi medidor')
  await page.reload()
  await expect(page.locator('input[name=startsAt]:checked')).toHaveValue(chosen)
  await expect(page.locator('input[name=interest]').nth(1)).toBeChecked()
  await expect(page.getByLabel('¿Qué te gustaría saber?')).toHaveValue('¿Sirve mi medidor?')
  // The browser may have filled in the note by itself before any script ran; a choice it does not bring through.
  await page.addInitScript(() =>
    new MutationObserver((_, watch) => {
      const note = document.querySelector<HTMLTextAreaElement>('textarea[name=notes]')
      if (!note) return
      watch.disconnect()
      note.value = '¿Sirve mi medidor?'
    }).observe(document, { childList: true, subtree: true }),
  )
  await page.reload()
  await expect(page.locator('input[name=interest]').nth(1)).toBeChecked()
  await expect(page.getByLabel('¿Qué te gustaría saber?')).toHaveValue('¿Sirve mi medidor?')
  const address = page.url()
  expect(new URL(address).searchParams.get('hora')).toBe(chosen)
  // The address alone says the hour, without scripts too.
  const { cookies } = await page.context().storageState()
  const plain = await page.context().browser()!.newContext({ javaScriptEnabled: false })
  await plain.addCookies(cookies)
  const bare = await plain.newPage()
  await bare.goto(address)
  await expect(bare.locator('input[name=startsAt]:checked')).toHaveValue(chosen)
  await plain.close()
})

test('a customer whose page does not open reads why, and it opens by itself', async ({ page }) => {
  await newCustomer(page)
  await page.goto('/')
  await isTakenOver(page)
  // Its script is there, its data is not.
  let isLost = true
  await page.route(/technics-visit\.data/, (route) =>
    isLost ? route.abort('connectionrefused') : route.fallback(),
  )
  await page.locator('a[href="/technics-visit"]:visible').first().click()
  await expect(page.getByRole('heading', { name: 'No pudimos llegar al servidor' })).toBeVisible()
  await expect(page.getByText('No se perdió nada')).toHaveCount(0)
  isLost = false
  await expect(page.getByRole('heading', { name: 'No pudimos llegar al servidor' })).toHaveCount(0, {
    timeout: 15_000,
  })
})

test('a customer who points at links without a network keeps the page and its words', async ({ page }) => {
  await writesStreet(page)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const refused: string[] = []
  await page.route(/assets.*\.js/, (route) => {
    refused.push(route.request().url())
    return route.abort('connectionrefused')
  })
  const links = page.getByRole('navigation', { name: 'Menú principal' }).getByRole('link')
  for (const link of await links.all()) {
    const before = refused.length
    await link.hover()
    // The screen that is open has its scripts.
    if ((await link.getAttribute('aria-current')) === null)
      await expect.poll(() => refused.length).toBeGreaterThan(before)
  }
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  await expect(street(page)).toHaveValue('Calle de los Olvidos')
})

test('a manager closes a dialog whose form waits, and finds its words again', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/appointments-pending?service=installation')
  await keepsWords(page)
  const opens = () => page.getByRole('button', { name: 'Guardar vista' }).click()
  const dialog = page.getByRole('dialog', { name: 'Guardar vista' })
  const named = `Instalaciones ${Date.now() % 100_000}`
  await opens()
  await dialog.getByLabel('Nombre').fill(named)
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(dialog.getByText(offline)).toBeVisible()
  await expect(dialog.getByLabel('Nombre')).toHaveValue(named)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('[data-unsent=offline]')).toBeVisible()
  await opens()
  await expect(dialog.getByLabel('Nombre')).toHaveValue(named)
  await expect(dialog.getByText(offline)).toBeVisible()
  await expect(page.locator('[data-unsent]')).toHaveCount(1)
  await page.context().setOffline(false)
  await expect(toastOn(page, 'Guardaste la vista')).toBeVisible()
  await expect(page.getByRole('link', { name: named })).toHaveCount(1)
  await expect(page.locator('[data-unsent]')).toHaveCount(0)
  // Nothing of it comes back after it was saved.
  await page.reload()
  await keepsWords(page)
  await expect(page.getByText('Recuperamos lo que escribiste')).toHaveCount(0)
})
