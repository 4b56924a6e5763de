import { expect, test } from 'vitest'
import { localDay } from '../../src/domain/shared/format.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { addresses } from '../../src/server/platform/database/schema/projects.ts'
import { around, bookVisit, customer, hour, visit, visitOf } from '../kit/appointments.ts'
import { expectScreen, openEach, people, world } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { expectAnswered, expectShown, expectWords, loaded, readable, rowIn } from '../kit/reading.ts'
import { boardOf } from '../kit/scheduling.ts'

openEach(bookVisit)

const latitude = 19.350123
const longitude = -99.162345
const pasted = `https://www.google.com/maps/place/X/@19.4,-99.1,17z/data=!3m1!4b1!8m2!3d${latitude}!4d${longitude}`
const text = `${latitude}, ${longitude}`
const none = { latitude: null, longitude: null }
/** The way there, or the place, in the app of maps. */
const link = new RegExp(`(query|destination)=${latitude}%2C${longitude}`)
const own = (form: Record<string, string> = {}) =>
  world.post('/address', { ...addressForm, version: '1', pin: pasted, ...form }, customer)
const ofOffice = (form: Record<string, string> = {}) =>
  world.post(
    `/admin/users/${customer.id}/cliente/domicilio`,
    { intent: 'correct-address', ...addressForm, version: '1', pin: text, ...form },
    people.manager,
  )
const home = async () => (await rowIn(world, addresses, { projectId: visit.projectId }))!
const boardPin = async () => {
  const { board } = await boardOf(world, people.manager, localDay(visit.startsAt))
  return board.visits.find(({ id }) => id === visit.id)!.pin
}

test('a customer pins their home: technicians and the office open the map there', async () => {
  await expectAnswered(own(), 303)
  expect(await home()).toMatchObject({ latitude, longitude, version: 2 })
  for (const path of ['/address?editar', '/account/data']) await expectScreen(path, customer, text)
  expect(await boardPin()).toEqual({ latitude, longitude })
  const { manager, technician } = people
  const set = { confirmedAt: new Date(), state: 'assigned', assigneeId: technician.id } as const
  await world.db.update(appointments).set(set)
  world.at(around(visit, -hour))
  for (const [path, by] of [
    [`/admin/appointments-pending/${visit.id}`, technician],
    ['/admin/appointments-pending', technician],
    [`/admin/assignations/${visit.id}`, manager],
    [`/admin/users/${customer.id}/cliente`, manager],
  ] as const)
    expect((await world.visit(path, by)).text).toMatch(link)
})

test('a manager pins it; the pin is not copied into the appointment', async () => {
  await expectAnswered(ofOffice({ visitSeen: visit.id, moveVisit: 'on' }), 303)
  expect(await home()).toMatchObject({ latitude, longitude })
  const { address } = await visitOf(world, customer)
  expect(Object.keys(address!)).not.toContain('latitude')
  await expectScreen(`/admin/users/${customer.id}/cliente/domicilio`, people.manager, `value="${text}"`)
})

test('refuses a link without a place, with what was typed, and a place far away', async () => {
  const short = 'https://maps.app.goo.gl/abc123'
  for (const answer of [await own({ pin: short }), await ofOffice({ pin: short })])
    expectShown(answer, 400, 'Ese enlace corto no dice dónde está.', `value="${short}"`)
  expectWords(readable(await own({ pin: '20.6736, -103.344' })), 'km de Coyoacán')
  expect(await home()).toMatchObject({ ...none, version: 1 })
})

test('another street removes it; a form without the field keeps it', async () => {
  await own()
  const form = { ...addressForm, version: '2' }
  await expectAnswered(world.post('/address', form, customer), 303)
  expect(await home()).toMatchObject({ latitude, longitude, version: 3 })
  await expectAnswered(own({ version: '3', street: 'Calle Nueva' }), 303)
  expect(await home()).toMatchObject({ street: 'Calle Nueva', ...none })
  expect(await boardPin()).toBeNull()
})

test('a visit that stays at the former address has no pin of the new one', async () => {
  await own({ street: 'Calle Nueva' })
  expect(await home()).toMatchObject({ latitude, longitude })
  expect(await boardPin()).toBeNull()
  const page = await world.data(`/admin/assignations/${visit.id}`, people.manager)
  expect(loaded<{ appointment: { pin: unknown } }>(page, 'scheduling/assign').appointment.pin).toBeNull()
})

test.each([
  ['half a pin', 'latitude = 19.4', 'addresses_pin_whole'],
  ['a pin in Madrid', 'latitude = 40.4, longitude = -3.7', 'addresses_pin_in_mexico'],
])('the database refuses %s', async (_, set, constraint) => {
  const storing = world.db.$client.query(`update addresses set ${set}`)
  await expect(storing).rejects.toMatchObject({ constraint })
})
