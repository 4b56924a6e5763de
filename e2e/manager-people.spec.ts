import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Crew } from './kit/crew.ts'
import { linkTo } from './kit/outbox.ts'
import { isLeftAlone, isRefreshed } from './kit/refreshes.ts'
import { entersAs, newPerson, openMenu } from './kit/steps.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

const invitee = () => `invitada-${randomUUID()}@example.mx`

const invitationIn = (email: string) => linkTo(email, 'Te invitamos al equipo de Carga en Casa')

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
  await expectToast(page, 'Enviamos la invitación')
}

test('a manager invites an analyst, who signs up by the link of the e-mail', async ({
  page,
  arrive,
  onPhone,
}) => {
  const email = invitee()
  await entersAs(page, 'gerente@demo.mx')
  await invites(page, email, 'Analista')
  const invited = await arrive()
  await invited.goto(await invitationIn(email))
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

test('a manager changes the role of a technician to ally only with an agency', async ({ page, arrive }) => {
  const [email, person] = [invitee(), await arrive()]
  await entersAs(page, 'gerente@demo.mx')
  await invites(page, email, 'Técnico instalador')
  await person.goto(await invitationIn(email))
  await person.getByLabel('Contraseña').fill('una frase muy larga')
  await person.getByRole('button', { name: 'Crear cuenta' }).click()
  await person.getByLabel('Nombre').fill('Ñandú')
  await person.getByLabel('Apellidos').fill('Prueba')
  // As an ally they bring nobody who has their phone, and customers of other tests have another.
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
  await expectToast(page, 'Ahora es Aliado consecionaria')
  const history = page.getByRole('region', { name: 'Historial de cambios' })
  await expect(history.getByText('Rol: de Técnico instalador a Aliado consecionaria')).toBeVisible()
  await person.reload()
  await expect(person).toHaveURL(/\/signin(\?|$)/)
})

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The screen of the test's technician, as the manager sees it. */
async function open(page: Page, { id }: Crew) {
  await entersAs(page, 'gerente@demo.mx')
  await page.goto(`/admin/users/${id}`)
}

test('a manager gives two days off after deciding on both visits of those days', async ({ page, crew }) => {
  const { colleague, days, folios } = crew
  await open(page, crew)
  const off = card(page, 'Permisos y vacaciones')
  await expect(off).toContainText('No tiene permisos ni vacaciones')
  await isRefreshed(page)
  await off.getByLabel('Desde el día').fill(days[0])
  await off.getByLabel('Hasta el día').fill(days[1])
  await off.getByLabel('Motivo').fill('Boda de su hermana')
  await isLeftAlone(page)
  await off.getByRole('button', { name: 'Guardar permiso' }).click()
  await expect(off.getByRole('heading', { name: '2 citas por resolver' })).toBeVisible()
  await expect(off.getByLabel('Motivo')).toHaveValue('Boda de su hermana')
  for (const folio of folios) await expect(off.getByLabel(`¿Qué hacemos con ${folio}?`)).toBeVisible()
  await off.getByLabel(`¿Qué hacemos con ${folios[0]}?`).selectOption({ label: colleague })
  await off
    .getByLabel(`¿Qué hacemos con ${folios[1]}?`)
    .selectOption('Dejarla sin persona y buscar a alguien más')
  await off.getByRole('button', { name: 'Guardar permiso' }).click()
  await expectToast(page, 'Guardamos su permiso')
  await expect(off.getByRole('listitem')).toContainText('Boda de su hermana')
  await expect(off.getByLabel('Motivo')).toHaveValue('')
  // Other tests fill the first page of each list.
  await page.goto('/admin/assignations?zona=milpa-alta')
  const tray = page.getByRole('region', { name: 'Por asignar' })
  await expect(tray.getByRole('listitem').filter({ hasText: folios[1] })).toBeVisible()
  await expect(page.getByText(folios[0])).toHaveCount(0)
  await page.goto(`/admin/appointments-pending?text=${folios[0]}`)
  await expect(page.getByRole('row').filter({ hasText: folios[0] })).toContainText(colleague)
})

test('a manager corrects the data of a customer and creates a link to sign in', async ({ page, arrive }) => {
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
  await expectToast(page, 'Cambiamos su correo')
  await expect(page.getByRole('link', { name: right })).toBeVisible()
  await page.getByRole('button', { name: 'Crear enlace de acceso' }).click()
  await expect(page.getByText('Compártelo solo con el cliente')).toBeVisible()
  await expect(page.getByText(/oobCode=/)).toBeVisible()
  await page.getByRole('link', { name: 'Llamadas' }).click()
  await expect(page.getByText('Escribió mal su correo.')).toBeVisible()
  await expect(page.getByText('La gerencia corrigió sus datos')).toBeHidden()
})

/** The page of a customer, found by the mailbox; answers its address. */
async function opensFile(page: Page, email: string): Promise<string> {
  await page.goto(`/admin/users?text=${email}`)
  await page.getByRole('link', { name: 'Ana Prueba' }).click()
  await page.getByRole('link', { name: 'Ver su ficha' }).click()
  await expect(page).toHaveURL(/\/cliente$/)
  await expect(page.getByRole('link', { name: email })).toBeVisible()
  return new URL(page.url()).pathname
}

/** From the page of one customer to the other beside it. */
async function compares(page: Page, email: string) {
  await page.getByRole('link', { name: 'Es la misma persona que…' }).click()
  await page.getByLabel('Buscar a un cliente').fill(email)
  await page.getByRole('button', { name: 'Buscar' }).click()
  await page.getByRole('search').locator('..').getByRole('link', { name: email }).click()
  await expect(page.getByRole('heading', { name: 'Qué va a pasar' })).toBeVisible()
}

test('a manager merges two records of a person once confirmed, and separates them again', async ({
  page,
  arrive,
}) => {
  const [kept, other] = [await newPerson(await arrive()), await newPerson(await arrive())]
  await entersAs(page, 'gerente@demo.mx')
  const otherPath = await opensFile(page, other)
  const keptPath = await opensFile(page, kept)
  await compares(page, other)
  await expect(page.getByText(`Con ${other} ya no se podrá entrar`)).toBeVisible()
  await page.getByRole('link', { name: 'Que quede esta' }).click()
  await expect(page.getByText(`Con ${kept} ya no se podrá entrar`)).toBeVisible()
  await page.getByRole('link', { name: 'Que quede esta' }).click()
  await expect(page.getByText(`Con ${other} ya no se podrá entrar`)).toBeVisible()
  await page.getByRole('button', { name: 'Unir las dos fichas' }).click()
  await expect(page.getByText('Marca la casilla').first()).toBeVisible()
  await page.getByLabel('Confirmé que es la misma persona').check()
  await page.getByRole('button', { name: 'Unir las dos fichas' }).click()
  await expectToast(page, 'Ya es una sola ficha')
  await expect(page).toHaveURL(keptPath)
  await expect(page.getByText(`Se unió con la ficha de Ana Prueba (${other})`)).toBeVisible()
  await page.goto(otherPath)
  await expect(page).toHaveURL(keptPath)
  await page.getByRole('button', { name: 'Deshacer la unión' }).click()
  await expectToast(page, 'Deshiciste la unión')
  await expect(page).toHaveURL(otherPath)
  await expect(page.getByRole('link', { name: other })).toBeVisible()
})
