import type { Page } from '@playwright/test'
import { addDays, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import { shortDate } from '../../src/domain/shared/format.ts'
import { findsNothing } from '../kit/axe.ts'
import type { Crew } from '../kit/crew.ts'
import { isLeftAlone, isRefreshed } from '../kit/refreshes.ts'
import { entersAs, isSought, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The screen of the story's technician, as the manager sees it. */
async function open(page: Page, { id }: Crew) {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/users/${id}`)
}

test('two days off with two visits: the manager decides on both, and all of it stands', {
  tag: '@plain',
}, async ({ page, crew, javaScriptEnabled }) => {
  const { colleague, days, folios } = crew
  await open(page, crew)
  const off = card(page, 'Permisos y vacaciones')
  await expect(off).toContainText('No tiene permisos ni vacaciones')
  if (javaScriptEnabled) await isRefreshed(page)
  await off.getByLabel('Desde el día').fill(days[0])
  await off.getByLabel('Hasta el día').fill(days[1])
  await off.getByLabel('Motivo').fill('Boda de su hermana')
  if (javaScriptEnabled) await isLeftAlone(page)
  await off.getByRole('button', { name: 'Guardar permiso' }).click()

  await expect(off.getByRole('heading', { name: '2 citas por resolver' })).toBeVisible()
  await expect(off.getByLabel('Motivo')).toHaveValue('Boda de su hermana')
  for (const folio of folios) await expect(off.getByLabel(`¿Qué hacemos con ${folio}?`)).toBeVisible()
  if (javaScriptEnabled) await findsNothing(page, 'a change with visits to settle')
  await off.getByLabel(`¿Qué hacemos con ${folios[0]}?`).selectOption({ label: colleague })
  await off
    .getByLabel(`¿Qué hacemos con ${folios[1]}?`)
    .selectOption('Dejarla sin persona y buscar a alguien más')
  await off.getByRole('button', { name: 'Guardar permiso' }).click()
  await expect(toastOn(page, 'Guardamos su permiso')).toBeVisible()
  await expect(off.getByRole('listitem')).toContainText('Boda de su hermana')
  await expect(off.getByLabel('Motivo')).toHaveValue('')

  // Other stories fill the first page of each list.
  await page.goto('/admin/assignations?zona=milpa-alta')
  const tray = page.getByRole('region', { name: 'Por asignar' })
  await expect(tray.getByRole('listitem').filter({ hasText: folios[1] })).toBeVisible()
  await expect(page.getByText(folios[0])).toHaveCount(0)
  await page.goto(`/admin/appointments-pending?text=${folios[0]}`)
  await expect(page.getByRole('row').filter({ hasText: folios[0] })).toContainText(colleague)
})

test('a week with a pause, typed wrong first; zones; time off given and taken back', {
  tag: '@plain',
}, async ({ page, crew, javaScriptEnabled }) => {
  await open(page, crew)
  const shifts = card(page, 'Turnos')
  await shifts.getByLabel('Lunes, horario 1, salida').fill('14:00')
  await shifts.getByText('Agregar otro horario').first().click()
  await shifts.getByLabel('Lunes, horario 2, entrada').fill('13:30')
  await shifts.getByLabel('Lunes, horario 2, salida').fill('18:00')
  await shifts.getByRole('button', { name: 'Guardar turnos' }).click()
  await expect(shifts.getByText('Se encima con otro horario del mismo día.').first()).toBeVisible()
  await isSought(page, shifts.getByLabel('Lunes, horario 2, entrada'))
  if (javaScriptEnabled) await findsNothing(page, 'shifts typed wrong')
  await shifts.getByLabel('Lunes, horario 2, entrada').fill('15:00')
  await shifts.getByRole('button', { name: 'Guardar turnos' }).click()
  await expect(toastOn(page, 'Guardamos sus turnos')).toBeVisible()
  await expect(shifts.getByLabel('Lunes, horario 2, salida')).toHaveValue('18:00')

  const zones = card(page, 'Zonas')
  await zones.getByLabel('Xochimilco').check()
  await zones.getByRole('button', { name: 'Guardar zonas' }).click()
  await expect(toastOn(page, 'Guardamos sus zonas')).toBeVisible()
  await expect(zones).toContainText('Ahora atiende 2 de 20 zonas')

  const off = card(page, 'Permisos y vacaciones')
  const [from, to] = [100, 104].map((days) => addDays(localDate(toMinutes(new Date())), days)) as [
    string,
    string,
  ]
  const words = `${shortDate(from)} a ${shortDate(to)}`
  await off.getByLabel('Desde el día').fill(from)
  await off.getByLabel('Hasta el día').fill(to)
  await off.getByLabel('Motivo').fill('Vacaciones')
  await off.getByRole('button', { name: 'Guardar permiso' }).click()
  await expect(off.getByText(words)).toBeVisible()
  await off.getByRole('button', { name: `Quitar ${words}` }).click()
  await expect(off.getByText('No tiene permisos ni vacaciones')).toBeVisible()
})
