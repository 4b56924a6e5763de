import { findsNothing, findsNothingInAny } from '../kit/axe.ts'
import { theDayComes } from '../kit/database.ts'
import { onServer } from '../kit/onsite-rows.ts'
import { isKept } from '../kit/phone-rows.ts'
import { isLargeEnough } from '../kit/sizes.ts'
import { entersAs, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('a technician’s home is the next stop: who, when, how to reach them, and one step', {
  tag: ['@plain', '@inHand'],
}, async ({ page, crew: { email, folios }, javaScriptEnabled }) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Prueba')
  const stop = page.getByRole('article')
  await expect(stop).toContainText(folios[0])
  await expect(stop.getByRole('link', { name: /^Llamar/ })).toHaveAttribute('href', /^tel:\+52\d{10}$/)
  if (javaScriptEnabled) await findsNothing(page, 'the next stop')

  await stop.getByRole('button', { name: 'Voy tarde: 1 h' }).click()
  await expect(toastOn(page, 'Anotamos el retraso')).toBeVisible()
  await expect(page).toHaveURL('/admin')
  await expect(stop).toContainText('Le dijimos al cliente que llegas cerca de')
  await stop.getByRole('button', { name: 'A tiempo' }).click()
  await expect(stop).toContainText('¿Vas tarde?')

  await stop.getByRole('button', { name: 'Voy en camino' }).click()
  await expect(toastOn(page, 'Vas en camino')).toBeVisible()
  await expect(stop.getByRole('button', { name: 'Ya llegué: iniciar' })).toBeVisible()
  await expect.poll(async () => (await onServer(folios[0])).state).toBe('en_route')
  const bar = page.getByRole('navigation', { name: 'Atajos' })
  await expect(bar.getByRole('link', { name: 'Hoy' })).toHaveAttribute('aria-current', 'page')
  await bar.getByRole('link', { name: 'Citas' }).click()
  await expect(bar.getByRole('link', { name: 'Citas' })).toHaveAttribute('aria-current', 'page')
})

test('the step of the next stop is kept without a network, and sent with its hour', {
  tag: '@inHand',
}, async ({ page, crew: { email, folios } }) => {
  await theDayComes(folios[0])
  await entersAs(page, email)
  await page.goto('/admin')
  await isKept(page, '/admin')
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
  await page.context().setOffline(true)
  // Of what waits, the screen says so, until it is taken back.
  await page.getByRole('button', { name: 'Voy tarde: 1 h' }).click()
  const late = page.getByText('1 h tarde, por enviar')
  await expect(late).toBeVisible()
  await page.locator('[data-outbox]').click()
  page.once('dialog', (question) => question.accept())
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.locator('[data-outbox]')).toHaveText('Nada por enviar')
  await page.keyboard.press('Escape')
  await expect(late).toHaveCount(0)
  await page.getByRole('button', { name: 'Voy en camino' }).click()
  await expect(toastOn(page, 'Vas en camino')).toBeVisible()
  await expect(page.locator('[data-outbox]')).toHaveText('1 por enviar')
  await page.getByRole('button', { name: 'Ya llegué: iniciar' }).click()
  await expect(page.getByRole('link', { name: 'Seguir con el reporte' })).toBeVisible()
  await page.locator('[data-outbox]').click()
  await expect(page.getByRole('dialog')).toContainText(folios[0])
  await isLargeEnough(page, 'what waits to be sent')
  await findsNothingInAny(page, 'what waits to be sent', true)
  // Pressed by mistake: the last of them can be taken back before it is sent.
  page.once('dialog', (question) => question.accept())
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.locator('[data-outbox]')).toHaveText('1 por enviar')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ya llegué: iniciar' }).click()
  await expect(page.locator('[data-outbox]')).toHaveText('2 por enviar')
  expect((await onServer(folios[0])).state).toBe('assigned')
  await page.context().setOffline(false)
  await expect.poll(async () => (await onServer(folios[0])).state, { timeout: 20_000 }).toBe('in_progress')
})

test.describe('read again where there is no network', () => {
  test.use({ losesNetwork: true })

  test('the first way of a day begins where its technician says, also without a network', {
    tag: ['@plain', '@inHand'],
  }, async ({ page, crew: { email, folios }, javaScriptEnabled }) => {
    await theDayComes(folios[0])
    await entersAs(page, email)
    await page.goto('/admin')
    const stop = page.getByRole('article')
    await expect(stop).toContainText(folios[0])
    await expect(stop).not.toContainText('de camino')
    await page.goto('/admin/account')
    await page.getByLabel('Salgo de').selectOption('Xochimilco')
    await page.getByRole('button', { name: 'Guardar salida' }).click()
    await expect(toastOn(page, 'Guardamos la salida')).toBeVisible()
    await expect(page.getByLabel('Salgo de')).toHaveValue('xochimilco')
    await page.goto('/admin')
    await expect(stop).toContainText(/\d+\smin de camino, sal ya/)
    if (!javaScriptEnabled) return
    await isKept(page, '/admin')
    await page.context().setOffline(true)
    await page.reload()
    await expect(stop).toContainText(/\d+\smin de camino, sal ya/)
  })
})

test('high contrast is kept by the device', { tag: ['@plain', '@inHand'] }, async ({
  page,
  crew: { email },
}) => {
  await entersAs(page, email)
  await page.goto('/admin/account')
  await page.getByLabel('Alto contraste en este equipo').check()
  await page.getByRole('button', { name: 'Guardar pantalla' }).click()
  await expect(toastOn(page, 'Encendimos el alto contraste')).toBeVisible()
  await page.goto('/admin')
  await expect(page.locator('html')).toHaveAttribute('data-contrast')
})
