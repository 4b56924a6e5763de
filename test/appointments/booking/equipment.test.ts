import { expect, test } from 'vitest'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import { hour, storeVisit } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { readable, rowIn } from '../../kit/reading.ts'

openEach()

const page = '/technics-visit'
const told = {
  intent: 'equipment',
  version: '1',
  vehicleBrand: 'Volvo',
  vehicleModel: 'EX30',
  vehicleYear: '2026',
  vehicleDeliveredOn: '2026-12-05',
  chargerOrigin: 'dealership',
  chargerKilowatts: '11',
}

test('a customer tells of car and charger, and changes it', async () => {
  const { customer } = people
  const { projectId } = await world.home(customer)
  expect((await world.post(page, told, customer)).location).toBe(page)
  const stored = async () => await rowIn(world, projects, { id: projectId })
  expect(await stored()).toMatchObject({
    vehicle: { brand: 'Volvo', model: 'EX30', year: 2026, deliveredOn: '2026-12-05' },
    charger: { origin: 'dealership', brand: null, kilowatts: 11 },
    version: 2,
  })
  expect(readable(await world.visit(page, customer))).toContain('Tu auto y tu cargador: Volvo EX30 2026')
  const next = { intent: 'equipment', version: '2', chargerOrigin: 'ours' }
  expect((await world.post(page, next, customer)).status).toBe(303)
  expect(await stored()).toMatchObject({ vehicle: { brand: null }, charger: { origin: 'ours' } })
})

test.each([
  [{ vehicleYear: '1989' }, 'Escribe un año de 1990'],
  [{ vehicleYear: '2.5' }, 'Escribe un año'],
  [{ vehicleYear: 'nuevo' }, 'Escribe un año'],
  [{ vehicleDeliveredOn: '2026-02-30' }, 'Elige la fecha de entrega'],
  [{ chargerOrigin: 'robado' }, 'Elige una opción'],
  [{ chargerKilowatts: '1.3' }, 'de 1.4 a 22'],
  [{ chargerKilowatts: '22.1' }, 'de 1.4 a 22'],
  [{ vehicleBrand: 'x'.repeat(41) }, 'máximo 40'],
])('%j is refused under its field, and the rest stays', async (form, words) => {
  const { customer } = people
  await world.home(customer)
  const answer = await world.post(page, { ...told, ...form, vehicleModel: 'Se queda' }, customer)
  expect([answer.status, readable(answer)]).toEqual([400, expect.stringContaining(words)])
  expect(answer.text).toContain('value="Se queda"')
  expect(await world.db.select().from(projects)).toMatchObject([{ vehicle: null, version: 1 }])
})

test('whoever comes second hears that it changed, and nothing typed is lost', async () => {
  const { customer } = people
  await world.home(customer)
  await world.post(page, told, customer)
  const late = await world.post(page, { ...told, vehicleModel: 'Más tarde' }, customer)
  expect([late.status, readable(late)]).toEqual([409, expect.stringContaining('Hubo un cambio')])
  expect(late.text).toContain('value="Más tarde"')
})

test('without a project there is nothing to tell of; staff are refused', async () => {
  const { customer, manager } = people
  expect(readable(await world.visit(page, customer))).not.toContain('Tu auto y tu cargador')
  expect((await world.post(page, told, customer)).status).toBe(409)
  expect((await world.post(page, told, manager)).status).toBe(403)
})

test('whoever works there reads car and charger, allies do not; their owner takes them along', async () => {
  const { customer, technician, ally } = people
  const home = await world.home(customer, {}, ally.agencyId!)
  await world.post(page, told, customer)
  const start = new Date(Date.now() + 48 * hour)
  const { id } = await storeVisit(world, customer, home, start, { assigneeId: technician.id })
  const detail = `/admin/appointments-pending/${id}`
  const shown = readable(await world.visit(detail, technician))
  expect(shown).toContain('Volvo EX30 2026')
  expect(shown).toContain('De la concesionaria, 11 kW')
  const allys = await world.visit(detail, ally)
  expect([allys.status, allys.text.includes('Volvo')]).toEqual([200, false])
  expect((await world.visit('/account/data', customer)).text).toContain('Volvo EX30 2026')
})
