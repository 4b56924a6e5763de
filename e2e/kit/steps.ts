import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'

/** The password of the demo data; nobody could sign up with it. */
const demoPassword = 'carga-en-casa'
/** Of everybody who signs up in these tests. */
export const password = 'una frase larga'

/** Signs in from /signin and waits for the first screen. */
export async function signIn(page: Page, email: string, secret = demoPassword) {
  await page.goto('/signin')
  await entersHere(page, email, secret)
}

/** The same on the page that is open. */
export async function entersHere(page: Page, email: string, secret = demoPassword) {
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña').fill(secret)
  await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  await expect(page).not.toHaveURL(/signin/)
}

/** What a form of ours sends, without the page around it: for what stands at the beginning of a test that is about something else. */
export async function posts(page: Page, path: string, form: Record<string, string>) {
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await page.request.post(path, { form, headers, maxRedirects: 0 })).status(), path).toBe(303)
}

/** Signs in without a look at /signin; no page is open yet. */
export const entersAs = (page: Page, email: string, secret = demoPassword) =>
  posts(page, '/signin', { email, password: secret })

/** A new account with a name, signed in without a look at a page; answers its e-mail. */
export async function newPerson(page: Page): Promise<string> {
  const email = `persona-${randomUUID()}@example.mx`
  await posts(page, '/signup', { email, password })
  await posts(page, '/completion', { name: 'Ana', lastname: 'Prueba', phone: '55 1234-5678' })
  return email
}

/** Until scripts have the page: a form sent before that goes the way of pages without them. */
export const isTakenOver = (page: Page) =>
  page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith('__reactContainer')))

/** Whether React has this very element; of those that are replaced then, it never has. */
export const hasIt = (at: Element) => Object.keys(at).some((key) => key.startsWith('__react'))
/** Until React has it, and its effects have run. */
export async function isHeld(part: Locator) {
  await expect.poll(() => part.evaluate(hasIt)).toBe(true)
  await part.page().evaluate(() => new Promise((idle) => requestIdleCallback(idle)))
}

/** The same as `isTakenOver`, and what keeps typed words has come too. */
export async function keepsWords(page: Page) {
  await isTakenOver(page)
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /drafts-[^/]*\.js$/.test(name)),
  )
}

/** Opens a page as a slow network would: `meanwhile` happens before its scripts have come. */
export async function openSlowly(page: Page, path: string, meanwhile: () => Promise<unknown>) {
  const { promise: scripts, resolve: come } = Promise.withResolvers<void>()
  await page.route(/entry\.client/, (route) => scripts.then(() => route.continue()))
  await page.goto(path, { waitUntil: 'commit' })
  // Nothing is drawn before the styles have come.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
  await page.evaluate(() => document.fonts.ready)
  await meanwhile()
  come()
  await isTakenOver(page)
}

/** A new account, left at /completion; answers its e-mail. */
export async function signUp(page: Page): Promise<string> {
  const email = `persona-${randomUUID()}@example.mx`
  await page.goto('/signup')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña').fill(password)
  await page.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(page).toHaveURL('/completion')
  return email
}

/** From /completion to home. */
export async function completeProfile(page: Page, name: string, lastname: string) {
  await page.getByLabel('Nombre').fill(name)
  await page.getByLabel('Apellidos').fill(lastname)
  await page.getByLabel('Teléfono').fill('55 1234-5678')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL('/')
}

/** Where a test's customer lives: both technicians serve the south. */
const south = { postalCode: '03100', colonia: 'Del Valle' }

/** From /address to /technics-visit. */
export async function giveAddress(page: Page) {
  await page.getByLabel('Código postal', { exact: true }).fill(south.postalCode)
  await page.getByLabel('Colonia').fill(south.colonia)
  await page.getByLabel('Calle', { exact: true }).fill(home.street)
  await page.getByLabel('Número exterior').fill(home.outerNumber)
  await page.getByLabel('Tipo de vivienda').selectOption('Casa')
  await page.getByLabel('Estacionamiento').selectOption('Propio techado')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL('/technics-visit')
}

/** The same with an address. */
export async function newCustomer(page: Page, place = south): Promise<string> {
  const email = await newPerson(page)
  await posts(page, '/address', { ...place, ...home, dwelling: 'house', parking: 'own_covered' })
  return email
}

const home = { street: 'Londres', outerNumber: '247' }

/** Opens the nth free day of the agenda, counted over its months; answers it as lists write it: "24 nov 2026". */
export async function openDay(page: Page, nth: number): Promise<string> {
  await page.goto('/agenda-technics-visit')
  return chooseDay(page, nth)
}

/** The same, in the agenda that is open. */
export async function chooseDay(page: Page, nth: number): Promise<string> {
  const agenda = page.getByRole('region', { name: 'Día' })
  // Its days are counted once they are there.
  await expect(agenda.getByRole('heading').first()).toBeVisible()
  // The first day may have few hours left, late on the day before.
  const days = agenda.getByRole('link', { name: /([5-9]|\d\d) horarios libres/ })
  let left = nth
  for (let here = await days.count(); left >= here; here = await days.count()) {
    left -= here
    const month = (await agenda.getByRole('heading').textContent()) ?? ''
    await agenda.getByRole('link', { name: 'Mes siguiente' }).click()
    await expect(agenda.getByRole('heading')).not.toHaveText(month)
  }
  // By its address: meanwhile another test may take the last hour of a day before it.
  const href = (await days.nth(left).getAttribute('href')) ?? ''
  const day = days.and(agenda.locator(`a[href="${href}"]`))
  await day.click()
  await expect(day).toHaveAttribute('aria-current', 'date')
  const words = (await day.getAttribute('aria-label')) ?? ''
  return words.replace(/^\S+ (\d+) de (\S{3})\S* de (\d{4}),.*$/, '$1 $2 $3')
}

/** Writes the street of an address, without sending it. */
export async function typesStreet(page: Page) {
  await page.goto('/address?editar')
  await page.getByLabel('Calle', { exact: true }).fill('Calle de los Olvidos')
  await page.getByLabel('Estacionamiento').selectOption('Compartido')
}

export async function findsStreet(page: Page) {
  await expect(page).toHaveURL(/\/address\?editar=?$/)
  await expect(page.getByLabel('Calle', { exact: true })).toHaveValue('Calle de los Olvidos')
  await expect(page.getByLabel('Estacionamiento')).toHaveValue('shared')
}

const bookings = ['visit', 'keyboard', 'caller', 'offline', 'cancelled', 'moved'] as const

/** The free day of one test in one project, so that no two tests want the same time. */
export const dayOf = (booking: (typeof bookings)[number], project = '') =>
  2 * bookings.indexOf(booking) + Number(project.endsWith('without JavaScript'))

/** What this device keeps of forms that were not accepted. */
export const kept = (page: Page) => page.evaluate(() => localStorage.getItem('carga.drafts'))

/** The menu, unfolded where it is folded away. */
export async function openMenu(page: Page, onPhone: boolean) {
  if (onPhone) await page.getByLabel('Abrir el menú').click()
  const menu = page.getByRole('navigation', { name: 'Menú principal' })
  await expect(menu).toBeVisible()
  return menu
}

/** After a form came back: its first wrong field has the focus, or, without scripts, the list that leads to it. */
export const isSought = (page: Page, field: Locator) =>
  expect(field.or(page.getByRole('alert')).and(page.locator(':focus'))).toHaveCount(1)

/** The words of a toast, or of the alert that stands for it without JavaScript; not those that are only read aloud. */
export const toastOn = (page: Page, words: string) => page.getByText(words, { exact: true })
