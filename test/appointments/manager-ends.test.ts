import {
  around,
  assign,
  assignVisit,
  book,
  bookVisit,
  customer,
  expectVisit,
  hour,
  slots,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import {
  expectEmails,
  expectLastEvent,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  openEach,
  post,
  technician,
} from '../kit/open.ts'
import { expectAnswered, expectShown, expectTwice, statusesOf } from '../kit/reading.ts'

openEach(bookVisit)

const send = (form: Record<string, string>) =>
  post(`/admin/assignations/${visit.id}`, { version: String(visit.version), ...form }, manager)
const cancelling = { intent: 'cancel-by-house', reason: 'clima', note: 'Lluvia fuerte' }
const releasing = { intent: 'release', releaseReason: 'Se enfermó' }

test('the manager cancels with a reason after the cut-off, once; customer and technician are notified', async () => {
  await assignVisit()
  fixture.at(around(visit, -hour))
  expect(await statusesOf(send(cancelling), send(cancelling))).toEqual([303, 303])
  await expectVisit({
    state: 'cancelled',
    late: false,
    closingReason: 'clima',
    closingNote: 'Lluvia fuerte',
  })
  await expectEmails(visit, ['cancelled to customer', 'cancelled to person'], 'cancelled')
  await expectLastEvent(visit, {
    name: 'cancel',
    actorId: manager.id,
    reason: 'Clima: Lluvia fuerte',
  })
})

test('the manager releases the technician with a reason, once; the visit can be assigned again', async () => {
  await assignVisit()
  await expectTwice(() => send(releasing))
  const after = await visitOf(customer)
  expect(after).toMatchObject({ state: 'requested', assigneeId: null, confirmedAt: null, version: 3 })
  await expectTrail(visit, ['book', 'assign', 'release'])
  await expectLastEvent(visit, {
    actorId: manager.id,
    reason: 'Se enfermó',
    data: { from: technician.id },
  })
  await expectEmails(visit, ['no_person to customer', 'no_person to person'], 'no_person')
  await expectAnswered(assign(manager, after, technician), 303)
})

test('refuses a stale version, a missing reason and the release of a provisional technician', async () => {
  for (const [form, status] of [
    [{ ...cancelling, version: '9' }, 409],
    [{ ...cancelling, reason: '' }, 400],
    [{ ...cancelling, reason: 'otro', note: 'corto' }, 400],
    [{ intent: 'release', releaseReason: ' ' }, 400],
    [releasing, 409],
  ] as const)
    await expectAnswered(send(form), status)
  expect(await visitOf(customer)).toEqual(visit)
})

test('a visit whose time has passed is moved or cancelled by the manager and can be booked again', async () => {
  fixture.at(around(visit, 30 * hour))
  await expectScreen(`/admin/assignations/${visit.id}`, manager, 'Ya pasó su hora')
  const scout = await fixture.person()
  await fixture.home(scout)
  const startsAt = (await slots(scout))[2]!
  await expectAnswered(send({ intent: 'give', assigneeId: visit.assigneeId!, startsAt }), 303)
  const moved = await visitOf(customer)
  expect(moved).toMatchObject({ startsAt: new Date(startsAt), movedByUs: 1 })
  fixture.at(around(moved, 30 * hour))
  const missed = { ...cancelling, reason: 'cliente_no_disponible', version: String(moved.version) }
  await expectAnswered(send(missed), 303)
  await expectAnswered(book(customer, (await slots(scout))[2]!), 303)
})

test('refuses to release a technician who set out meanwhile, and returns the typed reason', async () => {
  await assignVisit()
  fixture.at(around(visit, -hour))
  await post(`/admin/appointments-pending/${visit.id}`, { move: 'setOut' }, technician)
  expectShown(
    await send({ ...releasing, releaseReason: 'Pidió el día' }),
    409,
    'Esto escribiste: «Pidió el día»',
  )
})
