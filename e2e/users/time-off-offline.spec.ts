import { addDays, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { shortDate } from '../../src/domain/shared/format.ts'
import { withDatabase } from '../kit/database.ts'
import { isKept } from '../kit/phone-rows.ts'
import { entersAs, isTakenOver, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test.use({ losesNetwork: true })
test.describe.configure({ timeout: 120_000 })

const account = '/admin/account'

const timeOffOf = (personId: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ reason: string; isGone: boolean }>(
      'select reason, withdrawn_at is not null as "isGone" from time_off where person_id = $1',
      [personId],
    )
    return rows
  })

test('time off asked for without a network outlives its page, says so, and is sent by itself', {
  tag: '@inHand',
}, async ({ page, crew }) => {
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

test('what the server refuses of it turns the cloud red, and says what to do', {
  tag: '@inHand',
}, async ({ page, crew }) => {
  const date = addDays(localDate(toMinutes(new Date())), 50)
  const badge = page.locator('[data-outbox]')
  await withDatabase((client) =>
    client.query(`insert into time_off (person_id, during) values ($1, tstzrange($2::date, $2::date + 3))`, [
      crew.id,
      addDays(date, -1),
    ]),
  )
  await entersAs(page, crew.email)
  await page.goto(account)
  await isTakenOver(page)
  await expect(badge).toHaveText('Nada por enviar')
  const card = page.getByRole('region', { name: 'Permisos y vacaciones' })
  await card.getByLabel('Desde el día').fill(date)
  await card.getByLabel('Hasta el día').fill(date)
  await card.getByLabel('Motivo').fill('Una boda')
  await card.getByRole('button', { name: 'Pedir permiso' }).click()
  await expect(badge).toHaveText(/1 no se aceptó/i)
  await expect(card.getByText('Ya tienes un permiso o una solicitud en esas fechas.')).toBeVisible()
  await badge.click()
  const list = page.getByRole('dialog')
  await expect(list).toContainText('Escribiste: «Una boda»')
  page.on('dialog', (asked) => void asked.accept())
  await list.getByRole('button', { name: 'Borrar' }).click()
  await page.keyboard.press('Escape')
  await expect(badge).toHaveText('Nada por enviar')
  await expect(card.getByText('No se aceptó')).toHaveCount(0)
})
