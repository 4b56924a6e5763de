import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { addresses, tasks } from '../../src/platform/database/schema/projects.ts'
import { localDay } from '../../src/shared/format.ts'
import {
  around,
  bookVisit,
  customer,
  deactivate,
  hour,
  minute,
  occupy,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import {
  analyst,
  customer2,
  db,
  expectScreen,
  fixture,
  manager,
  markupOf,
  openEach,
  post,
  rowsWhere,
  rowWhere,
  sendJobs,
  sentAbout,
  technician,
  technician2,
} from '../kit/open.ts'
import { addressForm } from '../kit/people.ts'
import { agreeOn, storeDraft, visited } from '../kit/quotes.ts'
import { expectAnswered, expectPage, expectShown, lastEventOf, loaded } from '../kit/reading.ts'
import { boardOf } from '../kit/scheduling.ts'

openEach(bookVisit)
sendJobs()

const page = () => `/admin/users/${customer.id}/cliente`
const form = () => `${page()}/domicilio`
// Other roles: test/security/actions/pipeline.ts. An unverified account: test/appointments/booking/caller-mailbox.test.ts.
const correct = (changes: Record<string, string>) => {
  const sent = { ...addressForm, version: '1', visitSeen: visit.id, ...changes }
  return post(form(), { intent: 'correct-address', ...sent }, manager)
}
const moved = { moveVisit: 'on', street: 'Calle Nueva' }
const toluca = { postalCode: '50000' }
const homeOf = async () => (await rowWhere(addresses, { projectId: visit.projectId }))!

test('moves the visit to the new address with an e-mail, or leaves it at the old one', async () => {
  const { street } = moved
  await expectScreen(form(), manager, `La visita ${visit.folio} va a esta dirección`)
  await expectAnswered(correct({ street }), 303)
  expect(await visitOf(customer)).toEqual(visit)
  expect(await homeOf()).toMatchObject({ street, version: 2 })
  expect(await correct({ ...moved, version: '2' })).toMatchObject({ status: 303, location: page() })
  expect((await visitOf(customer)).address).toMatchObject({ street })
  const last = await lastEventOf(fixture, await homeOf())
  expect(last).toMatchObject({ name: 'update', actorId: manager.id })
  expect(await sentAbout(visit)).toContain('changed to customer')
  await expectScreen(page(), manager, 'Domicilio corregido')
})

test('lets the manager choose a free time, also past the cut-off, where no technician can keep it', async () => {
  await db.$client.query(`update appointments set created_at = now() - interval '40 days'`)
  const assignee = [technician, technician2].find(({ id }) => id === visit.assigneeId)!
  await deactivate(assignee === technician ? technician2 : technician)
  await occupy(assignee, around(visit, -90 * minute))
  const asked = await correct({ ...toluca, moveVisit: 'on' })
  expectPage(asked, 409, 'No cuenta entre sus cambios.')
  const newStart = /name="newStart"[^>]*value="([^"]+)"/.exec(asked.text)![1]!
  await expectAnswered(correct({ ...toluca, moveVisit: 'on', newStart }), 303)
  expect(await visitOf(customer)).toMatchObject({
    startsAt: new Date(newStart),
    municipality: 'toluca',
    movedByCustomer: 0,
  })
})

test('refuses to move the visit outside our area; an unclear area is verified by an analyst', async () => {
  const far = { postalCode: '64000', municipality: 'Monterrey', state: 'nuevo-leon' }
  expectPage(await correct({ ...far, moveVisit: 'on' }), 409, 'o cancélala antes')
  await expectAnswered(correct({ postalCode: '55000', municipality: 'Toluca', confirmInArea: 'on' }), 303)
  const { area, version } = await homeOf()
  expect(area).toBe('to_verify')
  const [task] = await rowsWhere(tasks, { personId: customer.id })
  await expectScreen(page(), analyst, 'Por verificar', 'No llegamos', 'Sí llegamos')
  const answer = { taskId: task!.id, version: String(version), answer: 'yes' }
  const verified = await post(page(), { intent: 'verify-area', ...answer }, analyst)
  expect(verified.status).toBe(303)
  expect(await homeOf()).toMatchObject({ area: 'served' })
})

test('refuses a stale form, and one that does not know of the booked visit', async () => {
  await expectAnswered(correct({ ...moved, version: '7' }), 409)
  expectPage(await correct({ ...moved, visitSeen: '' }), 409, 'se agendó la visita')
  expect(await homeOf()).toMatchObject({ street: addressForm.street, version: 1 })
})

