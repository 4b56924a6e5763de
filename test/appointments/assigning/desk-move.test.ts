import type { DeskAgenda } from '../../../src/scheduling/desk-slots.ts'
import { localDay } from '../../../src/shared/format.ts'
import {
  around,
  assignVisit,
  bookVisit,
  hour,
  minute,
  occupy,
  readAgain,
  visit,
} from '../../kit/appointments.ts'
import {
  analyst,
  expectEmails,
  expectLastEvent,
  expectTrail,
  fixture,
  inParallel,
  manager,
  openEach,
  technician,
  technician2,
} from '../../kit/open.ts'
import { expectAnswered, expectShown, loaded, statusesOf } from '../../kit/reading.ts'

openEach(bookVisit, assignVisit)

const path = () => `/admin/assignations/${visit.id}/mover`
const agendaOf = async (query = '') =>
  loaded<{ agenda: DeskAgenda }>(await fixture.data(path() + query, manager), 'dispatch/screens/move').agenda
const send = (form: Record<string, string>) =>
  fixture.post(path(), { version: String(visit.version), assigneeId: '', ...form }, manager)
const freeOf = ({ slots }: DeskAgenda) => slots.filter(({ kind }) => kind === 'free')
const firstFree = async () => freeOf(await agendaOf())[0]!.start

test('the calendar opens on the visit’s day with its technician, and moves to one of the hours, once', async () => {
  const agenda = await agendaOf()
  expect(agenda.date).toBe(localDay(visit.startsAt))
  const free = freeOf(agenda)
  const starts = free.map(({ start }) => start)
  expect(starts).not.toContain(visit.startsAt.toISOString())
  expect(starts).toContain(around(visit, 30 * minute).toISOString())
  expect(new Set(free.map(({ personId }) => personId))).toEqual(new Set([technician.id]))
  const answers = await inParallel(2, () => send({ startsAt: starts[0]! }))
  for (const answer of answers)
    expect([answer.status, answer.location]).toEqual([303, `/admin/assignations/${visit.id}`])
  await readAgain()
  expect(visit).toMatchObject({
    state: 'assigned',
    startsAt: new Date(starts[0]!),
    assigneeId: technician.id,
    movedByUs: 1,
  })
  await expectTrail(visit, ['book', 'assign', 'rescheduleTo'])
  await expectLastEvent(visit, { actorId: manager.id })
  await expectEmails(visit, ['changed to customer', 'changed to person'], 'changed')
})

test('with a chosen technician the calendar holds their free hours', async () => {
  const { id } = technician2
  await occupy(technician2, around(visit, 2 * hour))
  const agenda = await agendaOf(`?con=${id}&dia=${localDay(visit.startsAt)}`)
  expect(agenda.personId).toBe(id)
  expect(agenda.slots.map(({ start }) => start)).not.toContain(around(visit, 2 * hour).toISOString())
  expect(new Set(agenda.slots.map(({ personId }) => personId))).toEqual(new Set([id]))
  await expectAnswered(send({ startsAt: freeOf(agenda)[0]!.start, assigneeId: id }), 303)
  await readAgain()
  expect(visit).toMatchObject({ assigneeId: id, state: 'assigned' })
})

test('an hour within the notice is shown as urgent and needs the box and a reason', async () => {
  fixture.at(around(visit, -3 * hour))
  const { slots } = await agendaOf(`?dia=${localDay(visit.startsAt)}`)
  const startsAt = slots.find(({ kind }) => kind === 'urgent')!.start
  const overrideReason = 'Se quedó sin cargador'
  for (const [form, status] of [
    [{}, 409],
    [{ overrideReason }, 409],
    [{ override: 'on', overrideReason: 'x' }, 400],
    [{ override: 'on', overrideReason }, 303],
  ] as const)
    await expectAnswered(send({ startsAt, ...form }), status)
  await readAgain()
  expect(visit.overrideReason).toBe(overrideReason)
})

test('refuses an hour taken meanwhile with the nearest ones, a stale version, and a wrong person', async () => {
  const startsAt = await firstFree()
  for (const one of [technician, technician2]) await occupy(one, new Date(startsAt))
  expectShown(await send({ startsAt }), 409, 'Estos están libres y son los más cercanos')
  const wrong = [{ version: '99' }, { assigneeId: analyst.id }, { assigneeId: 'nadie' }]
  const answers = wrong.map((form) => send({ startsAt, ...form }))
  expect(await statusesOf(...answers)).toEqual([400, 409, 409])
  await readAgain()
  expect(visit.version).toBe(2)
})
