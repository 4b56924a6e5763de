import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../kit/world.ts'

/** A toast of the destructive kind: a sign-in that is refused, of somebody else each time, since an account has to wait after a few. */
async function raise(page: Page) {
  await page.getByLabel('Correo electrónico').fill(`nadie-${randomUUID()}@demo.mx`)
  await page.getByLabel('Contraseña').fill('no es esta')
  const send = page.getByRole('button', { name: 'Iniciar sesión' })
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await send.click()
  await answer
  await expect(send).not.toHaveAttribute('aria-disabled')
  await expect(toasts(page)).toHaveCount(1)
}

const area = (page: Page) => page.getByRole('region', { name: 'Avisos (F8)' })
const toasts = (page: Page) => area(page).getByRole('listitem')

test.beforeEach(({ page }) => page.goto('/signin').then(() => undefined))

test('one at a time; Escape and its button close it', { tag: '@once' }, async ({ page }) => {
  await raise(page)
  await raise(page)
  await expect(toasts(page)).toContainText('No pudimos iniciar tu sesión')
  expect((await area(page).getByRole('list').boundingBox())?.width).toBeLessThanOrEqual(420)
  await page.keyboard.press('Escape')
  await expect(toasts(page)).toHaveCount(0)
  await raise(page)
  await toasts(page).getByRole('button', { name: 'Cerrar aviso' }).click()
  await expect(toasts(page)).toHaveCount(0)
})

test('it stands above while the buttons of a page stand at its foot', { tag: '@once' }, async ({
  arrive,
}) => {
  for (const [width, isAbove] of [
    [900, true],
    [1280, false],
  ] as const) {
    const page = await arrive({ viewport: { width, height: 700 } })
    await page.goto('/signin')
    await raise(page)
    expect((await toasts(page).boundingBox())!.y < 350).toBe(isAbove)
  }
})

test('F8 goes to it, Tab to its button', { tag: '@once' }, async ({ page }) => {
  await raise(page)
  await page.keyboard.press('F8')
  await expect(area(page).getByRole('list')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(toasts(page).getByRole('button', { name: 'Cerrar aviso' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toasts(page)).toHaveCount(0)
})

test('it closes after five seconds, which stand still while the mouse is on it', { tag: '@once' }, async ({
  page,
}) => {
  await page.clock.install()
  await page.reload()
  await raise(page)
  await page.clock.fastForward(3000)
  await expect(toasts(page)).toHaveCount(1)
  await toasts(page).hover()
  await page.clock.fastForward(60_000)
  await expect(toasts(page)).toHaveCount(1)
  await page.mouse.move(5, 300)
  await page.clock.fastForward(5000)
  await expect(toasts(page)).toHaveCount(0)
})

test('a swipe to the right closes it from fifty pixels on', { tag: '@inHand' }, async ({ page }) => {
  await raise(page)
  await swipe(page, 40)
  await expect(toasts(page)).toHaveCount(1)
  await swipe(page, 60)
  await expect(toasts(page)).toHaveCount(0)
})

async function swipe(page: Page, right: number) {
  const box = await toasts(page).boundingBox()
  const [x, y] = [(box?.x ?? 0) + 60, (box?.y ?? 0) + (box?.height ?? 0) / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + right / 2, y, { steps: 4 })
  await page.mouse.move(x + right, y, { steps: 4 })
  await page.mouse.up()
}

test.describe('where the code that shows toasts can’t be fetched', () => {
  test.use({ losesNetwork: true })
  const plain = (page: Page) =>
    page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Cerrar aviso' }) })
  const send = async (page: Page) => {
    await page.getByLabel('Correo electrónico').fill(`nadie-${randomUUID()}@demo.mx`)
    await page.getByLabel('Contraseña').fill('no es esta')
    await page.getByRole('button', { name: 'Iniciar sesión' }).click()
  }

  test.beforeEach(async ({ page }) => {
    await page.route(/toast-area/, (route) => route.abort())
    await page.clock.install()
    await page.reload()
    await send(page)
    await expect(plain(page)).toBeVisible()
  })

  test('its stand-in closes after five seconds, which stand still under the mouse', { tag: '@once' }, async ({
    page,
  }) => {
    await plain(page).hover()
    await page.clock.fastForward(60_000)
    await expect(plain(page)).toBeVisible()
    await page.mouse.move(5, 300)
    await page.clock.fastForward(5000)
    await expect(plain(page)).toHaveCount(0)
  })

  test('Escape and its button close it, F8 leads to that button', { tag: '@once' }, async ({ page }) => {
    await page.keyboard.press('Escape')
    await expect(plain(page)).toHaveCount(0)
    await send(page)
    await expect(plain(page)).toBeVisible()
    await page.keyboard.press('F8')
    await expect(plain(page).getByRole('button', { name: 'Cerrar aviso' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(plain(page)).toHaveCount(0)
  })

  test('the next toast is the real one, once it can be fetched', { tag: '@once' }, async ({ page }) => {
    await page.unroute(/toast-area/)
    await raise(page)
    await expect(plain(page)).toHaveCount(0)
    await expect(toasts(page)).toContainText('No pudimos iniciar tu sesión')
  })
})
