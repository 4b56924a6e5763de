import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { findsNothing } from '../kit/axe.ts'
import { linkInLetterTo } from '../kit/letters.ts'
import { isRefreshed } from '../kit/refreshes.ts'
import { entersAs, openMenu, toastOn } from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

const invitee = () => `invitada-${randomUUID()}@example.mx`

const invitationIn = (page: Page, email: string) => linkInLetterTo(page, email, 'Te invitamos al equipo')

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
  await form.getByRole('button', { name: 'Enviar invitación' }).click()
  await expect(toastOn(page, 'Enviamos la invitación')).toBeVisible()
}

test('an invited person takes the link of the letter and lands in the team', { tag: '@plain' }, async ({
  page,
  arrive,
  onPhone,
}) => {
  const email = invitee()
  await entersAs(page, 'gerente@demo.mx')
  await invites(page, email, 'Analista')

  const invited = await arrive()
  await invited.goto(await invitationIn(invited, email))
  await expect(invited.getByText('Te invitaron como Analista')).toBeVisible()
  await expect(invited.getByLabel('Correo electrónico')).toHaveValue(email)
  await expect(invited.getByLabel('Correo electrónico')).not.toBeEditable()
  await invited.getByLabel('Contraseña').fill('una frase muy larga')
  await invited.getByRole('button', { name: 'Crear cuenta' }).click()
  await expect(invited).toHaveURL(/\/completion\?invitacion=/)
  await expect(invited.getByLabel('Rol').getByRole('option')).toHaveText(['Analista'])
  await invited.getByLabel('Nombre').fill('Eva')
  await invited.getByLabel('Apellidos').fill('Prueba')
  await invited.getByLabel('Teléfono').fill('55 1234-5678')
  await invited.getByRole('button', { name: 'Guardar' }).click()
  await expect(invited).toHaveURL('/admin')
  const menu = await openMenu(invited, onPhone)
  await expect(menu.getByRole('link', { name: 'Cotizaciones' })).toBeVisible()
})

test('a customer accepts at home', { tag: '@plain' }, async ({ page, arrive }) => {
  const [email, person] = [invitee(), await arrive()]
  await person.goto('/signup')
  await person.getByLabel('Correo electrónico').fill(email)
  await person.getByLabel('Contraseña').fill('una frase muy larga')
  await person.getByRole('button', { name: 'Crear cuenta' }).click()
  for (const [label, text] of [
    ['Nombre', 'Eva'],
    ['Apellidos', 'Prueba'],
    ['Teléfono', '5512345678'],
  ] as const)
    await person.getByLabel(label).fill(text)
  await person.getByRole('button', { name: 'Guardar' }).click()
  await expect(person).toHaveURL('/')

  await entersAs(page, 'gerente@demo.mx')
  await invites(page, email, 'Gestor ante CFE')
  const link = await invitationIn(page, email)
  await page.goto(link)
  await expect(page.getByText('Esta invitación es para otro correo')).toBeVisible()

  await person.goto(link)
  await person.getByRole('button', { name: 'Aceptar invitación' }).click()
  await expect(person).toHaveURL('/admin')
  await expect(toastOn(person, 'Ya eres parte del equipo')).toBeVisible()
})

test('the manager finds somebody and changes what they are', { tag: '@plain' }, async ({ page, arrive }) => {
  const [email, person] = [invitee(), await arrive()]
  await entersAs(page, 'gerente@demo.mx')
  await invites(page, email, 'Técnico instalador')
  await person.goto(await invitationIn(person, email))
  await person.getByLabel('Contraseña').fill('una frase muy larga')
  await person.getByRole('button', { name: 'Crear cuenta' }).click()
  await person.getByLabel('Nombre').fill('Ñandú')
  await person.getByLabel('Apellidos').fill('Prueba')
  // As an ally they bring nobody who has their phone, and customers of other stories have another.
  await person.getByLabel('Teléfono').fill('5598001122')
  await person.getByRole('button', { name: 'Guardar' }).click()
  await expect(person).toHaveURL('/admin')

  await page.goto('/admin/users')
  await page.getByRole('searchbox', { name: 'Buscar' }).fill(`nandu ${email.slice(0, 20)}`)
  await page.getByRole('button', { name: 'Buscar' }).click()
  await expect(page.getByText('1 persona', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Ñandú Prueba' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ñandú Prueba')
  const role = page.getByRole('region', { name: 'Rol y permisos' })
  await expect(role.getByLabel('Concesionaria')).toBeHidden()
  await role.getByLabel('Rol').selectOption('Aliado consecionaria')
  await role.getByRole('button', { name: 'Guardar rol' }).click()
  await expect(role.getByLabel('Concesionaria')).toHaveAccessibleDescription(/Elige su concesionaria\./)
  await role.getByLabel('Concesionaria').selectOption('Concesionaria Demo')
  await role.getByRole('button', { name: 'Guardar rol' }).click()
  await expect(toastOn(page, 'Ahora es Aliado consecionaria')).toBeVisible()
  const history = page.getByRole('region', { name: 'Historial de cambios' })
  await expect(history.getByText('Rol: de Técnico instalador a Aliado consecionaria')).toBeVisible()
  await person.reload()
  await expect(person).toHaveURL(/\/signin(\?|$)/)
})

test('inviting by keyboard', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/users')
  const opener = page.getByRole('button', { name: 'Invitar' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Invitar al equipo' })
  await expect(dialog.getByLabel('Correo electrónico')).toBeFocused()
  await page.keyboard.type('no es correo')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Correo electrónico')).toHaveAccessibleDescription(
    /Escribe un correo válido/,
  )
  await expect(dialog.getByLabel('Correo electrónico')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  // Nor does the focus go when somebody else changes something.
  await isRefreshed(page)
  await expect(opener).toBeFocused()
})

test('axe finds nothing on the list and its dialog', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto('/admin/users?role=staff')
  await page.getByText(/Invitaciones abiertas/).click()
  await findsNothing(page)
  await page.getByRole('button', { name: 'Invitar' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await findsNothing(page, 'the dialog')
})

test('axe finds nothing on the screen of somebody', async ({ page }) => {
  await entersAs(page, 'gerente@demo.mx')
  for (const text of ['alicia', 'camila']) {
    await page.goto(`/admin/users?text=${text}+demo`)
    await page.locator('.row-link').first().click()
    await expect(page).toHaveURL(/[0-9a-f-]{36}$/)
    await findsNothing(page, text)
  }
})

test('axe finds nothing where there is nothing to change', async ({ page, arrive }) => {
  await entersAs(page, 'tecnico@demo.mx')
  await page.goto('/admin/users')
  await findsNothing(page, 'the directory')
  const stranger = await arrive()
  await stranger.goto('/signup?invitacion=nada')
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('No encontramos esta invitación')
  await findsNothing(stranger)
})
