import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { blockOf, rowOf } from './kit/board.ts'
import { withDatabase } from './kit/database.ts'
import { linkTo } from './kit/outbox.ts'
import {
  buttonIn,
  exact,
  fillForm,
  follow,
  headingIn,
  linkIn,
  mainSays,
  openScreenAs,
  reads,
  regionIn,
  rowWith,
  showsValue,
  visitAs,
} from './kit/parts.ts'
import { chooseDay, dayOf, newCustomer, password, signIn } from './kit/steps.ts'
import { onlyAnotherTime, type Team } from './kit/team.ts'
import { expect, test } from './kit/test.ts'
import { expectToast } from './kit/toasts.ts'

test('a manager books a visit for a new caller, who claims the account', async ({ arrive }, info) => {
  const manager = await arrive()
  const caller = await arrive()
  const email = `persona-${randomUUID()}@example.mx`
  await openScreenAs(manager, 'gerente@demo.mx', '/admin/assignations')
  await follow(manager, 'Nueva cita')
  await manager.getByLabel('Buscar a un cliente').fill(email)
  await buttonIn(manager, 'Buscar').click()
  await reads(manager, 'No encontramos a nadie')
  await showsValue(manager, 'Correo electrónico', email)
  await manager.getByLabel('Código postal').fill('03100')
  await reads(manager, 'Sí llegamos: Benito Juárez')
  await manager.getByLabel('Nombre', { exact: true }).fill('Rita')
  await manager.getByLabel('Apellidos').fill('Llamas')
  // A phone of their own: of one that somebody has, the form asks whether it is them.
  await fillForm(manager, { Teléfono: `55${String(Date.now()).slice(-8)}`, Colonia: 'Del Valle' })
  await manager.getByLabel('Calle', { exact: true }).fill('Londres')
  await fillForm(manager, {
    'Número exterior': '247',
    'Tipo de vivienda': 'Casa',
    Estacionamiento: 'Propio techado',
  })
  await buttonIn(manager, 'Registrar y elegir hora').click()
  await chooseDay(manager, dayOf('caller', info.project.name))
  await manager.getByRole('radio').nth(2).check()
  await buttonIn(manager, 'Agendar y asignar').click()
  await expectToast(manager, 'La cita quedó agendada')
  await caller.goto(await linkTo(email, 'Tu cuenta en Carga en Casa'))
  await caller.getByLabel('Contraseña nueva').fill(password)
  await buttonIn(caller, 'Guardar contraseña').click()
  await expect(caller).not.toHaveURL(/recover-password/)
  await signIn(caller, email, password)
  await caller.goto('/technics-visit')
  await expect(regionIn(caller, 'Visita técnica')).toContainText('Londres 247')
})

/** Where only the test's own team goes. */
const away = { postalCode: '12000', colonia: 'Villa Milpa Alta' }

/** Presses what it is given, and counts. */
function pressing() {
  const pressed = { count: 0 }
  const press = async (what: Locator) => {
    pressed.count++
    await what.click()
  }
  return { press, pressed }
}

/** The hours of the test's own technician: the teams of other tests go to the same place, and leave meanwhile. */
function ofOwnTeam(page: Page, { id }: Pick<Team, 'id'>) {
  const url = new URL(page.url())
  url.searchParams.set('con', id)
  return page.goto(url.href)
}

const idOf = (folio: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from appointments where folio = $1', [
      folio,
    ])
    return rows[0]!.id
  })

test('a manager moves a visit by three clicks and undoes it by one', async ({ page, team }) => {
  const { press, pressed } = pressing()
  await visitAs(page, 'gerente@demo.mx', `/admin/appointments-pending/${await idOf(team.folios[0])}`)
  await press(linkIn(page, 'Mover', exact))
  await expect(headingIn(page, 'Mover la cita')).toBeVisible()
  await expect(page.getByText('Ahora es el')).toContainText(team.name)
  await ofOwnTeam(page, team)
  await press(page.getByRole('group', { name: 'Tarde' }).getByRole('radio').first())
  await reads(page, 'A Ana le avisamos de su nueva hora')
  await press(buttonIn(page, 'Mover y avisar'))
  await expectToast(page, 'Cita movida')
  expect(pressed.count).toBe(3)
  // The toast goes after five seconds; the page keeps the button.
  await press(buttonIn(page.getByRole('main'), 'Deshacer').last())
  await expectToast(page, 'Lo deshicimos')
  expect(pressed.count).toBe(4)
})

test('a manager books and assigns a known caller by four clicks', async ({ page, arrive, team }) => {
  const { press, pressed } = pressing()
  const email = await newCustomer(await arrive(), away)
  await visitAs(page, 'gerente@demo.mx', '/admin/assignations')
  await press(linkIn(page, 'Nueva cita'))
  await expect(page.getByLabel('Buscar a un cliente')).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await press(linkIn(page, /Ana Prueba/))
  await expect(linkIn(page, 'Con quien pueda')).toBeVisible()
  await ofOwnTeam(page, team)
  await press(page.getByRole('radio').first())
  await press(buttonIn(page, 'Agendar y asignar'))
  await expectToast(page, 'La cita quedó agendada')
  await mainSays(page, 'Asignada')
  await mainSays(page, team.name)
  expect(pressed.count).toBe(4)
})

test('a manager records an absence of two days and reassigns its visits', async ({ page, team }) => {
  const { days, folios, id, name } = team
  await visitAs(page, 'gerente@demo.mx', `/admin/assignations/ausencia?persona=${id}&dia=${days[0]}`)
  await page.getByLabel('Hasta', { exact: true }).fill(days[1])
  await buttonIn(page, 'Ver esos días').click()
  await reads(page, 'Tiene 2 citas esos días')
  await expect(page.getByRole('heading', { level: 2, name: /de 20\d\d$/ })).toHaveCount(2)
  await reads(page, /2 citas conservan su hora con otra persona/)
  await page.getByText('Otras opciones').first().click()
  await page
    .getByRole('radio', { name: /Dejarla sin persona/ })
    .first()
    .check()
  await reads(page, /1 cita conserva su hora con otra persona/)
  await buttonIn(page, 'Confirmar todo y avisar').click()
  await expectToast(page, 'Ausencia registrada')
  await page.goto(`/admin/assignations?dia=${days[1]}&zona=milpa-alta`)
  await expect(blockOf(page, folios[1])).toContainText('Asignada')
  await expect(rowOf(page, name)).toContainText('Sin citas')
})

test('a manager proposes another time for a visit, and the customer accepts it', async ({
  arrive,
  team,
  page: manager,
}) => {
  const customer = await arrive()
  await onlyAnotherTime(team, await newCustomer(customer, away))
  await visitAs(
    manager,
    'gerente@demo.mx',
    `/admin/assignations/ausencia?persona=${team.id}&dia=${team.days[0]}`,
  )
  await manager.getByText('Otras opciones').first().click()
  await manager
    .getByRole('radio', { name: /Proponer/ })
    .first()
    .check()
  await buttonIn(manager, 'Confirmar todo y avisar').click()
  await expectToast(manager, 'Ausencia registrada')
  await expect(manager.locator('#contenido')).toBeFocused()
  await expect(rowWith(manager, team.folios[0])).toContainText('Sin respuesta')
  await customer.goto('/technics-visit')
  await expect(headingIn(customer, 'Te proponemos otro horario')).toBeVisible()
  await buttonIn(customer, 'Aceptar').click()
  await expectToast(customer, 'Tu cita ya tiene su nuevo horario')
  await expect(rowWith(manager, team.folios[0])).toContainText('Aceptada')
})
