import { describe, expect, test } from 'vitest'
import { localDay } from '../../src/domain/shared/format.ts'
import { addresses } from '../../src/server/platform/database/schema/projects.ts'
import { bookVisit, customer, visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { loaded, readable, rowIn } from '../kit/reading.ts'
import { boardOf } from '../kit/scheduling.ts'

openEach(bookVisit)

const [latitude, longitude] = [19.350123, -99.162345]
const pasted = `https://www.google.com/maps/place/X/@19.4,-99.1,17z/data=!3m1!4b1!8m2!3d${latitude}!4d${longitude}`
const text = `${latitude}, ${longitude}`
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

test('its customer marks it: whoever goes there opens the map at that place', async () => {
  expect((await own()).status).toBe(303)
  expect(await home()).toMatchObject({ latitude, longitude, version: 2 })
  expect((await world.visit('/address?editar', customer)).text).toContain(`value="${text}"`)
  expect(await boardPin()).toEqual({ latitude, longitude })
  await world.db.$client.query('update appointments set confirmed_at = now(), state = $1, assignee_id = $2', [
    'assigned',
    people.technician.id,
  ])
  world.at(new Date(visit.startsAt.getTime() - 60 * 60_000))
  for (const [path, by] of [
    [`/admin/appointments-pending/${visit.id}`, people.technician],
    [`/admin/assignations/${visit.id}`, people.manager],
    [`/admin/users/${customer.id}/cliente`, people.manager],
    // Their own day.
    ['/admin/appointments-pending', people.technician],
  ] as const)
    expect([path, (await world.visit(path, by)).text.search(link) > 0]).toEqual([path, true])
})

test('the office marks it, and it is not copied into the appointment', async () => {
  expect((await ofOffice({ visitSeen: visit.id, moveVisit: 'on' })).status).toBe(303)
  expect(await home()).toMatchObject({ latitude, longitude })
  const { address } = await visitOf(world, customer)
  expect(Object.keys(address!)).not.toContain('latitude')
  const page = await world.visit(`/admin/users/${customer.id}/cliente/domicilio`, people.manager)
  expect(page.text).toContain(`value="${text}"`)
})

test('what is not a place is refused, and nothing typed is lost', async () => {
  const short = 'https://maps.app.goo.gl/abc123'
  for (const answer of [await own({ pin: short }), await ofOffice({ pin: short })]) {
    expect(answer.status).toBe(400)
    expect(readable(answer)).toContain('Ese enlace corto no dice dónde está.')
    expect(answer.text).toContain(`value="${short}"`)
  }
  expect(readable(await own({ pin: '20.6736, -103.344' }))).toContain('km de Coyoacán')
  expect(await home()).toMatchObject({ latitude: null, longitude: null, version: 1 })
})

describe('marked', () => {
  test('another street drops it, from the board too; a form that does not ask for it keeps it', async () => {
    await own()
    expect((await world.post('/address', { ...addressForm, version: '2' }, customer)).status).toBe(303)
    expect(await home()).toMatchObject({ latitude, longitude, version: 3 })
    expect((await own({ version: '3', street: 'Calle Nueva' })).status).toBe(303)
    expect(await home()).toMatchObject({ street: 'Calle Nueva', latitude: null, longitude: null })
    expect(await boardPin()).toBeNull()
  })

  test('a visit that stays at the home of before is not led to the new one', async () => {
    await own({ street: 'Calle Nueva' })
    expect(await home()).toMatchObject({ latitude, longitude })
    expect(await boardPin()).toBeNull()
    const page = await world.data(`/admin/assignations/${visit.id}`, people.manager)
    expect(loaded<{ appointment: { pin: unknown } }>(page, 'scheduling/assign').appointment.pin).toBeNull()
  })

  test('left blank it is taken off', async () => {
    await own()
    expect((await own({ version: '2', pin: ' ' })).status).toBe(303)
    expect(await home()).toMatchObject({ latitude: null, longitude: null })
  })

  test('stands in its customer’s own data', async () => {
    await own()
    expect((await world.visit('/account/data', customer)).text).toContain(text)
  })

  test('stays when two records become one', async () => {
    await own()
    const twin = await world.person({ name: 'Camila', lastname: 'Repetida' })
    const form = { intent: 'merge', keptId: twin.id, endedId: customer.id, nameOf: 'kept', phoneOf: 'kept' }
    const answer = await world.post(
      `/admin/users/${twin.id}/cliente/unir`,
      { ...form, confirmed: 'on' },
      people.manager,
    )
    expect(answer.status).toBe(303)
    expect(await home()).toMatchObject({ latitude, longitude })
    expect((await world.visit(`/admin/users/${twin.id}/cliente`, people.manager)).text).toMatch(link)
  })
})

test.each([
  ['half a pin', 'latitude = 19.4', 'addresses_pin_whole'],
  ['a pin in Madrid', 'latitude = 40.4, longitude = -3.7', 'addresses_pin_in_mexico'],
])('%s is not stored', async (_, set, constraint) => {
  const storing = world.db.$client.query(`update addresses set ${set}`)
  await expect(storing).rejects.toMatchObject({ constraint })
})
