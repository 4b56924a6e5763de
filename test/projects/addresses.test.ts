import { addresses, events, projects } from '../../src/platform/database/schema/projects.ts'
import { coloniasOf, importPostalList, placeOfCode } from '../../src/projects/postal-list.ts'
import { storeCode } from '../kit/agencies.ts'
import { customerWithVisit, visitAtHome } from '../kit/appointments.ts'
import {
  ally,
  db,
  expectCount,
  expectLed,
  expectNotOnPage,
  expectRow,
  expectScreen,
  fixture,
  fromNow,
  markupOf,
  newHome,
  newPerson,
  openOnce,
  pageText,
  post,
} from '../kit/open.ts'
import { addressForm, type Person } from '../kit/people.ts'
import { expectAnswered, expectLocation, expectPage } from '../kit/reading.ts'
import { provisional } from '../kit/users.ts'

openOnce()

const header = 'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado'
const listed = (...lines: string[]) => Buffer.from([header, ...lines].join('\n'), 'latin1')

const archive = (by: Person, version = '1') => post('/address', { intent: 'archive', version }, by)

test('a customer removes an address, which stays stored, and adds another', async () => {
  const customer = await newPerson()
  const { addressId: id } = await newHome(customer)
  await expectAnswered(archive(customer, '7'), 409)
  await expectAnswered(archive(customer, ''), 400)
  await expectRow(addresses, { id }, { archivedAt: null })
  await expectAnswered(archive(customer), 303, '/address')
  await expectRow(addresses, { id }, { archivedAt: expect.any(Date) })
  await expectAnswered(post('/address', addressForm, customer), 303, '/technics-visit')
})

test('refuses to remove an address with a booked visit, which it names', async () => {
  const customer = await newPerson()
  const tomorrow = fromNow(24 * 3_600_000)
  const visit = await visitAtHome(customer, tomorrow, provisional)
  expectPage(await archive(customer), 409, `Tienes la cita ${visit.folio} en este domicilio`)
})

test('a customer outside our area asks once to be notified, one inside cannot', async () => {
  const customer = await newPerson()
  await newHome(customer, { postalCode: '52140', municipality: 'Metepec' })
  await expectScreen('/address', customer, 'Avísame cuando lleguen')
  const ask = (who: Person) => post('/address', { intent: 'notice' }, who)
  await ask(customer)
  await expectNotOnPage('/address', customer, 'Avísame cuando lleguen')
  await expectCount(events, { name: 'ask_for_notice' }, 1)
  const near = await newPerson()
  await newHome(near)
  await expectAnswered(ask(near), 409)
})

test('the official postal list, once imported, decides the area and suggests colonias', async () => {
  const file = listed(
    '53100|Ciudad Satélite|Fraccionamiento|Naucalpan de Juárez|México',
    '53100|Ñandú|Colonia|Naucalpan de Juárez|México',
    '53100|Nube|Colonia|Naucalpan de Juárez|México',
    '52766|Ejemplo|Colonia|Lerma|México',
  )
  expect(await importPostalList(db, file)).toBe(4)
  expect(await coloniasOf(db, '53100')).toEqual(['Ciudad Satélite', 'Nube', 'Ñandú'])
  expect(await placeOfCode(db, '03100')).toEqual({ area: 'served', municipality: 'benito-juarez' })
  await expectScreen('/approach?cp=52766', undefined, 'Sí, llegamos a Lerma')
  const customer = await newPerson()
  const form = { ...addressForm, postalCode: '52766', municipality: '', regionGroup: '', state: '' }
  await expectAnswered(post('/address', form, customer), 303, '/technics-visit')
  const saved = { municipality: 'lerma', regionGroup: 'edomex', area: 'served' }
  await expectRow(addresses, { postalCode: '52766' }, saved)
  await expect(importPostalList(db, Buffer.from('otra cosa'))).rejects.toThrow('columns are missing')
  expect(await coloniasOf(db, '53100')).toHaveLength(3)
})

test('shows when a booked visit is and what to prepare, and ticks what is known', async () => {
  const { customer } = await customerWithVisit()
  for (const [path, when] of [
    ['/', 'te visitamos.'],
    ['/technics-visit', 'Llegamos entre'],
  ] as const)
    await expectScreen(path, customer, when, 'Prepárate', 'Decir cuál es mi auto', 'Dar indicaciones')
  const vehicle = { brand: 'BYD', model: 'Dolphin', year: null, deliveredOn: null }
  await db.update(projects).set({ vehicle })
  const known = await pageText('/', customer)
  expect(known).not.toContain('Decir cuál es mi auto')
  expect(known).toMatch(/El modelo de tu auto ?, listo/)
})

test('shows a stored address, edits it on request, and fills in a postal code asked for before', async () => {
  const customer = await newPerson()
  const other = await newPerson()
  await newHome(customer)
  const words = [addressForm.street, 'Editar', 'Ver en el mapa', 'Quitar este domicilio']
  await expectScreen('/address', customer, ...words)
  expect(await markupOf('/address', customer)).not.toContain('name="street"')
  await expectScreen('/address?editar', customer, `value="${addressForm.street}"`)
  const visitor = fixture.visitor()
  await fixture.visit('/approach?cp=03100', visitor)
  other.cookies.set('asked-code', visitor.cookies.get('asked-code')!)
  await expectScreen('/address', other, 'value="03100"', 'Sí llegamos a Benito Juárez')
})

test('says why the agenda needs an address, and redirects back to it', async () => {
  const customer = await newPerson()
  await expectLed('/agenda-technics-visit', customer, '/address?para=technical_visit')
  const path = '/address?para=technical_visit'
  await expectScreen(path, customer, 'Para agendar tu visita')
  expectLocation(await post(path, addressForm, customer), '/agenda-technics-visit')
  await expectAnswered(fixture.visit('/address?para=nada', customer), 200)
})

test('shows the benefit of a usable code only', async () => {
  const { code } = await storeCode(ally, { benefitKind: 'percent', benefitValue: 10_00 })
  await expectScreen(`/approach?codigo=${code}`, undefined, `Tienes 10 % de descuento con el código ${code}`)
  expect(await pageText('/approach?codigo=NADIE234')).not.toMatch(/NADIE234|con el código/)
})
