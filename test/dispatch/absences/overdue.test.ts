import { undoText } from '../../../src/appointments/rules/undo.ts'
import { judgeOf } from '../../../src/dispatch/rules/board.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { toMinutes } from '../../../src/shared/calendar.ts'
import { around, hour, minute, type Visit } from '../../kit/appointments.ts'
import {
  expectScreen,
  fixture,
  manager,
  openEach,
  people,
  post,
  rowWhere,
  setRow,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { absenceOf, bestOf, boardOf, confirms } from '../../kit/scheduling.ts'
import { at, visitFor, workday } from '../../kit/users.ts'

const day = workday()
let technician: Person
/** At nine; it is 10:50 and no one has begun it. */
let overdue: Visit

openEach(async () => {
  technician = people.technician
  overdue = await visitFor(technician, at(day, '09:00'))
})
beforeEach(() => fixture.at(at(day, '10:50')))

const plan = async () => (await absenceOf(manager, technician, day)).plan
const optionsOf = async ({ id }: Visit) => (await plan()).visits.find((one) => one.id === id)!.options

test('an absence gives the visit that its technician has not begun to someone who can go now', async () => {
  await expectScreen(
    `/admin/assignations/ausencia?persona=${technician.id}&dia=${day}`,
    manager,
    'tarde',
    'que puede ir ahora',
  )
  const [best] = await optionsOf(overdue)
  expect(best).toMatchObject({ personId: technician2.id, isOffer: false, start: toMinutes(overdue.startsAt) })
  expect((await confirms(manager, technician, day, bestOf(await plan()))).status).toBe(303)
  expect(await rowWhere(appointments, { id: overdue.id })).toMatchObject({
    assigneeId: technician2.id,
    startsAt: overdue.startsAt,
  })
})

test('the board proposes who can go now, and one press gives it to them, to be undone', async () => {
  const board = `/admin/assignations?dia=${day}`
  await expectScreen(board, manager, 'Para que nadie espere', 'no la ha iniciado', 'Aplicar')
  const { id, version } = overdue
  const form = { intent: 'repair', appointmentId: id, assigneeId: technician2.id, version: `${version}` }
  expect((await post(board, form, manager)).status).toBe(303)
  expect(await rowWhere(appointments, { id })).toMatchObject({
    assigneeId: technician2.id,
    overrideReason: null,
  })
  await expectScreen(board, manager, 'Deshacer')
  // A colleague who still sees the older day is told.
  expect((await post(board, { ...form, assigneeId: technician.id }, manager)).status).toBe(409)
})

test('what was given after its hour holds who took it', async () => {
  const next = await visitFor(technician, at(day, '11:30'))
  const found = await plan()
  // One person cannot go now and be there at 11:30.
  const kept = found.visits.map(({ options: [best] }) => !best!.isOffer)
  expect(kept.filter(Boolean)).toHaveLength(1)
  expect((await confirms(manager, technician, day, bestOf(found))).status).toBe(303)
  for (const { id } of [overdue, next])
    expect(await rowWhere(appointments, { id })).not.toMatchObject({ assigneeId: technician.id })
})

test('an absence settles what waits behind the work under way', async () => {
  await visitFor(technician, at(day, '10:00'), { state: 'in_progress', startedAt: at(day, '10:00') })
  const found = await plan()
  expect(found.visits).toMatchObject([{ id: overdue.id }])
  expect((await confirms(manager, technician, day, bestOf(found))).status).toBe(303)
  expect(await rowWhere(appointments, { id: overdue.id })).toMatchObject({ assigneeId: technician2.id })
})

test('a repair is undone though the plan was short of time before', async () => {
  fixture.at(at(day, '09:05'))
  await setRow(appointments, overdue.id, {
    state: 'in_progress',
    startedAt: at(day, '09:00'),
    setOutAt: at(day, '08:00'),
  })
  const tight = await visitFor(technician, at(day, '10:05'), { overrideReason: null })
  const { id, version } = tight
  const board = `/admin/assignations?dia=${day}`
  const form = { intent: 'repair', appointmentId: id, assigneeId: technician2.id, version: `${version}` }
  expect((await post(board, form, manager)).status).toBe(303)
  const changes = undoText([{ id, version: version + 1 }])
  expect((await post('/admin/deshacer', { changes }, manager)).status).toBe(303)
  expect(await rowWhere(appointments, { id })).toMatchObject({ assigneeId: technician.id })
})

test('refuses an absence that says nothing of a visit that has not begun', async () => {
  const { person } = await plan()
  const answer = await confirms(manager, technician, day, { version: String(person.version) })
  expect(answer.status).toBe(409)
  expect(await rowWhere(appointments, { id: overdue.id })).toMatchObject({ assigneeId: technician.id })
})

test('proposes no one at an hour that their visit under way lets them miss', async () => {
  const times = { setOutAt: at(day, '08:00'), startedAt: at(day, '09:00') }
  await setRow(appointments, overdue.id, { state: 'done', ...times, finishedAt: at(day, '10:00') })
  const next = await visitFor(technician, at(day, '11:00'))
  const begun = { state: 'in_progress' as const, startedAt: at(day, '09:00') }
  const other = await visitFor(technician2, at(day, '09:00'), { ...begun, setOutAt: at(day, '08:00') })
  const kept = async () =>
    (await optionsOf(next)).filter(({ isOffer }) => !isOffer).map(({ personId }) => personId)
  expect(await kept()).not.toContain(technician2.id)
  // The manager's board says the same before anything is sent.
  const { board } = await boardOf(manager, day)
  const shown = board.visits.find(({ id }) => id === next.id)!
  const { reasons } = judgeOf(board, shown)(technician2.id, shown.start)
  expect(reasons).toMatchObject([{ code: 'delayed' }])
  await setRow(appointments, other.id, { state: 'done', finishedAt: around(other, hour + 5 * minute) })
  expect(await kept()).toContain(technician2.id)
})
