import { expect, test } from 'vitest'
import { appointmentPath } from '../../../src/domain/appointments/appointment-path.ts'
import { joins, leaves } from '../../calls/desk.ts'
import { around, minute, move, storeVisit, type Visit, visitsOf } from '../../kit/appointments.ts'
import { openEach, pageText, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { eventsOf, expectShown, readable } from '../../kit/reading.ts'
import { at, workday } from '../../kit/users.ts'

let call: Visit
let client: Person
let analyst2: Person
openEach(
  async () => {
    analyst2 = await world.person({ kind: 'analyst', name: 'Ana' })
  },
  async () => {
    call = await callAt(at(workday(), '11:00'), people.analyst)
    client = lastClient
  },
)

let lastClient: Person
async function callAt(start: Date, assignee: Person, wish: Partial<Visit> = {}) {
  lastClient = await world.person({ name: 'Camila' })
  return storeVisit(world, lastClient, await world.home(lastClient), start, {
    service: 'videocall',
    minutes: 30,
    municipality: null,
    assigneeId: assignee.id,
    customerWaitingSince: around({ startsAt: start }, -2 * minute),
    ...wish,
  })
}

const screen = () => appointmentPath('pending', call)
const now = async () => (await visitsOf(world, client))[0]!
const take = (by: Person, form: Record<string, string> = {}, version = call.version) =>
  move(world, by, call, 'takeOver', { version: String(version), ...form })
const clock = (after: number) => world.at(around(call, after * minute))

test('after three minutes of waiting a free analyst takes the call; the first of two wins', async () => {
  const analyst3 = await world.person({ kind: 'analyst', name: 'Aldo' })
  clock(2)
  expect(readable(await take(analyst2))).toMatch(/Desde .* podrás tomar la llamada/)
  clock(3)
  expect(await pageText(screen(), analyst2)).toContain('Tomar la llamada')
  const taps = await Promise.all([take(analyst2), take(analyst3)])
  expect(taps.map(({ status }) => status).toSorted()).toEqual([303, 409])
  const winner = taps[0]!.status === 303 ? analyst2 : analyst3
  expect(readable(taps.find(({ status }) => status === 409)!)).toContain('Alguien más ya la tomó')
  // Pressed twice by whoever has it now.
  expect((await take(winner)).status).toBe(303)
  expect(await now()).toMatchObject({
    state: 'assigned',
    assigneeId: winner.id,
    takenOverAt: around(call, 3 * minute),
    customerWaitingSince: around(call, -2 * minute),
  })
  clock(5.9)
  expect((await world.visit(screen(), winner)).text).not.toContain('Tomar la llamada')
  expect((await eventsOf(world, call)).map(({ data, name }) => [name, data])).toEqual([
    ['takeOver', { from: people.analyst.id, assigneeId: winner.id }],
  ])
  // Whoever just took it has three minutes as well.
  const { version } = await now()
  const other = winner === analyst2 ? analyst3 : analyst2
  expect((await take(other, {}, version)).status).toBe(409)
  clock(6)
  expect((await take(other, {}, version)).status).toBe(303)
  expect((await move(world, other, call, 'start')).status).toBe(303)
})

test('never by somebody who has another call then', async () => {
  await callAt(around(call, 15 * minute), analyst2, { customerWaitingSince: null })
  clock(4)
  const refused = await take(analyst2)
  expectShown(refused, 409, 'Ya tiene otra cita a esa hora')
  expect(await now()).toMatchObject({ assigneeId: people.analyst.id })
})

test('never by somebody who still speaks with another customer', async () => {
  const longer = await callAt(around(call, -60 * minute), analyst2, { state: 'in_progress' })
  await joins(lastClient, 0, longer)
  await joins(analyst2, 0, longer)
  clock(4)
  expect((await world.visit(screen(), people.manager)).text).not.toContain(`value="${analyst2.id}"`)
  const refused = await take(analyst2)
  expectShown(refused, 409, 'todavía habla con otro cliente')
  expect((await take(people.manager, { assigneeId: analyst2.id })).status).toBe(409)
  await leaves(lastClient, 61, longer)
  expect((await take(analyst2)).status).toBe(303)
})

test('the manager gives it to somebody who is free, and to nobody else', async () => {
  const busy = await world.person({ kind: 'analyst', name: 'Ocupada' })
  await callAt(around(call, 0), busy, { customerWaitingSince: null })
  clock(4)
  const page = await world.visit(screen(), people.manager)
  expect(page.text).toContain(`value="${analyst2.id}"`)
  for (const { id } of [busy, people.analyst]) expect(page.text).not.toContain(`value="${id}"`)
  const none = await take(people.manager)
  expectShown(none, 400, 'Elige a una persona.')
  for (const { id } of [busy, people.analyst, people.technician])
    expect((await take(people.manager, { assigneeId: id })).status).toBe(409)
  expect((await take(people.manager, { assigneeId: analyst2.id })).status).toBe(303)
  expect(await now()).toMatchObject({ assigneeId: analyst2.id })
})

test('nobody takes a call in which nobody waits, nor a visit', async () => {
  call = await callAt(at(workday(1), '11:00'), people.analyst, { customerWaitingSince: null })
  client = lastClient
  clock(10)
  const refused = await take(analyst2)
  expectShown(refused, 409, 'Nadie espera en esta llamada.')
  expect((await world.visit(screen(), analyst2)).text).not.toContain('Tomar la llamada')
  call = await callAt(at(workday(2), '11:00'), people.technician, { service: 'technical_visit' })
  clock(10)
  expect((await take(analyst2)).status).toBe(403)
})

test.each([
  ['is', {}],
  ['was', { customerWaitingSince: null, customerCameAt: new Date(0) }],
])('who %s in the room of a call is no no-show', async (_when, wish) => {
  call = await callAt(at(workday(1), '11:00'), people.analyst, wish)
  clock(20)
  const form = { called: 'yes', calledAt: '11:05' }
  const refused = await move(world, people.analyst, call, 'noShow', form)
  expectShown(refused, 409, 'El cliente sí entró a la llamada.')
})
