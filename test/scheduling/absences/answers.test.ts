import { expect, test } from 'vitest'
import { confirmProvisional } from '../../../src/server/appointments/jobs.ts'
import { moveOffers } from '../../../src/server/platform/database/schema/appointments.ts'
import { tasks } from '../../../src/server/platform/database/schema/projects.ts'
import { expireMoves } from '../../../src/server/scheduling/move-offers.ts'
import { hour, occupy, storeVisit, type Visit } from '../../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, expectWords, readable, rowsIn, trailOf } from '../../kit/reading.ts'
import { absenceOf, answers, bestOf, confirms } from '../../kit/scheduling.ts'
import { at, now as stored, workday } from '../../kit/users.ts'

let customer: Person
let visit: Visit

const day = workday()

/** A step: the technician can't come, and the customer of the visit at ten is offered another time. */
async function offerAnother() {
  const { manager, technician, technician2 } = people
  customer = await world.person({ name: 'Camila' })
  visit = await storeVisit(world, customer, await world.home(customer), at(day, '10:00'), {
    assigneeId: technician.id,
  })
  await occupy(world, technician2, at(day, '10:00'))
  const { plan } = await absenceOf(world, manager, technician, day)
  await confirms(world, manager, technician, day, bestOf(plan))
}

openEach(offerAnother)
sendJobs()

const offerOf = async () => {
  const [offer] = await rowsIn(world, moveOffers, { appointmentId: visit.id })
  return offer!
}
const standing = async () => {
  const { manager, technician } = people
  return (await absenceOf(world, manager, technician, day)).offers[0]!.standing
}
const calls = () => rowsIn(world, tasks, { appointmentId: visit.id })

test('the customer reads the offer and takes it: it is theirs, with that person, and counts as ours', async () => {
  const offer = await offerOf()
  const page = readable(await world.visit('/technics-visit', customer))
  expect(page).toContain('Te proponemos otro horario')
  const home = readable(await world.visit('/', customer))
  expect(home).toContain('Te proponemos otro horario: dinos si te queda')
  expect(home).toContain('Te proponemos otro horario')
  for (const other of ['/installation', '/videocall']) {
    const text = readable(await world.visit(other, customer))
    expectWords(text, 'Te proponemos otro horario: dinos si te queda', 'Ver y contestar')
  }
  expect(page).not.toContain('Ver y contestar')
  expect(page).not.toContain('m..')
  const answer = await answers(world, customer, offer.id, 'accept-move')
  expect([answer.status, answer.location]).toEqual([303, '/technics-visit'])
  const moved = await stored(visit, world)
  expect(moved).toMatchObject({
    state: 'assigned',
    assigneeId: offer.assigneeId,
    startsAt: offer.toStartsAt,
    movedByUs: 1,
    movedByCustomer: 0,
  })
  expect(moved.confirmedAt).not.toBeNull()
  expect(moved.sequence).toBeGreaterThan(visit.sequence)
  expect(await standing()).toBe('accepted')
  expect(await emailsAbout(world, visit)).toEqual(
    expect.arrayContaining(['changed to customer', 'assigned to person']),
  )
  expect(await trailOf(world, visit, 'appointment')).toEqual(['release', 'rescheduleTo'])
  for (const one of ['/', '/installation', '/videocall'])
    expect(readable(await world.visit(one, customer))).not.toMatch(/Te proponemos|dinos si te queda/)
  // The answer was lost: the same again is the same.
  expect((await answers(world, customer, offer.id, 'accept-move')).status).toBe(303)
  expect((await stored(visit, world)).version).toBe(moved.version)
  expect(await calls()).toEqual([])
})

test('declined: it stays without anybody, and somebody calls', async () => {
  const offer = await offerOf()
  expect((await answers(world, customer, offer.id, 'decline-move')).status).toBe(303)
  expect(await stored(visit, world)).toMatchObject({
    state: 'requested',
    assigneeId: null,
    startsAt: visit.startsAt,
  })
  expect(await standing()).toBe('declined')
  expect(await calls()).toMatchObject([{ reason: 'move_declined', personId: customer.id, urgent: true }])
  expect(await emailsAbout(world, visit)).toContain('no_person to managers')
  const late = await answers(world, customer, offer.id, 'accept-move')
  expect([late.status, late.text.includes('Ya nos dijiste')]).toEqual([409, true])
  expect((await answers(world, customer, offer.id, 'decline-move')).status).toBe(303)
  expect(await calls()).toHaveLength(1)
})

