import type { Locator, Page } from '@playwright/test'
import { buttonIn, exact, follow, isAt, isTitled, linkIn, press, regionIn } from '../../e2e/kit/parts.ts'
import { giveAddress, newPerson } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'

/** A toast: a customer saves their name. */
async function raise(page: Page) {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  const send = await save(page)
  await answer
  await expect(send).not.toHaveAttribute('aria-disabled')
  await expect(toasts(page)).toHaveCount(1)
}

async function save(page: Page) {
  const send = buttonIn(page, 'Guardar', exact)
  await send.click()
  return send
}

const opens = async (page: Page) => {
  await newPerson(page)
  await page.goto('/cuenta#perfil')
}

const area = (page: Page) => regionIn(page, 'Avisos (F8)')

const toasts = (page: Page) => area(page).getByRole('listitem')

test.beforeEach(({ page }) => opens(page))

test('a customer sees one toast at a time and closes it by Escape or its button', async ({ page }) => {
  await raise(page)
  await raise(page)
  await expect(toasts(page)).toContainText('Guardamos tus datos')
  expect((await area(page).getByRole('list').boundingBox())?.width).toBeLessThanOrEqual(420)
  await page.keyboard.press('Escape')
  await expect(toasts(page)).toHaveCount(0)
  await raise(page)
  await press(toasts(page), 'Cerrar aviso')
  await expect(toasts(page)).toHaveCount(0)
})

test('a customer sees the toast at the foot, above the action bar and over no heading', async ({
  arrive,
}) => {
  for (const [width, height] of [
    [360, 740],
    [900, 700],
    [1440, 900],
  ] as const) {
    const page = await arrive({ viewport: { width, height } })
    await newPerson(page)
    await page.goto('/address')
    await giveAddress(page)
    await expect(toasts(page)).toContainText('Guardamos tu domicilio')
    const toast = await boxOf(toasts(page))
    const bar = page.locator('[data-action-bar]')
    const heading = page.getByRole('heading', { level: 1 })
    const foot = width < 1024 ? (await boxOf(bar)).top : height
    expect(toast.bottom).toBeLessThanOrEqual(foot)
    expect(toast.top).toBeGreaterThan(Math.max(foot / 2, (await boxOf(heading)).bottom))
  }
})

test('a customer who goes on to another page leaves the toast behind', async ({ page }) => {
  await page.goto('/address')
  await giveAddress(page)
  await expect(toasts(page)).toContainText('Guardamos tu domicilio')
  await page.clock.install()
  await follow(page, 'Agendar visita')
  await isTitled(page, '¿Cuándo te visitamos?')
  await expect(toasts(page)).toHaveCount(0)
})

test('a customer sees a toast once though two requests carry it', async ({ page }) => {
  const answer = page.waitForResponse((response) => response.request().method() === 'POST')
  await raise(page)
  const [, name, value] = /(?:^|\n)(\S*flash)=([^;]+)/.exec(
    (await (await answer).allHeaders())['set-cookie']!,
  )!
  const isThere = async () => (await page.context().cookies()).some((kept) => kept.name === name)
  await page.keyboard.press('Escape')
  await expect(toasts(page)).toHaveCount(0)
  await page.context().addCookies([{ name: name!, value: value!, url: page.url() }])
  const link = linkIn(page, 'Visita técnica')
  const ahead = page.waitForResponse(/technics-visit\.data/)
  await link.hover()
  await ahead
  expect(await isThere()).toBe(true)
  await link.click()
  await isAt(page, '/technics-visit')
  await expect.poll(isThere).toBe(false)
  await expect(toasts(page)).toHaveCount(0)
})

const boxOf = (of: Locator) => of.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)

test('a customer sees a toast for five seconds, or as long as the mouse is on it', async ({ page }) => {
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

test('a customer closes a toast by a swipe of fifty pixels', async ({ page }) => {
  await raise(page)
  await swipe(page, 40)
  await expect(toasts(page)).toHaveCount(1)
  await swipe(page, 60)
  await expect(toasts(page)).toHaveCount(0)
})

async function swipe(page: Page, right: number) {
  const box = await toasts(page).boundingBox()
  const x = (box?.x ?? 0) + 60
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + right / 2, y, { steps: 4 })
  await page.mouse.move(x + right, y, { steps: 4 })
  await page.mouse.up()
}

test.describe('where the code that shows toasts can’t be fetched', () => {
  test.use({ losesNetwork: true })
  const plain = (page: Page) => page.getByRole('status').filter({ has: buttonIn(page, 'Cerrar aviso') })
  test('a customer sees a plain toast for five seconds, and closes it by Escape or its button, which F8 reaches', async ({
    page,
  }) => {
    await page.route(/toast-area/, (route) => route.abort())
    await page.clock.install()
    await page.reload()
    await save(page)
    await plain(page).hover()
    await page.clock.fastForward(60_000)
    await expect(plain(page)).toBeVisible()
    await page.mouse.move(5, 300)
    await page.clock.fastForward(5000)
    await expect(plain(page)).toHaveCount(0)
    await save(page)
    await plain(page).waitFor()
    await page.keyboard.press('Escape')
    await expect(plain(page)).toHaveCount(0)
    await save(page)
    await plain(page).waitFor()
    await page.keyboard.press('F8')
    await expect(buttonIn(plain(page), 'Cerrar aviso')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(plain(page)).toHaveCount(0)
  })
})
