import { expect, test } from 'vitest'
import { endMissedCalls } from '../../src/server/calls/outcomes.ts'
import {
  appointments,
  calls as callsTable,
  slotWishes,
} from '../../src/server/platform/database/schema/appointments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { calls } from '../appointments/booking/services.ts'
import { around, minute, move, type Visit, visitOf } from '../kit/appointments.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { emailsAbout, eventsOf, loaded, readable, rowsIn } from '../kit/reading.ts'
import { at, workday } from '../kit/users.ts'
import { comes, goes, storeCall, told } from './waiting.ts'

let call: Visit
let customer: Person
openEach(async () => {
  customer = people.customer
  call = await storeCall(world, customer, at(workday(), '11:00'), people.analyst)
})
sendJobs()

const round = (after: number) => {
  world.at(around(call, after * minute))
  return endMissedCalls(world.db, around(call, after * minute))
}
const now = () => visitOf(world, customer)
const reads = async (screen: string) => readable(await world.visit(screen, customer))

test('half an hour alone: one cancellation with its apology, told to everybody, however many work at it', async () => {
  await comes(world, call, customer, -5)
  expect(await round(29.9)).toBe(0)
  const counts = await Promise.all([round(30), round(30), round(30)])
  expect(counts.toSorted()).toEqual([0, 0, 1])
  expect(await round(31)).toBe(0)
  expect(await now()).toMatchObject({
    state: 'cancelled',
    closingReason: 'analista_no_disponible',
    late: false,
    customerWaitingSince: null,
    customerCameAt: around(call, -5 * minute),
    sequence: call.sequence + 1,
  })
  expect(await eventsOf(world, call.id, 'appointment')).toMatchObject([
    { name: 'missCall', actorId: null, fromState: 'assigned', toState: 'cancelled' },
  ])
  expect((await emailsAbout(world, call)).toSorted()).toEqual([
    'analyst_missed to customer',
    'analyst_missed to managers',
    'cancelled to person',
  ])
  expect(await world.db.select().from(tasks)).toMatchObject([
    { reason: 'missed_call', urgent: true, phone: '5512345678', appointmentId: call.id },
  ])
})

test('the customer reads an apology with three free times, each one tap from being booked', async () => {
  await comes(world, call, customer, 0)
  await round(30)
  for (const screen of ['/videocall', '/']) expect(await reads(screen)).toContain('Te pedimos una disculpa')
  world.at(around(call, 8 * 24 * 60 * minute))
  expect(await reads('/')).not.toContain('Te pedimos una disculpa')
  world.at(around(call, 30 * minute))
  const { text } = await world.visit('/videocall', customer)
  const slots = [...text.matchAll(/href="(\/agenda-videocall\?dia=[^"]+)"/g)].map(([, href]) =>
    href!.replaceAll('&amp;', '&'),
  )
  expect(slots).toHaveLength(3)
  for (const href of slots) {
    const chosen = decodeURIComponent(href.split('hora=')[1]!)
    expect((await world.visit(href, customer)).text).toMatch(new RegExp(`checked="" value="${chosen}"`))
  }
})

test('who gave up hears it at half past all the same, even when nobody but the clock looks', async () => {
  await comes(world, call, customer, -3)
  await goes(world, call, customer, 4)
  expect(await round(29)).toBe(0)
  expect(await round(30)).toBe(1)
  expect(await now()).toMatchObject({ state: 'cancelled', closingReason: 'analista_no_disponible' })
})

test('no apology to who never came, was met, asked to be phoned, or left although somebody was there', async () => {
  expect(await round(60)).toBe(0)
  await comes(world, call, customer, -5)
  await goes(world, call, customer, -2)
  await comes(world, call, people.analyst, 1)
  await goes(world, call, people.analyst, 20)
  expect(await round(60)).toBe(0)
  // Back in the room, and alone.
  await comes(world, call, customer, 25)
  await world.db.$client.query('update appointments set call_back_asked_at = now() where id = $1', [call.id])
  expect(await round(60)).toBe(0)
  await world.db.$client.query('update appointments set call_back_asked_at = null where id = $1', [call.id])
  world.at(around(call, 40 * minute))
  expect((await move(world, people.analyst, call, 'start')).status).toBe(303)
  expect(await round(60)).toBe(0)
  await world.db.$client.query(`update appointments set state = 'assigned' where id = $1`, [call.id])
  expect(await round(60)).toBe(1)
})

test('no apology in the middle of a call whose beginning was taken back by mistake', async () => {
  await comes(world, call, customer, -5)
  await comes(world, call, people.analyst, 12)
  await world.db.insert(callsTable).values({ appointmentId: call.id, metAt: around(call, 12 * minute) })
  await world.db.update(appointments).set({ customerWaitingSince: null })
  world.at(around(call, 12 * minute))
  for (const step of ['start', 'undoCallStart'])
    expect((await move(world, people.analyst, call, step)).status).toBe(303)
  expect(await round(30)).toBe(0)
  // Both have gone; they spoke all the same.
  await goes(world, call, people.analyst, 31)
  await goes(world, call, customer, 31)
  expect(await round(60)).toBe(0)
  expect(await now()).toMatchObject({ state: 'assigned' })
  await comes(world, call, customer, 32)
  expect(await round(62)).toBe(1)
})

test('one that nobody has any more is missed as well; its freed time goes to the waiting list', async () => {
  await world.db.$client.query(
    `update appointments set state = 'requested', assignee_id = null, confirmed_at = null where id = $1`,
    [call.id],
  )
  await world.db.insert(slotWishes).values({
    customerId: customer.id,
    projectId: call.projectId,
    service: 'videocall',
    appointmentId: call.id,
  })
  await comes(world, call, customer, 0)
  expect(await round(30)).toBe(1)
  expect(await emailsAbout(world, call)).not.toContain('cancelled to person')
  const [wish] = await rowsIn(world, slotWishes, { customerId: customer.id })
  expect(wish).toMatchObject({ endedBecause: 'appointment_over' })
})

test('three minutes, ten, thirty: taken over in time, nobody apologises', async () => {
  const [analyst2, busy] = [
    await world.person({ kind: 'analyst', name: 'Ana' }),
    await world.person({ kind: 'analyst', name: 'Bea' }),
  ]
  await storeCall(world, people.customer2, around(call, 15 * minute), busy)
  await comes(world, call, customer, -5)
  world.at(around(call, 3 * minute))
  const version = String(call.version)
  expect((await move(world, busy, call, 'takeOver', { version })).status).toBe(409)
  expect((await move(world, analyst2, call, 'takeOver', { version })).status).toBe(303)
  await comes(world, call, analyst2, 4)
  expect((await move(world, analyst2, call, 'start')).status).toBe(303)
  expect(await round(30)).toBe(0)
  expect(await now()).toMatchObject({ state: 'in_progress', assigneeId: analyst2.id })
})

test('after a call its customer reads what was talked about, what follows and the next action; never the notes', async () => {
  await world.db.$client.query(
    `update appointments set state = 'done', outcome = 'completed', finished_at = now() where id = $1`,
    [call.id],
  )
  await told(world, call, {
    summary: 'Vimos el cargador.\nVa en la cochera.',
    nextSteps: 'Agenda tu visita.',
  })
  const { text } = await world.visit('/videocall', customer)
  for (const words of ['Vimos el cargador.\nVa en la cochera.', 'Agenda tu visita.', 'Agendar visita'])
    expect(text).toContain(words)
  expect(text).not.toContain('Solo para mí')
  const { chosen } = loaded<{ chosen: unknown }>(await world.data(calls.path, customer), calls.route)
  expect(chosen).not.toBeNull()
})
