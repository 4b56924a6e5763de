import { expect, test } from 'vitest'
import { addresses, events } from '../../src/server/platform/database/schema/projects.ts'
import { coloniasOf, importPostalList, placeOfCode } from '../../src/server/projects/postal-list.ts'
import { storeVisit } from '../kit/appointments.ts'
import { expectNotOnPage, expectRow, expectScreen, openBare, world } from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { expectAnswered, expectPage, rowsIn } from '../kit/reading.ts'
import { provisional } from '../kit/users.ts'

openBare()

const header = 'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado'
const listed = (...lines: string[]) => Buffer.from([header, ...lines].join('\n'), 'latin1')

const archive = (by: Person, version = '1') => world.post('/address', { intent: 'archive', version }, by)

test('a customer removes an address, which stays stored, and adds another', async () => {
  const customer = await world.person()
  const { addressId: id } = await world.home(customer)
  await expectAnswered(archive(customer, '7'), 409)
  await expectAnswered(archive(customer, ''), 400)
  await expectRow(addresses, { id }, { archivedAt: null })
  await expectAnswered(archive(customer), 303, '/address')
  await expectRow(addresses, { id }, { archivedAt: expect.any(Date) })
  await expectAnswered(world.post('/address', addressForm, customer), 303, '/technics-visit')
})

test('refuses to remove an address with a booked visit, which it names', async () => {
  const customer = await world.person()
  const tomorrow = new Date(Date.now() + 24 * 3_600_000)
  const visit = await storeVisit(world, customer, await world.home(customer), tomorrow, provisional)
  expectPage(await archive(customer), 409, `Tienes la cita ${visit.folio} en este domicilio`)
})

test('a customer outside our area asks once to be notified, one inside cannot', async () => {
  const customer = await world.person()
  await world.home(customer, { postalCode: '52140', municipality: 'Metepec' })
  await expectScreen('/address', customer, 'Avísame cuando lleguen')
  const ask = (who: Person) => world.post('/address', { intent: 'notice' }, who)
  await ask(customer)
  await expectNotOnPage('/address', customer, 'Avísame cuando lleguen')
  expect(await rowsIn(world, events, { name: 'ask_for_notice' })).toHaveLength(1)
  const near = await world.person()
  await world.home(near)
  await expectAnswered(ask(near), 409)
})

test('the official postal list, once imported, decides the area and suggests colonias', async () => {
  const file = listed(
    '53100|Ciudad Satélite|Fraccionamiento|Naucalpan de Juárez|México',
    '53100|Ñandú|Colonia|Naucalpan de Juárez|México',
    '53100|Nube|Colonia|Naucalpan de Juárez|México',
    '52766|Ejemplo|Colonia|Lerma|México',
  )
  expect(await importPostalList(world.db, file)).toBe(4)
  expect(await coloniasOf(world.db, '53100')).toEqual(['Ciudad Satélite', 'Nube', 'Ñandú'])
  expect(await placeOfCode(world.db, '03100')).toEqual({ area: 'served', municipality: 'benito-juarez' })
  await expectScreen('/approach?cp=52766', undefined, 'Sí, llegamos a Lerma')
  const customer = await world.person()
  const form = { ...addressForm, postalCode: '52766', municipality: '', regionGroup: '', state: '' }
  await expectAnswered(world.post('/address', form, customer), 303, '/technics-visit')
  const saved = { municipality: 'lerma', regionGroup: 'edomex', area: 'served' }
  await expectRow(addresses, { postalCode: '52766' }, saved)
  await expect(importPostalList(world.db, Buffer.from('otra cosa'))).rejects.toThrow('columns are missing')
  expect(await coloniasOf(world.db, '53100')).toHaveLength(3)
})
