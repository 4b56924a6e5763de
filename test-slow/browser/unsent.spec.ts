import type { Page } from '@playwright/test'
import { withDatabase } from '../../e2e/kit/database.ts'
import {
  buttonIn,
  exact,
  headingIn,
  isAt,
  linkIn,
  openScreen,
  openScreenAs,
  press,
  reads,
  showsValue,
} from '../../e2e/kit/parts.ts'
import { entersAs, keepsWords, kept, newCustomer, password, signIn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'

test.use({ losesNetwork: true })

const offline = 'Sin señal. Guardamos lo que escribiste; lo enviamos cuando vuelva la señal.'

const unreachable =
  'No pudimos llegar al servidor. Guardamos lo que escribiste; lo intentamos otra vez en unos segundos.'

const street = (page: Page) => page.getByLabel('Calle', { exact: true })

const save = (page: Page) => press(page, 'Guardar')

/** A customer with an address, who has written another street and not sent it. */
async function writesStreet(page: Page) {
  const email = await newCustomer(page)
  await page.goto('/address?editar')
  await keepsWords(page)
  await street(page).fill('Calle de los Olvidos')
  return email
}

const streetsOf = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ street: string }>(
      `select a.street from addresses a join projects p on p.id = a.project_id join users u on u.id = p.customer_id where u.email = $1`,
      [email],
    )
    return rows.map(({ street }) => street)
  })

test('a manager whose answer was lost has the form sent again and done once', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  const { rows } = await withDatabase((client) =>
    client.query(`select id from users where email = 'cliente2@demo.mx'`),
  )
  await page.goto(`/admin/users/${rows[0].id}/cliente`)
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
  await press(page, 'Anotar llamada')
  await reads(page, unreachable)
  await expect(page.locator('[data-unsent]')).toHaveCount(0, { timeout: 10_000 })
  expect(lost).toBe(1)
  await page.reload()
  await expect(page.getByText(words)).toHaveCount(1)
})

test('a customer who edits a waiting form sends it by hand', async ({ page }) => {
  const email = await writesStreet(page)
  await page.context().setOffline(true)
  await save(page)
  await reads(page, offline)
  await street(page).press('End')
  await street(page).pressSequentially(' y')
  await reads(page, 'Sin señal. Guardamos lo que escribiste; envíalo cuando termines.')
  await page.context().setOffline(false)
  await street(page).press('End')
  await street(page).pressSequentially(' la Memoria')
  await press(page, 'Enviar ahora')
  await isAt(page, '/technics-visit')
  expect(await streetsOf(email)).toEqual(['Calle de los Olvidos y la Memoria'])
})

test('a customer reads that an answer takes long, and a reload loses nothing', async ({ page }) => {
  await writesStreet(page)
  await page.route(/\.data/, (route) => (route.request().method() === 'POST' ? undefined : route.fallback()))
  await save(page)
  await expect(page.getByText('Está tardando… Guardamos lo que escribiste.')).toBeVisible({ timeout: 8_000 })
  await expect(buttonIn(page, 'Guardar')).toHaveAttribute('aria-disabled', 'true')
  await page.reload()
  await expectToast(page, 'Recuperamos lo que escribiste')
  await expect(street(page)).toHaveValue('Calle de los Olvidos')
})

test('a customer finds the words of a closed tab, and leaves none after signing out', async ({ page }) => {
  const email = await writesStreet(page)
  await page.context().setOffline(true)
  await save(page)
  await reads(page, offline)
  const context = page.context()
  await page.close()
  await context.setOffline(false)
  const again = await context.newPage()
  await again.goto('/address?editar')
  await expectToast(again, 'Recuperamos lo que escribiste')
  await expect(street(again)).toHaveValue('Calle de los Olvidos')
  await again.locator('form[action="/signout"]:visible').getByRole('button').click()
  await isAt(again, /signin/)
  await signIn(again, email, password)
  await openScreen(again, '/address?editar')
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
  await showsValue(page, '¿Qué te gustaría saber?', '¿Sirve mi medidor?')
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
  await showsValue(page, '¿Qué te gustaría saber?', '¿Sirve mi medidor?')
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
  await openScreen(page, '/')
  // Its script is there, its data is not.
  let isLost = true
  await page.route(/technics-visit\.data/, (route) =>
    isLost ? route.abort('connectionrefused') : route.fallback(),
  )
  await page.locator('a[href="/technics-visit"]:visible').first().click()
  await expect(headingIn(page, 'No pudimos llegar al servidor')).toBeVisible()
  await expect(page.getByText('No se perdió nada')).toHaveCount(0)
  isLost = false
  await expect(headingIn(page, 'No pudimos llegar al servidor')).toHaveCount(0, {
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
  await openScreenAs(page, 'gerente@demo.mx', '/admin/appointments-pending?service=installation')
  await keepsWords(page)
  const opens = () => press(page, 'Guardar vista')
  const dialog = page.getByRole('dialog', { name: 'Guardar vista' })
  const named = `Instalaciones ${Date.now() % 100_000}`
  await opens()
  await dialog.getByLabel('Nombre').fill(named)
  await page.context().setOffline(true)
  await press(dialog, 'Guardar', exact)
  await reads(dialog, offline)
  await showsValue(dialog, 'Nombre', named)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('[data-unsent=offline]')).toBeVisible()
  await opens()
  await showsValue(dialog, 'Nombre', named)
  await reads(dialog, offline)
  await expect(page.locator('[data-unsent]')).toHaveCount(1)
  await page.context().setOffline(false)
  await expectToast(page, 'Guardaste la vista')
  await expect(linkIn(page, named)).toHaveCount(1)
  await expect(page.locator('[data-unsent]')).toHaveCount(0)
  // Nothing of it comes back after it was saved.
  await page.reload()
  await keepsWords(page)
  await expect(page.getByText('Recuperamos lo que escribiste')).toHaveCount(0)
})
