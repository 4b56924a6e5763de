import type { Page } from '@playwright/test'
import { withDatabase } from '../kit/database.ts'
import { linkTo } from '../kit/outbox.ts'
import { dayOf, newCustomer, openDay, places, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const proveMailbox = (email: string) =>
  withDatabase((client) => client.query('update users set email_verified = true where email = $1', [email]))

const homes = (page: Page) => page.getByRole('group', { name: 'Domicilio' })
const shown = (page: Page) => homes(page).locator('[aria-current]')

test('a second home: begun in Mi domicilio, booked, left for the first one, and found again by a letter', {
  tag: ['@plain', '@once'],
}, async ({ page, javaScriptEnabled }) => {
  const email = await newCustomer(page)
  await proveMailbox(email)
  await page.goto('/address')
  await expect(homes(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Agregar otro domicilio' }).click()
  await expect(page).toHaveURL(/\/address\?proyecto=/)
  await expect(shown(page)).toHaveText('Domicilio nuevo')
  await gives(page, 'Madero', '12')
  await expect(page).toHaveURL(/\/technics-visit\?proyecto=/)
  await expect(shown(page)).toHaveText('Madero 12')

  await page.getByRole('link', { name: 'Agendar visita' }).click()
  // Of stories that are not told on a phone: a day further on may be beyond the last one that can be booked.
  await openDay(page, dayOf(javaScriptEnabled ? 'race' : 'twice', 'phone'))
  await page.getByRole('radio').nth(2).check()
  await page.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(toastOn(page, 'Tu visita quedó agendada')).toBeVisible()
  const main = page.getByRole('main')
  const folio = (await main.getByText(/^VT-\d{4}-\d{5}$/).textContent()) ?? ''
  expect(folio).not.toBe('')

  await homes(page).getByRole('button', { name: 'Londres 247' }).click()
  await expect(shown(page)).toHaveText('Londres 247')
  await expect(page).toHaveURL(/\/technics-visit\?proyecto=/)
  await expect(main).not.toContainText(folio)
  // The choice stays, and so do the links of the page.
  await page.goto('/')
  await expect(shown(page)).toHaveText('Londres 247')

  await page.goto(await linkTo(email, `Tu visita técnica quedó agendada (${folio})`))
  await expect(shown(page)).toHaveText('Madero 12')
  await expect(main).toContainText(folio)
})

async function gives(page: Page, street: string, number: string) {
  await page.getByLabel('Código postal', { exact: true }).fill(places.south.postalCode)
  await page.getByLabel('Colonia').fill(places.south.colonia)
  await page.getByLabel('Calle', { exact: true }).fill(street)
  await page.getByLabel('Número exterior').fill(number)
  await page.getByLabel('Tipo de vivienda').selectOption('Casa')
  await page.getByLabel('Estacionamiento').selectOption('Propio techado')
  await page.getByRole('button', { name: 'Guardar' }).click()
}
