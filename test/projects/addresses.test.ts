import { expect, test } from 'vitest'
import { addresses, events } from '../../src/server/platform/database/schema/projects.ts'
import { coloniasOf, importPostalList, placeOfCode } from '../../src/server/projects/postal-list.ts'
import { openBare, world } from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { rowsIn } from '../kit/reading.ts'

openBare()

type Loaded = Record<string, { data: Record<string, string> }>
/** What a screen's loader answered. */
const screen = async (path: string, route: string, as: Person) =>
  ((await world.data(path, as)).value as Loaded)[route]?.data ?? {}

const header = 'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado'
const listed = (...lines: string[]) => Buffer.from([header, ...lines].join('\n'), 'latin1')

test('an address is taken off, kept in the table, and another can follow', async () => {
  const customer = await world.person({})
  const { addressId } = await world.home(customer)
  const answer = await world.post('/address', { intent: 'archive', version: '1' }, customer)
  expect(answer).toMatchObject({ status: 303, location: '/address' })
  const [kept] = await rowsIn(world, addresses, { id: addressId })
  expect(kept?.archivedAt).toBeInstanceOf(Date)
  const again = await world.post('/address', addressForm, customer)
  expect(again).toMatchObject({ status: 303, location: '/technics-visit' })
})

test('a stale form takes nothing off, nor does a member of staff', async () => {
  const [customer, manager] = [await world.person({}), await world.person({ kind: 'manager' })]
  const { addressId } = await world.home(customer)
  expect((await world.post('/address', { intent: 'archive', version: '7' }, customer)).status).toBe(409)
  expect((await world.post('/address', { intent: 'archive' }, customer)).status).toBe(400)
  expect((await world.post('/address', { intent: 'archive', version: '1' }, manager)).status).toBe(403)
  const [present] = await rowsIn(world, addresses, { id: addressId })
  expect(present?.archivedAt).toBeNull()
})

test('an address with a visit waiting stays, and the refusal names the visit', async () => {
  const { customer } = await world.people()
  await world.home(customer)
  const { requestKey, soonest } = await screen('/agenda-technics-visit', 'appointments/book', customer)
  await world.post(
    '/agenda-technics-visit',
    { requestKey: requestKey ?? '', startsAt: soonest ?? '' },
    customer,
  )
  const answer = await world.post('/address', { intent: 'archive', version: '1' }, customer)
  expect(answer.status).toBe(409)
  expect(answer.text).toMatch(/Tienes la cita VT-\d{4}-\d{5} en este domicilio/)
})

test('outside our area one can ask to be told, once there is somewhere to tell about', async () => {
  const customer = await world.person({})
  // The office keeps one whole; a customer, its code.
  await world.home(customer, { postalCode: '52140', municipality: 'Metepec' })
  expect((await world.visit('/address', customer)).text).toContain('Avísame cuando lleguen')
  await world.post('/address', { intent: 'notice' }, customer)
  expect((await world.visit('/address', customer)).text).not.toContain('Avísame cuando lleguen')
  expect(await rowsIn(world, events, { name: 'ask_for_notice' })).toHaveLength(1)
  const near = await world.person({})
  await world.home(near)
  expect((await world.post('/address', { intent: 'notice' }, near)).status).toBe(409)
})

test('the official list, once loaded, decides before the ranges and suggests colonias', async () => {
  const file = listed(
    '52140|San Jerónimo Chicahualco|Pueblo|Metepec|México',
    '53100|Ciudad Satélite|Fraccionamiento|Naucalpan de Juárez|México',
    '53100|Ñandú|Colonia|Naucalpan de Juárez|México',
    '53100|Nube|Colonia|Naucalpan de Juárez|México',
    '52766|Ejemplo|Colonia|Lerma|México',
  )
  expect(await importPostalList(world.db, file)).toBe(5)
  expect(await coloniasOf(world.db, '53100')).toEqual(['Ciudad Satélite', 'Nube', 'Ñandú'])
  expect(await placeOfCode(world.db, '52766')).toEqual({ area: 'served', municipality: 'lerma' })
  expect(await placeOfCode(world.db, '03100')).toEqual({ area: 'served', municipality: 'benito-juarez' })
  const customer = await world.person({})
  await world.post(
    '/address',
    { ...addressForm, postalCode: '52766', municipality: '', regionGroup: '', state: '' },
    customer,
  )
  expect(await screen('/technics-visit', 'appointments/technics-visit', customer)).toMatchObject({
    hindrance: null,
  })
  const [saved] = await rowsIn(world, addresses, { postalCode: '52766' })
  expect(saved).toMatchObject({ municipality: 'lerma', regionGroup: 'edomex', area: 'served' })
  await expect(importPostalList(world.db, Buffer.from('otra cosa'))).rejects.toThrow('columns are missing')
  expect(await coloniasOf(world.db, '53100')).toHaveLength(3)
})
