import { projects } from '../../../src/platform/database/schema/projects.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import {
  ally,
  expectNotOnPage,
  expectScreen,
  fixture,
  fromNow,
  markupOf,
  newPerson,
  openOnce,
  post,
  rowWhere,
  technician,
} from '../../kit/open.ts'
import { expectAnswered, expectLeadsTo, expectShown } from '../../kit/reading.ts'

openOnce()

const page = '/technics-visit'
const form = {
  intent: 'equipment',
  version: '1',
  vehicleBrand: 'Volvo',
  vehicleModel: 'EX30',
  vehicleYear: '2026',
  vehicleDeliveredOn: '2026-12-05',
  chargerOrigin: 'dealership',
  chargerKilowatts: '11',
}
async function atHome(agencyId?: string) {
  const customer = await newPerson()
  const home = await fixture.home(customer, {}, agencyId)
  return { customer, home, stored: () => rowWhere(projects, { id: home.projectId }) }
}

test('a customer saves car and charger and changes them; a stale form is refused and keeps what was typed', async () => {
  const { customer, stored } = await atHome()
  await expectLeadsTo(post(page, form, customer), page)
  expect(await stored()).toMatchObject({
    vehicle: { brand: 'Volvo', model: 'EX30', year: 2026, deliveredOn: '2026-12-05' },
    charger: { origin: 'dealership', brand: null, kilowatts: 11 },
    version: 2,
  })
  await expectScreen(page, customer, 'Tu auto y tu cargador: Volvo EX30 2026')
  expectShown(
    await post(page, { ...form, vehicleModel: 'Más tarde' }, customer),
    409,
    'Hubo un cambio',
    'value="Más tarde"',
  )
  const next = { intent: 'equipment', version: '2', chargerOrigin: 'ours' }
  await expectAnswered(post(page, next, customer), 303)
  expect(await stored()).toMatchObject({ vehicle: { brand: null }, charger: { origin: 'ours' } })
})

test.each([
  [{ vehicleYear: '1989' }, 'Escribe un año de 1990'],
  [{ vehicleYear: '2199' }, 'Escribe un año de 1990'],
  [{ vehicleDeliveredOn: '2026-02-30' }, 'Elige la fecha de entrega'],
  [{ chargerOrigin: 'robado' }, 'Elige una opción'],
  [{ chargerKilowatts: '1.3' }, 'de 1.4 a 22'],
  [{ chargerKilowatts: '22.1' }, 'de 1.4 a 22'],
  [{ vehicleBrand: 'x'.repeat(41) }, 'máximo 40'],
])('refuses %j under its field and keeps the rest', async (wrong, words) => {
  const { customer, stored } = await atHome()
  expectShown(
    await post(page, { ...form, ...wrong, vehicleModel: 'Se queda' }, customer),
    400,
    words,
    'value="Se queda"',
  )
  expect(await stored()).toMatchObject({ vehicle: null, version: 1 })
})

test('refuses car and charger of a customer without a project', async () => {
  const customer = await newPerson()
  await expectNotOnPage(page, customer, 'Tu auto y tu cargador')
  await expectAnswered(post(page, form, customer), 409)
})

test('shows car and charger to the technician who goes and in the customer’s data, not to an ally', async () => {
  const { customer, home } = await atHome(ally.agencyId!)
  await post(page, form, customer)
  const start = fromNow(48 * hour)
  const { id } = await storeVisit(fixture, customer, home, start, { assigneeId: technician.id })
  const detail = `/admin/appointments-pending/${id}`
  await expectScreen(detail, technician, 'Volvo EX30 2026', 'De la concesionaria, 11 kW')
  const shown = await fixture.visit(detail, ally)
  expect([shown.status, shown.text.includes('Volvo')]).toEqual([200, false])
  expect(await markupOf('/account/data', customer)).toContain('Volvo EX30 2026')
})