test('refuses another address after a quote was accepted, which is approved at the quote', async () => {
  const seen = await visited(customer2, technician)
  await agreeOn(manager, customer2, await storeDraft(fixture, seen, analyst))
  const path = `/admin/users/${customer2.id}/cliente/domicilio`
  await expectScreen(path, manager, 'otro domicilio se aprueba en su cotización')
  const sent = { intent: 'correct-address', ...addressForm, ...toluca, version: '1' }
  expectPage(await post(path, sent, manager), 409, 'se aprueba en esa')
})

const latitude = 19.350123
const longitude = -99.162345
const pasted = `https://www.google.com/maps?q=${latitude},${longitude}`
const text = `${latitude}, ${longitude}`
const none = { latitude: null, longitude: null }
/** The way there, or the place, in the app of maps. */
const link = new RegExp(`(query|destination)=${latitude}%2C${longitude}`)
const sendOwn = (form: Record<string, string> = {}) =>
  post('/address', { ...addressForm, version: '1', pin: pasted, ...form }, customer)
const boardPin = async () => {
  const { board } = await boardOf(manager, localDay(visit.startsAt))
  return board.visits.find(({ id }) => id === visit.id)!.pin
}

test('a customer pins their home: technicians and the office open the map there', async () => {
  await expectAnswered(sendOwn(), 303)
  expect(await homeOf()).toMatchObject({ latitude, longitude, version: 2 })
  for (const path of ['/address?editar', '/account/data']) await expectScreen(path, customer, text)
  expect(await boardPin()).toEqual({ latitude, longitude })
  const set = { confirmedAt: new Date(), state: 'assigned', assigneeId: technician.id } as const
  await db.update(appointments).set(set)
  fixture.at(around(visit, -hour))
  for (const [path, by] of [
    [`/admin/appointments-pending/${visit.id}`, technician],
    ['/admin/appointments-pending', technician],
    [`/admin/assignations/${visit.id}`, manager],
    [page(), manager],
  ] as const)
    expect(await markupOf(path, by)).toMatch(link)
})

test('a manager pins a home; the pin is not copied into the appointment', async () => {
  await expectAnswered(correct({ pin: text, moveVisit: 'on' }), 303)
  expect(await homeOf()).toMatchObject({ latitude, longitude })
  const { address } = await visitOf(customer)
  expect(Object.keys(address!)).not.toContain('latitude')
  await expectScreen(form(), manager, `value="${text}"`)
})

test('refuses a link without a place, with what was typed, and a place far away', async () => {
  const short = 'https://maps.app.goo.gl/abc123'
  for (const answer of [await sendOwn({ pin: short }), await correct({ pin: short })])
    expectShown(answer, 400, 'Ese enlace corto no dice dónde está.', `value="${short}"`)
  expectPage(await sendOwn({ pin: '20.6736, -103.344' }), 400, 'de Coyoacán')
  expect(await homeOf()).toMatchObject({ ...none, version: 1 })
})

test('another street removes the pin; a form without the field keeps it', async () => {
  await sendOwn()
  await expectAnswered(post('/address', { ...addressForm, version: '2' }, customer), 303)
  expect(await homeOf()).toMatchObject({ latitude, longitude, version: 3 })
  await expectAnswered(sendOwn({ version: '3', street: 'Calle Nueva' }), 303)
  expect(await homeOf()).toMatchObject({ street: 'Calle Nueva', ...none })
  expect(await boardPin()).toBeNull()
})

test('a visit that stays at the former address has no pin of the new one', async () => {
  await sendOwn({ street: 'Calle Nueva' })
  expect(await homeOf()).toMatchObject({ latitude, longitude })
  expect(await boardPin()).toBeNull()
  const { appointment } = loaded<{ appointment: object }>(
    await fixture.data(`/admin/assignations/${visit.id}`, manager),
    'dispatch/screens/assign',
  )
  expect(appointment).toMatchObject({ pin: null })
})

test.each([
  ['half a pin', 'latitude = 19.4', 'addresses_pin_whole'],
  ['a pin in Madrid', 'latitude = 40.4, longitude = -3.7', 'addresses_pin_in_mexico'],
])('the database refuses %s', async (_, set, constraint) => {
  await expect(db.$client.query(`update addresses set ${set}`)).rejects.toMatchObject({ constraint })
})
