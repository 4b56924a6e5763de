import { expect, test } from '../../e2e/kit/call-test.ts'
import { buttonIn, exact, follow, openScreen, openScreenAs, press, reads } from '../../e2e/kit/parts.ts'
import { entersAs, isTakenOver } from '../../e2e/kit/steps.ts'

test('a customer who opened the menu before scripts loaded closes it by following a link', async ({
  page,
}) => {
  await openScreenAs(page, 'cliente@demo.mx', '/agenda-technics-visit#menu')
  await expect(buttonIn(page, 'Abrir el menú')).toBeAttached()
  const menu = page.getByRole('navigation', { name: 'Menú principal' })
  await follow(menu, 'Mi domicilio')
  await expect(page.getByRole('heading', { level: 1, name: 'Mi domicilio' })).toBeVisible()
  await expect(menu).toBeHidden()
})

test('a customer finds the main action in its card on a desk and at the foot of a phone', async ({
  page,
}) => {
  await entersAs(page, 'cliente@demo.mx')
  const action = page.locator('[data-action-bar]').getByRole('link')
  for (const path of ['/technics-visit', '/videocall', '/quote', '/installation']) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    await expect(action).toHaveCount(1)
    await expect(action).toBeInViewport()
    expect(await action.evaluate((link) => link.closest('.rounded-card') !== null), path).toBe(true)
    await page.setViewportSize({ width: 360, height: 740 })
    const box = (await action.boundingBox())!
    expect(box.y, path).toBeGreaterThan(740 / 2)
    expect(box.y + box.height, path).toBeLessThanOrEqual(740)
  }
  // The agenda is longer than the screen of a laptop.
  await page.setViewportSize({ width: 1440, height: 640 })
  await page.goto('/agenda-technics-visit')
  await expect(buttonIn(page, 'Agendar visita')).toBeInViewport({ ratio: 1 })
})

const mobile = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

const hint = 'Ten tu instalación a la mano'

test('a customer with an appointment reads once how to install the app', async ({ newCall }) => {
  const { page } = (await newCall({ customer: mobile })).customer
  await openScreen(page, '/')
  await expect(page.getByText(hint)).toHaveCount(0)
  // Chromium without a screen never offers it.
  const offer = () =>
    page.evaluate(() => {
      const event = new Event('beforeinstallprompt', { cancelable: true })
      dispatchEvent(
        Object.assign(event, { prompt: async () => document.body.setAttribute('data-asked', '') }),
      )
      return event.defaultPrevented
    })
  expect(await offer()).toBe(true)
  await press(page, 'Agregar', exact)
  await expect(page.locator('body[data-asked]')).toBeAttached()
  await expect(page.getByText(hint)).toHaveCount(0)
  await page.reload()
  await isTakenOver(page)
  expect(await offer()).toBe(false)
  await expect(page.getByText(hint)).toHaveCount(0)
})

test('a customer with an iPhone reads how to install the app', async ({ newCall }) => {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15'
  const { page } = (await newCall({ customer: { ...mobile, userAgent } })).customer
  await page.goto('/')
  await reads(page, 'Agregar a inicio')
  await press(page, 'Entendido')
  await expect(page.getByText(hint)).toHaveCount(0)
  await page.reload()
  await isTakenOver(page)
  await expect(page.getByText(hint)).toHaveCount(0)
})
