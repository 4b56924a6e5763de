import { randomUUID } from 'node:crypto'
import { linkTo } from '../kit/outbox.ts'
import {
  chooseDay,
  dayOf,
  entersAs,
  isTakenOver,
  newPerson,
  password,
  signIn,
  toastOn,
} from '../kit/steps.ts'
import { expect, test } from '../kit/world.ts'

test('somebody without an address books a call', { tag: ['@plain', '@once'] }, async ({ page }, info) => {
  await newPerson(page)
  await page.goto('/videocall')
  await page.getByRole('link', { name: 'Agendar asesoría' }).click()
  await page.getByRole('link', { name: 'Lo más pronto' }).click()
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(1)
  // One analyst takes the calls of all kinds of browser: each has a day of its own.
  await chooseDay(page, 3 + dayOf('keyboard', info.project.name))
  const slots = page.getByRole('group', { name: 'Horario', exact: true }).getByRole('radio')
  await slots.nth(2).check()
  await page.getByRole('button', { name: 'Agendar asesoría' }).click()
  await expect(page.getByText('Elige de qué quieres hablar.').first()).toBeVisible()
  await expect(slots.nth(2)).toBeChecked()
  await page.getByLabel('Sobre autos eléctricos').check()
  await page.getByRole('button', { name: 'Agendar asesoría' }).click()
  await expect(toastOn(page, 'Tu asesoría quedó agendada')).toBeVisible()
  const call = page.getByRole('region', { name: 'Asesoría virtual' })
  await expect(call).toContainText('Confirmada')
  await expect(call).toContainText('Andrés Demo')
  await expect(call).toContainText('Sobre autos eléctricos')
})

test(
  'the manager books for whoever calls, who claims the account',
  { tag: ['@plain', '@once'] },
  async ({ arrive, javaScriptEnabled }, info) => {
    const [manager, caller] = [await arrive(), await arrive()]
    const email = `persona-${randomUUID()}@example.mx`
    await entersAs(manager, 'gerente@demo.mx')
    await manager.goto('/admin/assignations')
    if (javaScriptEnabled) await isTakenOver(manager)
    await manager.getByRole('link', { name: 'Nueva cita' }).click()
    await manager.getByLabel('Buscar a un cliente').fill(email)
    await manager.getByRole('button', { name: 'Buscar' }).click()
    await expect(manager.getByText('No encontramos a nadie')).toBeVisible()
    await expect(manager.getByLabel('Correo electrónico')).toHaveValue(email)
    await manager.getByLabel('Código postal').fill('03100')
    if (!javaScriptEnabled) await manager.getByRole('button', { name: '¿Llegamos?' }).click()
    await expect(manager.getByText('Sí llegamos: Benito Juárez')).toBeVisible()
    await manager.getByLabel('Nombre', { exact: true }).fill('Rita')
    await manager.getByLabel('Apellidos').fill('Llamas')
    // A phone of their own: of one that somebody has, the form asks whether it is them.
    await manager.getByLabel('Teléfono').fill(`55${String(Date.now()).slice(-8)}`)
    await manager.getByLabel('Colonia').fill('Del Valle')
    await manager.getByLabel('Calle', { exact: true }).fill('Londres')
    await manager.getByLabel('Número exterior').fill('247')
    await manager.getByLabel('Tipo de vivienda').selectOption('Casa')
    await manager.getByLabel('Estacionamiento').selectOption('Propio techado')
    await manager.getByRole('button', { name: 'Registrar y elegir hora' }).click()
    await chooseDay(manager, dayOf('caller', info.project.name))
    await manager.getByRole('radio').nth(2).check()
    await manager.getByRole('button', { name: 'Agendar y asignar' }).click()
    await expect(toastOn(manager, 'La cita quedó agendada')).toBeVisible()

    await caller.goto(await linkTo(email, 'Tu cuenta en Carga en Casa'))
    await caller.getByLabel('Contraseña nueva').fill(password)
    await caller.getByRole('button', { name: 'Guardar contraseña' }).click()
    await expect(caller).not.toHaveURL(/recover-password/)
    await signIn(caller, email, password)
    await caller.goto('/technics-visit')
    await expect(caller.getByRole('region', { name: 'Visita técnica' })).toContainText('Londres 247')
  },
)
