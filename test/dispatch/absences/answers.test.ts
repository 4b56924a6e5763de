import { confirmProvisional } from '../../../src/appointments/jobs.ts'
import { expireMoves } from '../../../src/dispatch/move-offers.ts'
import { moveOffers } from '../../../src/platform/database/schema/appointments.ts'
import { tasks } from '../../../src/platform/database/schema/projects.ts'
import { around, assign, hour, occupy, type Visit, visitAtHome } from '../../kit/appointments.ts'
import {
  db,
  expectEmails,
  expectTrail,
  fixture,
  manager,
  openEach,
  rowsWhere,
  rowWhere,
  sendJobs,
  sentAbout,
  technician,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectPage, expectWords, readable } from '../../kit/reading.ts'
import { absenceOf, answers, bestOf, confirms } from '../../kit/scheduling.ts'
import { at, now as stored, workday } from '../../kit/users.ts'

const day = workday()
let customer: Person
/** At ten, of a technician who is absent that day; its customer is offered another time. */
let visit: Visit
let offer: typeof moveOffers.$inferSelect

openEach(async () => {
  customer = await fixture.person({ name: 'Camila' })
  const assigneeId = technician.id
  visit = await visitAtHome(customer, at(day, '10:00'), { assigneeId })
  await occupy(technician2, visit.startsAt)
  const { plan } = await absenceOf(manager, technician, day)
  await confirms(manager, technician, day, bestOf(plan))
  offer = (await rowWhere(moveOffers, { appointmentId: visit.id }))!
})
sendJobs()

const now = () => stored(visit, fixture)
const answer = (intent: 'accept-move' | 'decline-move', by = customer) => answers(by, offer.id, intent)
/** The manager notes an answer by phone. */
const note = (intent: string) =>
  fixture.post(`/admin/assignations/${visit.id}`, { intent, offerId: offer.id }, manager)
const standing = async () => (await absenceOf(manager, technician, day)).offers[0]!.standing
const calls = () => rowsWhere(tasks, { appointmentId: visit.id })
const see = async (path: string, by = customer) => readable(await fixture.visit(path, by))

test('an offer of another time is shown on all screens of its customer and, accepted, moves the visit', async () => {
  const asked = 'Te proponemos otro horario: dinos si te queda'
  expect(await see('/technics-visit')).toContain('Te proponemos otro horario')
  for (const path of ['/', '/installation', '/videocall']) expect(await see(path)).toContain(asked)
  expect(await see('/videocall')).toContain('Ver y contestar')
  await expectAnswered(answer('accept-move'), 303, '/technics-visit')
  const moved = await now()
  expect(moved).toMatchObject({
    state: 'assigned',
    assigneeId: offer.assigneeId,
    startsAt: offer.toStartsAt,
    movedByUs: 1,
    movedByCustomer: 0,
    confirmedAt: expect.any(Date),
  })
  expect(moved.sequence).toBeGreaterThan(visit.sequence)
  expect(await standing()).toBe('accepted')
  const letters = ['changed to customer', 'assigned to person']
  await expectEmails(visit, expect.arrayContaining(letters))
  await expectTrail(visit, ['release', 'rescheduleTo'], 'appointment')
  for (const path of ['/', '/installation', '/videocall'])
    expect(await see(path)).not.toMatch(/Te proponemos|dinos si te queda/)
  // Sent again after a lost answer.
  await expectAnswered(answer('accept-move'), 303)
  expect([await now(), await calls()]).toEqual([moved, []])
})

test.each([
  ['the customer', () => answer('decline-move')],
  ['the manager for a customer on the phone', () => note('decline-move')],
])(
  'an offer declined by %s leaves the visit unassigned at its time, with one urgent task',
  async (_, decline) => {
    await expectAnswered(decline(), 303)
    const { startsAt } = visit
    expect(await now()).toMatchObject({ state: 'requested', assigneeId: null, startsAt })
    expect(await standing()).toBe('declined')
    expect(await sentAbout(visit)).toContain('no_person to managers')
    expectPage(await answer('accept-move'), 409, 'Ya nos dijiste')
    await expectAnswered(answer('decline-move'), 303)
    expect(await calls()).toMatchObject([{ reason: 'move_declined', personId: customer.id, urgent: true }])
  },
)

test('an offer whose time was taken is refused, with a task', async () => {
  await occupy({ id: offer.assigneeId } as Person, offer.toStartsAt)
  expectPage(await answer('accept-move'), 409, 'se acaba de ocupar')
  expect(await standing()).toBe('gone')
  expect(await calls()).toMatchObject([{ reason: 'move_gone' }])
  expect(await now()).toMatchObject({ state: 'requested', startsAt: visit.startsAt })
})

test('an offer without an answer expires once, with a task, and is then refused', async () => {
  const late = new Date(offer.expiresAt.getTime() + 60_000)
  expect(await expireMoves(db, offer.createdAt)).toBe(0)
  fixture.at(late)
  expect(await standing()).toBe('expired')
  expectPage(await answer('accept-move'), 409, 'ya venció')
  expect([await expireMoves(db, late), await expireMoves(db, late)]).toEqual([1, 0])
  expect(await calls()).toMatchObject([{ reason: 'move_expired' }])
})

test('an open offer keeps the system from confirming the visit, and ends when the manager moves it', async () => {
  const before = await now()
  fixture.at(around(visit, -3 * hour))
  await confirmProvisional(db, new Date())
  expect(await now()).toEqual(before)
  const startsAt = at(day, '16:00')
  await assign(manager, before, technician2, {
    overrideReason: 'Se pusieron de acuerdo',
    startsAt: startsAt.toISOString(),
  })
  await expectAnswered(answer('accept-move'), 409)
  await expireMoves(db, new Date())
  expect([(await now()).startsAt, await standing(), await calls()]).toEqual([startsAt, 'withdrawn', []])
})

test('the manager accepts or declines an offer for a customer on the phone', async () => {
  const absence = `/admin/assignations/ausencia?persona=${technician.id}&dia=${day}`
  expectWords(await see(absence, manager), 'Dijo que sí', 'Dijo que no', '551 234 56 78')
  await expectAnswered(note('accept-move'), 303, absence)
  expect(await now()).toMatchObject({ state: 'assigned', startsAt: offer.toStartsAt })
  expect(await standing()).toBe('accepted')
  expect(await see(absence, manager)).not.toContain('Dijo que sí')
  await expectAnswered(note('decline-move'), 409)
})
