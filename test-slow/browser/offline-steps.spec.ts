import { theDayComes, withDatabase } from '../../e2e/kit/database.ts'
import { isKept } from '../../e2e/kit/phone-rows.ts'
import { entersAs, isTakenOver, toastOn } from '../../e2e/kit/steps.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { addDays, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { shortDate } from '../../src/domain/shared/format.ts'

test.use({ losesNetwork: true })

const account = '/admin/account'

const timeOffOf = (personId: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ reason: string; isGone: boolean }>(
      'select reason, withdrawn_at is not null as "isGone" from time_off where person_id = $1',
      [personId],
    )
    return rows
  })

test('a technician asks for days off without a network, and the request is sent by itself', async ({
  page,
  crew,
}) => {
  const date = addDays(localDate(toMinutes(new Date())), 40)
  const badge = page.locator('[data-outbox]')
  await entersAs(page, crew.email)
  await page.goto('/admin')
  await isKept(page, account)
  await page.goto(account)
  await isTakenOver(page)
  await expect(badge).toHaveText('Nada por enviar')
  const card = page.getByRole('region', { name: 'Permisos y vacaciones' })
  await page.context().setOffline(true)
  await card.getByLabel('Desde el día').fill(date)
  await card.getByLabel('Hasta el día').fill(date)
  const ask = card.getByRole('button', { name: 'Pedir permiso' })
  await ask.click()
  await expect(card.getByText('Escribe el motivo.').first()).toBeVisible()
  await expect(card.getByLabel('Desde el día')).toHaveValue(date)
  await card.getByLabel('Motivo').fill('Una boda')
  await ask.click()
  await expect(toastOn(page, 'Guardamos tu solicitud')).toBeVisible()
  await expect(badge).toContainText('1 por enviar')
  await page.reload()
  await expect(page.getByText('Guardado a la')).toBeVisible({ timeout: 15_000 })
  await expect(card.getByText('Por enviar')).toBeVisible()
  await expect(card.getByText(shortDate(date))).toBeVisible()
  await expect(card.getByLabel('Motivo')).toHaveValue('')
  // It stays in sight while the page moves below it.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.locator('[data-strip]')).toBeInViewport()
  await badge.click()
  await expect(page.getByRole('dialog')).toContainText(`Pedir permiso: ${shortDate(date)}`)
  await page.keyboard.press('Escape')
  expect(await timeOffOf(crew.id)).toEqual([])
  await page.context().setOffline(false)
  await expect(badge).toHaveText('Nada por enviar', { timeout: 30_000 })
  await expect(card.getByText('Por aprobar')).toBeVisible()
  await expect(page.getByText('Guardado a la')).toHaveCount(0)
  expect(await timeOffOf(crew.id)).toEqual([{ reason: 'Una boda', isGone: false }])
  await page.context().setOffline(true)
  await card.getByRole('button', { name: 'Retirar' }).click()
  await expect(card.getByText('Retirada, por enviar')).toBeVisible()
  await page.context().setOffline(false)
  await expect.poll(() => timeOffOf(crew.id), { timeout: 30_000 }).toMatchObject([{ isGone: true }])
})

test.describe('read again where there is no network', () => {
  test.use({ losesNetwork: true })
  test('a technician sets where the day begins, and reads the way also without a network', async ({
    page,
    crew: { email, folios },
  }) => {
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
    await isKept(page, '/admin')
    await page.context().setOffline(true)
    await page.reload()
    await expect(stop).toContainText(/\d+\smin de camino, sal ya/)
  })
})
