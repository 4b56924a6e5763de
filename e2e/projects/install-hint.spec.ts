import { expect, test } from '../kit/call-world.ts'
import { isTakenOver } from '../kit/steps.ts'

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
const hint = 'Ten tu instalación a la mano'

test('on a phone a customer with an appointment is told once how to install the product', {
  tag: '@once',
}, async ({ newCall }) => {
  const { page } = (await newCall({ customer: phone })).customer
  await page.goto('/')
  await isTakenOver(page)
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
  await page.getByRole('button', { name: 'Agregar', exact: true }).click()
  await expect(page.locator('body[data-asked]')).toBeAttached()
  await expect(page.getByText(hint)).toHaveCount(0)
  await page.reload()
  await isTakenOver(page)
  expect(await offer()).toBe(false)
  await expect(page.getByText(hint)).toHaveCount(0)
})

test('an iPhone is told in words', { tag: '@once' }, async ({ newCall }) => {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15'
  const { page } = (await newCall({ customer: { ...phone, userAgent } })).customer
  await page.goto('/')
  await expect(page.getByText('Agregar a inicio')).toBeVisible()
  await page.getByRole('button', { name: 'Entendido' }).click()
  await expect(page.getByText(hint)).toHaveCount(0)
  await page.reload()
  await isTakenOver(page)
  await expect(page.getByText(hint)).toHaveCount(0)
})
