import type { Page } from '@playwright/test'
import { comesNear } from '../kit/database.ts'
import { dayOf, newCustomer, openDay, places, spareDayOf, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

/** A customer's visit, late on the day of another story, which wants its morning. Answers its folio. */
async function booked(page: Page, project: string, place = places.south, day = dayOf('visit', project)) {
  await newCustomer(page, place)
  await openDay(page, day)
  await page.getByRole('radio').last().check()
  await page.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(page).toHaveURL('/technics-visit?agendada')
  const folio = page.getByRole('main').getByText(/^VT-\d{4}-\d{5}$/)
  return (await folio.textContent()) ?? ''
}

test(
  'a visit gets another hour; after the cut-off it stays, and there is somebody to ask',
  { tag: '@inHand' },
  async ({ arrive }, info) => {
    const page = await arrive()
    const folio = await booked(page, info.project.name)
    await page.getByRole('link', { name: 'Cambiar de hora' }).click()
    await expect(page.getByText('Tu cita actual:')).toBeVisible()
    await page.getByRole('link', { name: 'Lo más pronto' }).click()
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(1)
    await page.getByRole('button', { name: 'Cambiar mi cita' }).click()
    await expect(toastOn(page, 'Cambiamos tu cita')).toBeVisible()
    await expect(page.getByText('Te queda 1 cambio')).toBeVisible()
    const change = await page.getByRole('link', { name: 'Cambiar de hora' }).getAttribute('href')
    await comesNear(folio, 20)
    await page.reload()
    await expect(page.getByText('Ya pasó el plazo para cambiarla en línea.')).toBeVisible()
    await page.goto(change ?? '')
    await expect(page.getByText('Tu cita sigue como está.')).toBeVisible()
    await expect(page.getByRole('link', { name: /Pedir ayuda/ })).toHaveAttribute('href', /wa\.me/)
  },
)

test(
  'a booked visit follows its customer to another address',
  { tag: '@inHand' },
  async ({ arrive }, info) => {
    const page = await arrive()
    // Whoever goes to the centre goes to the south too, and has nothing else on this day: nobody else's hour matters.
    const folio = await booked(page, info.project.name, places.centre, spareDayOf(info.project.name))
    await page.goto('/address?editar')
    await expect(page.getByLabel(`La visita ${folio} va a esta dirección`)).toBeChecked()
    await page.getByLabel('Código postal', { exact: true }).fill(places.south.postalCode)
    await page.getByLabel('Colonia').fill(places.south.colonia)
    await page.getByLabel('Calle', { exact: true }).fill('Durango')
    await page.getByRole('button', { name: 'Guardar' }).click()
    await expect(page).toHaveURL('/technics-visit')
    await expect(page.getByRole('main')).toContainText(`Durango 247, ${places.south.colonia}`)
  },
)

test('a visit is cancelled, with a reason', { tag: ['@plain', '@inHand'] }, async ({ arrive }, info) => {
  const page = await arrive()
  await booked(page, info.project.name)
  const cancel = page.getByRole('button', { name: 'Cancelar cita' })
  await page.locator('summary', { hasText: 'Cancelar cita' }).click()
  await cancel.click()
  await expect(page.getByText('Elige un motivo.').first()).toBeVisible()
  await page.getByLabel('Motivo').selectOption('No puedo a esa hora')
  await cancel.click()
  await expect(toastOn(page, 'Cancelamos tu cita')).toBeVisible()
  await expect(page.getByText('Cancelada')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Elige otro horario' })).toBeVisible()
})
