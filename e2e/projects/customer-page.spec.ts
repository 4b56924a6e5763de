import { randomUUID } from 'node:crypto'
import { findsNothing } from '../kit/axe.ts'
import { dayOf, entersAs, newCustomer, newPerson, openDay, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('the manager puts a customer’s data right and hands over the access, all at one page', {
  tag: '@plain',
}, async ({ page, arrive }) => {
  const email = await newPerson(await arrive())
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/users?text=${email}`)
  await page.getByRole('link', { name: 'Ana Prueba' }).click()
  await page.getByRole('link', { name: 'Ver su ficha' }).click()
  await expect(page.getByRole('heading', { name: 'Ana Prueba' })).toBeVisible()
  await expect(page.getByText('Correo sin confirmar')).toBeVisible()

  /** Opens a form in its place; a press that comes while scripts take the page over is pressed again. */
  const opens = async (summary: string, label: string) => {
    await expect(async () => {
      if (!(await page.getByLabel(label).isVisible())) await page.getByText(summary, { exact: true }).click()
      await expect(page.getByLabel(label)).toBeVisible({ timeout: 1_000 })
    }).toPass()
  }
  await opens('Anotar una llamada', '¿En qué quedaron?')
  await page.getByLabel('¿En qué quedaron?').fill('Escribió mal su correo.')
  await page.getByRole('button', { name: 'Anotar llamada' }).click()
  await expect(page.getByText('Escribió mal su correo.')).toBeVisible()

  await opens('Corregir nombre y teléfono', 'Nombre')
  await page.getByLabel('Nombre').fill('Anabel')
  await page.getByRole('button', { name: 'Guardar datos' }).click()
  await expect(page.getByRole('heading', { name: 'Anabel Prueba' })).toBeVisible()

  const right = `bien-${randomUUID()}@example.mx`
  await opens('Cambiar su correo', 'Correo nuevo')
  await page.getByLabel('Correo nuevo').fill(right)
  await page.getByRole('button', { name: 'Cambiar correo' }).click()
  await expect(toastOn(page, 'Cambiamos su correo')).toBeVisible()
  await expect(page.getByRole('link', { name: right })).toBeVisible()

  await page.getByRole('button', { name: 'Crear enlace de acceso' }).click()
  await expect(page.getByText('Compártelo solo con el cliente')).toBeVisible()
  await expect(page.getByText(/oobCode=/)).toBeVisible()

  await page.getByRole('link', { name: 'Llamadas' }).click()
  await expect(page.getByText('Escribió mal su correo.')).toBeVisible()
  await expect(page.getByText('La gerencia corrigió sus datos')).toBeHidden()
})

test('a home is corrected there, and its visit is asked about', { tag: '@once' }, async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/users?text=cliente3@demo.mx')
  await page.getByRole('link', { name: 'Carmen Demo' }).click()
  await page.getByRole('link', { name: 'Ver su ficha' }).click()
  await findsNothing(page, 'a customer with a history')
  await page.getByRole('link', { name: 'Corregir', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Corregir domicilio' })).toBeVisible()
  await expect(page.getByText('Su cotización aceptada es para este domicilio')).toBeVisible()
  await findsNothing(page, 'a home to correct')
})

test('a booked visit follows its home, and the access is sent again', {
  tag: '@once',
}, async ({ arrive, page }) => {
  const customer = await arrive()
  const email = await newCustomer(customer)
  // Of a story that is not told on a phone.
  await openDay(customer, dayOf('caller', 'phone'))
  await customer.getByRole('radio').first().check()
  await customer.getByRole('button', { name: 'Agendar visita' }).click()
  await expect(toastOn(customer, 'Tu visita quedó agendada')).toBeVisible()

  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/users?text=${email}`)
  await page.getByRole('link', { name: 'Ana Prueba' }).click()
  await page.getByRole('link', { name: 'Ver su ficha' }).click()
  await page.getByRole('button', { name: 'Reenviar acceso' }).click()
  await expect(toastOn(page, 'Le mandamos su acceso')).toBeVisible()

  await page.getByRole('link', { name: 'Corregir', exact: true }).click()
  await page.getByLabel('Calle', { exact: true }).fill('Hamburgo')
  await page.getByLabel(/va a esta dirección/).check()
  await page.getByRole('button', { name: 'Guardar domicilio' }).click()
  await expect(toastOn(page, 'Guardamos su domicilio')).toBeVisible()
  await expect(page.getByText(/Hamburgo 247/).first()).toBeVisible()
  await page.getByRole('link', { name: 'Visita técnica', exact: true }).click()
  await expect(page.getByRole('main')).toContainText('Hamburgo 247')
})
