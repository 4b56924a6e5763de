import { theDayComes, withDatabase } from '../../e2e/kit/database.ts'
import {
  buttonIn,
  fillForm,
  openScreen,
  openScreenAs,
  press,
  reads,
  regionIn,
  showsValue,
} from '../../e2e/kit/parts.ts'
import { isKept } from '../../e2e/kit/phone-rows.ts'
import { expect, test } from '../../e2e/kit/test.ts'
import { expectToast } from '../../e2e/kit/toasts.ts'
import { addDays, localDate, toMinutes } from '../../src/shared/calendar.ts'
import { shortDate } from '../../src/shared/format.ts'

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
  team,
}) => {
  const date = addDays(localDate(toMinutes(new Date())), 40)
  const badge = page.locator('[data-outbox]')
  await openScreenAs(page, team.email, '/admin')
  await isKept(page, account)
  await openScreen(page, account)
  await expect(badge).toHaveText('Nada por enviar')
  const card = regionIn(page, 'Permisos y vacaciones')
  await page.context().setOffline(true)
  await fillForm(card, { 'Desde el día': date, 'Hasta el día': date })
  const ask = buttonIn(card, 'Pedir permiso')
  await ask.click()
  await expect(card.getByText('Escribe el motivo.').first()).toBeVisible()
  await showsValue(card, 'Desde el día', date)
  await card.getByLabel('Motivo').fill('Una boda')
  await ask.click()
  await expectToast(page, 'Guardamos tu solicitud')
  await expect(badge).toContainText('1 por enviar')
  await page.reload()
  await expect(page.getByText('Guardado a la')).toBeVisible({ timeout: 15_000 })
  await reads(card, 'Por enviar')
  await reads(card, shortDate(date))
  await showsValue(card, 'Motivo', '')
  // It stays in sight while the page moves below it.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.locator('[data-strip]')).toBeInViewport()
  await badge.click()
  await expect(page.getByRole('dialog')).toContainText(`Pedir permiso: ${shortDate(date)}`)
  await page.keyboard.press('Escape')
  expect(await timeOffOf(team.id)).toEqual([])
  await page.context().setOffline(false)
  await expect(badge).toHaveText('Nada por enviar', { timeout: 30_000 })
  await reads(card, 'Por aprobar')
  await expect(page.getByText('Guardado a la')).toHaveCount(0)
  expect(await timeOffOf(team.id)).toEqual([{ reason: 'Una boda', isGone: false }])
  await page.context().setOffline(true)
  await press(card, 'Retirar')
  await reads(card, 'Retirada, por enviar')
  await page.context().setOffline(false)
  await expect.poll(() => timeOffOf(team.id), { timeout: 30_000 }).toMatchObject([{ isGone: true }])
})

test('a technician sets where the day begins, and reads the way also without a network', async ({
  page,
  team: { email, folios },
}) => {
  await theDayComes(folios[0])
  await openScreenAs(page, email, '/admin')
  const stop = page.getByRole('article')
  await expect(stop).toContainText(folios[0])
  await expect(stop).not.toContainText('de camino')
  await page.goto('/admin/account')
  await page.getByLabel('Salgo de').selectOption('Xochimilco')
  await press(page, 'Guardar salida')
  await expectToast(page, 'Guardamos la salida')
  await showsValue(page, 'Salgo de', 'xochimilco')
  await page.goto('/admin')
  await expect(stop).toContainText(/\d+\smin de camino, sal ya/)
  await isKept(page, '/admin')
  await page.context().setOffline(true)
  await page.reload()
  await expect(stop).toContainText(/\d+\smin de camino, sal ya/)
})
