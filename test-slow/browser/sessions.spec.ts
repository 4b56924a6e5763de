import type { Page } from '@playwright/test'
import { endSessionsOf, secondsLeft, sessionsEndIn } from '../../e2e/kit/database.ts'
import { buttonIn, follow, isAt, press } from '../../e2e/kit/parts.ts'
import {
  findsStreet,
  kept,
  newCustomer,
  openMenu,
  password,
  signIn,
  signUp,
  typesStreet,
} from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

/** Milliseconds in which another tab has to notice a sign-in or sign-out (specification §9). */
const within = 800

/** Milliseconds from the answer that changed the session until this tab asks the server who is signed in. */
async function notices(tab: Page, change: () => ReturnType<typeof answered>) {
  const asked: number[] = []
  // A redirect may leave the rest of its answer unread.
  tab.on('response', (response) => {
    if (response.url().includes('.data')) asked.push(response.request().timing().startTime)
  })
  const { changed, sent } = await change()
  // On a busy machine this tab may know before the answer is there.
  const since = () => asked.find((time) => time > sent)
  await expect.poll(since).toBeDefined()
  return Math.round((since() ?? 0) - changed)
}

/** When the sign-in or sign-out itself is sent and answered, by the browser's clock: the runner hears of it later. */
async function answered(page: Page) {
  const answer = await page.waitForResponse((response) => response.url().includes('/v1/session/sign-'))
  const { responseStart, startTime } = answer.request().timing()
  return { sent: startTime, changed: startTime + responseStart }
}

async function signOutAt(page: Page) {
  const changed = answered(page)
  await page.goto('/')
  await page.locator('form[action="/signout"]:visible').getByRole('button').click()
  await isAt(page, /signin/)
  return changed
}

test.describe('another tab', () => {
  for (const how of ['by the browser’s own event', 'by asking again'])
    test(`a person’s other tab follows a sign-in and a sign-out, ${how}`, async ({ page }) => {
      const other = await page.context().newPage()
      if (how === 'by asking again')
        await other.addInitScript(() => Object.defineProperty(window, 'cookieStore', { value: undefined }))
      await other.goto('/signup')
      await expect(buttonIn(other, 'Crear cuenta')).toBeEnabled()
      await other.waitForLoadState('networkidle')
      const afterSignIn = await notices(other, async () => {
        const changed = answered(page)
        await signIn(page, 'analista@demo.mx')
        return changed
      })
      await isAt(other, '/admin')
      const afterSignOut = await notices(other, () => signOutAt(page))
      await isAt(other, /\/signin(\?|$)/)
      console.log(`${how}: ${afterSignIn} ms after the sign-in, ${afterSignOut} ms after the sign-out`)
      // What is measured from outside holds the machine's own delays.
      expect(Math.max(afterSignIn, afterSignOut)).toBeLessThanOrEqual(within + 400)
    })
})

for (const moment of ['before the page noticed', 'while the page notices'])
  test(`a customer who sends a form after the session ended, ${moment}, loses nothing`, async ({ page }) => {
    // Without its stream the page is told nothing, and does not leave before the press.
    await page.route(/\/live/, (route) => route.fulfill({ status: 204 }))
    const email = await newCustomer(page)
    await typesStreet(page)
    await endSessionsOf(email)
    if (moment === 'while the page notices') {
      // What it asks to notice gets no answer before the press.
      await page.route(/\/address\.data/, async (route) => {
        if (route.request().method() === 'POST') await route.fallback()
      })
      await page.context().clearCookies()
    }
    await press(page, 'Guardar')
    await isAt(page, /\/signin(\?|$)/)
    await page.unroute(/\/address\.data/)
    await signIn(page, email, password)
    await findsStreet(page)
  })

test('a customer does not find what the previous customer typed', async ({ page }) => {
  const email = await newCustomer(page)
  await typesStreet(page)
  await expect.poll(() => kept(page)).toContain('Olvidos')
  await endSessionsOf(email)
  await expect(page).toHaveURL(/\/signin(\?|$)/, { timeout: 5_000 })
  await signIn(page, 'cliente2@demo.mx')
  await isAt(page, '/')
  await expect.poll(() => kept(page)).toBeNull()
  await page.goto('/address?editar')
  await expect(page.getByLabel('Calle', { exact: true })).not.toHaveValue('Calle de los Olvidos')
})

test('a customer who leaves a form keeps no draft of it', async ({ page, onPhone }) => {
  await newCustomer(page)
  await typesStreet(page)
  await follow(await openMenu(page, onPhone), 'Inicio')
  await isAt(page, '/')
  await expect.poll(() => kept(page)).toBeNull()
})

test('a visitor’s session is renewed five minutes before its end', async ({ page }) => {
  const email = await signUp(page)
  await sessionsEndIn(email, 303)
  await page.reload()
  expect(await secondsLeft(email)).toBeLessThan(304)
  await expect.poll(() => secondsLeft(email), { timeout: 10_000 }).toBeGreaterThan(86_400)
})
