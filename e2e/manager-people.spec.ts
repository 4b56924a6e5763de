import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { withDatabase } from './kit/database.ts'
import { linkTo } from './kit/outbox.ts'
import {
  exact,
  fillForm,
  follow,
  headingIn,
  isAt,
  itemWith,
  linkIn,
  press,
  reads,
  regionIn,
  rowWith,
  showsError,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { isRefreshed } from './kit/refreshes.ts'
import { entersAs, newPerson, openMenu } from './kit/steps.ts'
import { type Team, technician } from './kit/team.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

/** The manager invites somebody from the list of people. */
async function invites(page: Page, email: string, role: string) {
  await page.goto('/admin/users')
  const form = page.locator('form').filter({ has: page.getByText('Enviar invitación') })
  // Scripts that take the page over between pressing and letting go leave the press to nobody: people press again.
  await expect(async () => {
    if (!(await form.isVisible())) await page.getByText('Invitar', { exact: true }).click()
    await expect(form).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await form.getByLabel('Correo electrónico').fill(email)
  await form.getByLabel('Rol').selectOption(role)
  await press(form, 'Enviar invitación')
  await expectToast(page, 'Enviamos la invitación')
}

test('a manager invites an analyst, who signs up by the link of the e-mail', async ({
  page,
  arrive,
  onPhone,
}) => {
  const email = `invitada-${randomUUID()}@example.mx`
  await entersAs(page, 'gerente@demo.mx')
  await invites(page, email, 'Analista')
  const invited = await arrive()
  await invited.goto(await linkTo(email, 'Te invitamos al equipo de Carga en Casa'))
  await reads(invited, 'Te invitaron como Analista')
  await showsValue(invited, 'Correo electrónico', email)
  await expect(invited.getByLabel('Correo electrónico')).not.toBeEditable()
  await invited.getByLabel('Contraseña').fill('una frase muy larga')
  await press(invited, 'Crear cuenta')
  await isAt(invited, /\/completion\?invitacion=/)
  await expect(invited.getByLabel('Rol').getByRole('option')).toHaveText(['Analista'])
  await fillForm(invited, { Nombre: 'Eva', Apellidos: 'Prueba', Teléfono: '55 1234-5678' })
  await press(invited, 'Guardar')
  await isAt(invited, '/admin')
  await expect(linkIn(await openMenu(invited, onPhone), 'Cotizaciones')).toBeVisible()
})

test('a manager changes the role of a technician to ally only with an agency', async ({ page, arrive }) => {
  const person = await arrive()
  const { id, email } = await withDatabase(async (client) => {
    const hired = await technician(client, 'Ñandú', 1)
    // As an ally they bring nobody who has their phone, and customers of other tests have another.
    await client.query(`update users set phone = '5598001122' where id = $1`, [hired.id])
    return hired
  })
  await visitAs(person, email, '/admin')
  await visitAs(page, 'gerente@demo.mx', `/admin/users/${id}`)
  const role = regionIn(page, 'Rol y permisos')
  await expect(role.getByLabel('Concesionaria')).toBeHidden()
  await role.getByLabel('Rol').selectOption('Aliado consecionaria')
  await press(role, 'Guardar rol')
  await showsError(role, 'Concesionaria', /Elige su concesionaria\./)
  await role.getByLabel('Concesionaria').selectOption('Concesionaria Demo')
  await press(role, 'Guardar rol')
  await expectToast(page, 'Ahora es Aliado consecionaria')
  await reads(regionIn(page, 'Historial de cambios'), 'Rol: de Técnico instalador a Aliado consecionaria')
  await person.reload()
  await isAt(person, /\/signin(\?|$)/)
})

/** The screen of the test's technician, as the manager sees it. */
async function open(page: Page, { id }: Team) {
  await visitAs(page, 'gerente@demo.mx', `/admin/users/${id}`)
}

test('a manager gives two days off after deciding on both visits of those days', async ({ page, team }) => {
  const { colleague, days, folios } = team
  await open(page, team)
  const off = regionIn(page, 'Permisos y vacaciones', exact)
  await expect(off).toContainText('No tiene permisos ni vacaciones')
  await isRefreshed(page)
  await fillForm(off, { 'Desde el día': days[0], 'Hasta el día': days[1], Motivo: 'Boda de su hermana' })
  await isRefreshed(page)
  await press(off, 'Guardar permiso')
  await expect(headingIn(off, '2 citas por resolver')).toBeVisible()
  await showsValue(off, 'Motivo', 'Boda de su hermana')
  for (const folio of folios) await expect(off.getByLabel(`¿Qué hacemos con ${folio}?`)).toBeVisible()
  await off.getByLabel(`¿Qué hacemos con ${folios[0]}?`).selectOption({ label: colleague })
  await off
    .getByLabel(`¿Qué hacemos con ${folios[1]}?`)
    .selectOption('Dejarla sin persona y buscar a alguien más')
  await press(off, 'Guardar permiso')
  await expectToast(page, 'Guardamos su permiso')
  await expect(off.getByRole('listitem')).toContainText('Boda de su hermana')
  await showsValue(off, 'Motivo', '')
  // Other tests fill the first page of each list.
  await page.goto('/admin/assignations?zona=milpa-alta')
  await expect(itemWith(regionIn(page, 'Por asignar'), folios[1])).toBeVisible()
  await expect(page.getByText(folios[0])).toHaveCount(0)
  await page.goto(`/admin/appointments-pending?text=${folios[0]}`)
  await expect(rowWith(page, folios[0])).toContainText(colleague)
})

/** The page of a customer, found by the mailbox; answers its address. */
async function opensFile(page: Page, email: string): Promise<string> {
  await page.goto(`/admin/users?text=${email}`)
  await follow(page, 'Ana Prueba')
  await follow(page, 'Ver su ficha')
  await isAt(page, /\/cliente$/)
  await expect(linkIn(page, email)).toBeVisible()
  return new URL(page.url()).pathname
}

/** From the page of one customer to the other beside it. */
async function compares(page: Page, email: string) {
  await follow(page, 'Es la misma persona que…')
  await page.getByLabel('Buscar a un cliente').fill(email)
  await press(page, 'Buscar')
  await follow(page.getByRole('search').locator('..'), email)
  await expect(headingIn(page, 'Qué va a pasar')).toBeVisible()
}

test('a manager merges two records of a person once confirmed, and separates them again', async ({
  page,
  arrive,
}) => {
  const kept = await newPerson(await arrive())
  const other = await newPerson(await arrive())
  await entersAs(page, 'gerente@demo.mx')
  const otherPath = await opensFile(page, other)
  const keptPath = await opensFile(page, kept)
  await compares(page, other)
  await reads(page, `Con ${other} ya no se podrá entrar`)
  await follow(page, 'Que quede esta')
  await reads(page, `Con ${kept} ya no se podrá entrar`)
  await follow(page, 'Que quede esta')
  await reads(page, `Con ${other} ya no se podrá entrar`)
  await press(page, 'Unir las dos fichas')
  await expect(page.getByText('Marca la casilla').first()).toBeVisible()
  await page.getByLabel('Confirmé que es la misma persona').check()
  await press(page, 'Unir las dos fichas')
  await expectToast(page, 'Ya es una sola ficha')
  await expect(page).toHaveURL(keptPath)
  await reads(page, `Se unió con la ficha de Ana Prueba (${other})`)
  await page.goto(otherPath)
  await expect(page).toHaveURL(keptPath)
  await press(page, 'Deshacer la unión')
  await expectToast(page, 'Deshiciste la unión')
  await expect(page).toHaveURL(otherPath)
  await expect(linkIn(page, other)).toBeVisible()
})
