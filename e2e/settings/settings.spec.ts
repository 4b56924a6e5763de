import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { entersAs, isSought, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const projects = ['phone', 'desk', 'phone without JavaScript']
const nth = () => projects.indexOf(test.info().project.name)

/** Sends the form, again if another story's manager was quicker, as the refusal says. */
const save = (page: Page, name = 'Guardar') =>
  expect(async () => {
    await page.getByRole('button', { name, exact: true }).click()
    await expect(toastOn(page, 'Guardamos los cambios')).toBeVisible({ timeout: 3_000 })
  }).toPass({ timeout: 20_000 })

test('the manager changes a number, an opening hour and a holiday', { tag: '@plain' }, async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/account')
  await page.getByRole('link', { name: 'Configuración del servicio' }).click()
  await page.getByRole('link', { name: /^Contacto de ayuda/ }).click()
  await page.getByLabel('Teléfono').fill('12')
  await page.getByLabel('Horario, en palabras').fill('De lunes a sábado')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await isSought(page, page.getByLabel('Teléfono'))
  await expect(page.getByLabel('Teléfono')).toHaveAccessibleDescription(/Escribe los 10 dígitos/)
  await expect(page.getByLabel('Horario, en palabras')).toHaveValue('De lunes a sábado')
  await page.getByLabel('Teléfono').fill('55 5555 0100')
  await save(page)
  await page.goto('/nada')
  await expect(page.getByText('De lunes a sábado')).toBeVisible()

  await page.goto('/admin/account/configuracion/horario')
  const sunday = page.getByRole('group', { name: 'Domingo' })
  await sunday.getByLabel('Abre').fill('10:00')
  await sunday.getByLabel('Cierra').fill('13:00')
  await save(page)
  await expect(sunday.getByLabel('Abre')).toHaveValue('10:00')

  await page.goto('/admin/account/configuracion/festivos')
  const day = 15 + nth() + projects.length * test.info().retry
  await page.getByLabel('Agregar un día').fill(`2028-12-${day}`)
  await save(page, 'Agregar')
  const remove = page.getByRole('button', {
    name: new RegExp(`^Quitar el \\S+ ${day} de diciembre de 2028$`),
  })
  await remove.click()
  await expect(remove).toHaveCount(0)
})

test('travel is edited from one municipality, and goes back', { tag: '@plain' }, async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/account/configuracion/traslados')
  const origin = ['Milpa Alta', 'Xochimilco', 'Iztacalco'][nth()] ?? ''
  await page.getByLabel('Salida').selectOption(origin)
  await page.getByRole('button', { name: 'Ver', exact: true }).click()
  const toluca = page.getByLabel('Toluca')
  await expect(page.getByRole('heading', { name: `Desde ${origin}` })).toBeVisible()
  const usual = await toluca.inputValue()
  await toluca.fill('199')
  await save(page)
  await expect(toluca).toHaveAccessibleDescription(`Por distancia: ${usual}.`)
  await save(page, 'Calcular por distancia')
  await expect(toluca).toHaveValue(usual)
})

test('a holiday with visits asks what becomes of them', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  // Again if another story's manager saved first, or moved that appointment.
  await expect(async () => {
    const busy = await busyDay(page)
    await page.goto('/admin/account/configuracion/festivos')
    await page.getByLabel('Agregar un día').fill(busy)
    await page.getByRole('button', { name: 'Agregar' }).click()
    await expect(page.getByRole('region', { name: 'Citas por resolver' })).toBeVisible({ timeout: 3_000 })
    await expect(page.getByLabel('Agregar un día')).toHaveValue(busy)
  }).toPass({ timeout: 30_000 })
  await findsNothing(page, 'appointments to settle')
})

/** The day of the first appointment to come, as a date box takes it. */
async function busyDay(page: Page): Promise<string> {
  const months = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']
  await page.goto('/admin/appointments-pending?state=assigned')
  const text = (await page.getByRole('row').last().textContent()) ?? ''
  // Of this year, lists leave it out.
  const thisYear = new Date().toLocaleDateString('es-MX', {
    year: 'numeric',
    timeZone: 'America/Mexico_City',
  })
  const [, day = '', month = '', year = thisYear] = /(\d{1,2}) (\w{3})(?: (\d{4}))?/.exec(text) ?? []
  return `${year}-${String(months.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
}

test('axe finds nothing', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  for (const slug of ['', '/horario', '/festivos', '/traslados']) {
    await page.goto(`/admin/account/configuracion${slug}`)
    await findsNothing(page)
  }
})
