import { appointmentPath } from '../../../src/appointments/rules/appointment-path.ts'
import { joins, leaves } from '../../calls/desk.ts'
import {
  around,
  expectVisit,
  minute,
  move,
  type Visit,
  visitAtHome,
  visitOf,
} from '../../kit/appointments.ts'
import {
  analyst,
  eventsAbout,
  expectScreen,
  fixture,
  manager,
  markupOf,
  newPerson,
  openEach,
  technician,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectShown } from '../../kit/reading.ts'
import { at, workday } from '../../kit/users.ts'

let call: Visit
let client: Person
let analyst2: Person
openEach(async () => {
  analyst2 = await newPerson({ kind: 'analyst', name: 'Ana' })
  ;({ call, client } = await callAt(at(workday(), '11:00'), analyst))
})

/** A call whose customer has waited for it since two minutes before. */
async function callAt(start: Date, assignee: Person, input: Partial<Visit> = {}) {
  const client = await newPerson({ name: 'Camila' })
  const call = await visitAtHome(client, start, {
    service: 'videocall',
    minutes: 30,
    municipality: null,
    assigneeId: assignee.id,
    customerWaitingSince: around({ startsAt: start }, -2 * minute),
    ...input,
  })
  return { call, client }
}

const screen = () => appointmentPath('pending', call)
const now = () => visitOf(client)
const take = (by: Person, form: Record<string, string> = {}, version = call.version) =>
  move(by, call, 'takeOver', { version: String(version), ...form })
const clock = (after: number) => fixture.at(around(call, after * minute))

test('one of two analysts takes a waiting call, and the other three minutes later', async () => {
  const analyst3 = await newPerson({ kind: 'analyst', name: 'Aldo' })
  clock(2)
  expectShown(await take(analyst2), 409, 'podrás tomar la llamada')
  clock(3)
  const taps = await Promise.all([take(analyst2), take(analyst3)])
  const isFirst = taps[0]!.status === 303
  const winner = isFirst ? analyst2 : analyst3
  const other = isFirst ? analyst3 : analyst2
  expectShown(taps[isFirst ? 1 : 0]!, 409, 'Alguien más ya la tomó')
  await expectAnswered(take(winner), 303)
  const taken = await now()
  expect(taken).toMatchObject({
    state: 'assigned',
    assigneeId: winner.id,
    takenOverAt: around(call, 3 * minute),
    customerWaitingSince: around(call, -2 * minute),
  })
  expect(await eventsAbout(call)).toMatchObject([
    { name: 'takeOver', data: { from: analyst.id, assigneeId: winner.id } },
  ])
  clock(5.9)
  await expectAnswered(take(other, {}, taken.version), 409)
  clock(6)
  await expectAnswered(take(other, {}, taken.version), 303)
})

test('refuses to give a call to the busy and to other kinds, and gives it to a free analyst', async () => {
  const busy = await newPerson({ kind: 'analyst', name: 'Ocupada' })
  await callAt(around(call, 15 * minute), busy, { customerWaitingSince: null })
  const longer = await callAt(around(call, -60 * minute), analyst2, { state: 'in_progress' })
  for (const one of [longer.client, analyst2]) await joins(one, 0, longer.call)
  clock(4)
  expectShown(await take(busy), 409, 'Ya tiene otra cita a esa hora')
  expectShown(await take(analyst2), 409, 'todavía habla con otro cliente')
  expectShown(await take(manager), 400, 'Elige a una persona.')
  const text = await markupOf(screen(), manager)
  for (const { id } of [analyst2, busy, analyst, technician]) {
    expect(text).not.toContain(`value="${id}"`)
    await expectAnswered(take(manager, { assigneeId: id }), 409)
  }
  await expectVisit({ assigneeId: analyst.id }, client)
  await leaves(longer.client, 61, longer.call)
  await expectScreen(screen(), manager, `value="${analyst2.id}"`)
  await expectAnswered(take(manager, { assigneeId: analyst2.id }), 303)
  await expectVisit({ assigneeId: analyst2.id }, client)
})
