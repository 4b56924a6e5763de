import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { withDatabase } from '../kit/database.ts'
import { isTakenOver, newPerson, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

/** A browser without a screen asks nobody, and a service on the internet gives out the address: this one does both by itself. */
const subscribesHere = (page: Page) =>
  page.addInitScript(() => {
    const keys = { p256dh: `B${'x'.repeat(86)}`, auth: 'y'.repeat(22) }
    const subscription = {
      toJSON: () => ({ endpoint: 'https://push.example/aqui', keys }),
      unsubscribe: async () => (given = false),
    }
    let given = false
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    const { prototype } = PushManager
    prototype.subscribe = async () => {
      given = true
      return subscription as unknown as PushSubscription
    }
    prototype.getSubscription = async () => (given ? (subscription as unknown as PushSubscription) : null)
  })

const devicesOf = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query(
      'select endpoint from push_subscriptions p join users u on u.id = p.user_id where u.email = $1',
      [email],
    )
    return rows.map(({ endpoint }) => endpoint)
  })

const card = (page: Page) => page.getByRole('region', { name: 'Avisos en este dispositivo' })

test('notices are turned on by a press, with a worker of their own, and turned off', {
  tag: '@once',
}, async ({ page }) => {
  await subscribesHere(page)
  const email = await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  const turn = card(page).getByRole('switch', { name: 'Avisarme aquí' })
  await expect(turn).toHaveAttribute('aria-checked', 'false')
  await findsNothing(page, 'the account')

  await turn.click()
  await expect(turn).toHaveAttribute('aria-checked', 'true')
  await expect(toastOn(page, 'Activamos tus avisos')).toBeVisible()
  expect(await devicesOf(email)).toEqual(['https://push.example/aqui'])

  // Its worker is there, and controls no page.
  const isThere = () =>
    page.evaluate(async () => Boolean(await navigator.serviceWorker.getRegistration('/push/')))
  expect(await isThere()).toBe(true)
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()

  await turn.click()
  await expect(turn).toHaveAttribute('aria-checked', 'false')
  await expect.poll(() => devicesOf(email)).toEqual([])
})

test('the kinds of news are chosen', { tag: ['@plain', '@once'] }, async ({ page }) => {
  await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  await card(page).getByLabel('Pagos y facturas').uncheck()
  await card(page).getByRole('button', { name: 'Guardar mis preferencias' }).click()
  await expect(toastOn(page, 'Guardamos tus avisos')).toBeVisible()
  await expect(card(page).getByLabel('Pagos y facturas')).not.toBeChecked()
  await expect(card(page).getByLabel('Cotizaciones')).toBeChecked()
})

test('a browser that blocks them is told what to do', { tag: '@once' }, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  await isTakenOver(page)
  await card(page).getByText('Los avisos están bloqueados').click()
  await expect(card(page).getByText('Permítelos para este sitio')).toBeVisible()
  await expect(card(page).getByRole('switch')).toHaveCount(0)
})

test('who refuses them at the press reads at once how to allow them', { tag: '@once' }, async ({ page }) => {
  await page.addInitScript(() => {
    let permission: NotificationPermission = 'default'
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => {
      permission = 'denied'
      return permission
    }
  })
  await newPerson(page)
  await page.goto('/cuenta#avisos-dispositivo')
  await card(page).getByRole('switch').click()
  await expect(card(page).getByRole('alert')).toBeFocused()
  await expect(card(page).getByText('Permítelos para este sitio')).toBeVisible()
})