test('not free any more: the customer hears so, and somebody calls', async () => {
  const offer = await offerOf()
  await occupy(world, { id: offer.assigneeId } as Person, offer.toStartsAt)
  const answer = await answers(world, customer, offer.id, 'accept-move')
  expect([answer.status, answer.text.includes('se acaba de ocupar')]).toEqual([409, true])
  expect(await standing()).toBe('gone')
  expect(await calls()).toMatchObject([{ reason: 'move_gone' }])
  expect(await stored(visit, world)).toMatchObject({ state: 'requested', startsAt: visit.startsAt })
})

test('not answered in time: it ends by itself, once, and can’t be taken up', async () => {
  const offer = await offerOf()
  const late = new Date(offer.expiresAt.getTime() + 60_000)
  expect(await expireMoves(world.db, offer.createdAt)).toBe(0)
  world.at(late)
  expect(await standing()).toBe('expired')
  const answer = await answers(world, customer, offer.id, 'accept-move')
  expect([answer.status, answer.text.includes('ya venció')]).toEqual([409, true])
  expect([await expireMoves(world.db, late), await expireMoves(world.db, late)]).toEqual([1, 0])
  expect(await calls()).toMatchObject([{ reason: 'move_expired' }])
})

test('while it is open nothing else is chosen for it; a manager who does ends it', async () => {
  const { manager, technician2 } = people
  const offer = await offerOf()
  const before = await stored(visit, world)
  world.at(new Date(visit.startsAt.getTime() - 3 * hour))
  await confirmProvisional(world.db, new Date())
  expect((await stored(visit, world)).version).toBe(before.version)
  await world.post(
    `/admin/assignations/${visit.id}`,
    {
      intent: 'give',
      version: String(before.version),
      assigneeId: technician2.id,
      overrideReason: 'Se pusieron de acuerdo',
      startsAt: at(day, '16:00').toISOString(),
    },
    manager,
  )
  expect((await stored(visit, world)).startsAt).toEqual(at(day, '16:00'))
  expect(await standing()).toBe('withdrawn')
  const answer = await answers(world, customer, offer.id, 'accept-move')
  expect([answer.status, (await stored(visit, world)).startsAt]).toEqual([409, at(day, '16:00')])
  await expireMoves(world.db, new Date())
  expect(await standing()).toBe('withdrawn')
  expect(await calls()).toEqual([])
})

test('the manager notes what the customer said on the phone, and comes back to the other answers', async () => {
  const { manager, technician } = people
  const offer = await offerOf()
  const absence = `/admin/assignations/ausencia?persona=${technician.id}&dia=${day}`
  const page = readable(await world.visit(absence, manager))
  expectWords(page, 'Dijo que sí', 'Dijo que no', '551 234 56 78')
  const said = (intent: string) =>
    world.post(`/admin/assignations/${visit.id}`, { intent, offerId: offer.id }, manager)
  const answer = await said('accept-move')
  expect([answer.status, answer.location]).toEqual([303, absence])
  expect(await stored(visit, world)).toMatchObject({ state: 'assigned', startsAt: offer.toStartsAt })
  expect(await standing()).toBe('accepted')
  expect(readable(await world.visit(absence, manager))).not.toContain('Dijo que sí')
  expect((await said('decline-move')).status).toBe(409)
})

test('a customer who says no on the phone keeps the hour, and waits for another', async () => {
  const offer = await offerOf()
  const form = { intent: 'decline-move', offerId: offer.id }
  await world.post(`/admin/assignations/${visit.id}`, form, people.manager)
  expect([await standing(), (await stored(visit, world)).startsAt]).toEqual(['declined', visit.startsAt])
  expect(await calls()).toHaveLength(1)
})

test('for anybody else it does not exist', async () => {
  const offer = await offerOf()
  const { technician2, manager, customer: stranger } = people
  expect((await answers(world, stranger, offer.id, 'accept-move')).status).toBe(404)
  expect((await answers(world, stranger, offer.id, 'decline-move')).status).toBe(404)
  for (const person of [technician2, manager])
    expect((await answers(world, person, offer.id, 'accept-move')).status).toBe(403)
  expect(readable(await world.visit('/technics-visit', stranger))).not.toContain('Te proponemos')
  expect(await standing()).toBe('sent')
})
