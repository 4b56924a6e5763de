import { personZones, timeOff } from '../../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../../src/platform/database/schema/appointments.ts'
import { toMinutes } from '../../../src/shared/calendar.ts'
import type { Visit } from '../../kit/appointments.ts'
import {
  eventsAbout,
  expectScreen,
  fixture,
  manager,
  openEach,
  people,
  rowsWhere,
  rowWhere,
  storeRows,
  technician2,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { absenceOf, bestOf, confirms } from '../../kit/scheduling.ts'
import { at, visitFor, workday } from '../../kit/users.ts'

const day = workday()
let technician: Person
let visit: Visit

openEach(async () => {
  technician = people.technician
  visit = await visitFor(technician, at(day, '10:00'))
})

const plan = async (dates = day) => (await absenceOf(manager, technician, dates)).plan
const outOfZone = () => storeRows(personZones, { personId: technician2.id, municipality: 'tlalpan' })
const assigneeOf = async ({ id }: Visit) => (await rowWhere(appointments, { id }))!.assigneeId

test('proposes the same hour by exception before a customer is asked', async () => {
  await outOfZone()
  const found = await plan()
  const [best, next] = found.visits[0]!.options
  expect(best).toMatchObject({ personId: technician2.id, isOffer: false, exception: 'No atiende esta zona' })
  expect(next).toMatchObject({ isOffer: true, exception: null })
  await expectScreen(
    `/admin/assignations/ausencia?persona=${technician.id}&dia=${day}`,
    manager,
    'a su hora, con excepción',
    'Motivo de las excepciones',
  )
  expect((await confirms(manager, technician, day, bestOf(found))).status).toBe(303)
  const reason = `Ausencia de ${found.person.name}`
  expect(await rowWhere(appointments, { id: visit.id })).toMatchObject({
    assigneeId: technician2.id,
    startsAt: visit.startsAt,
    overrideReason: reason,
  })
  expect((await eventsAbout(visit.id, 'appointment')).at(-1)).toMatchObject({
    reason,
    data: { overridden: ['zone'] },
  })
})

test('refuses an exception without its reason, and a plain choice that needs one', async () => {
  await outOfZone()
  const form = bestOf(await plan())
  expect((await confirms(manager, technician, day, { ...form, keepReason: ' ' })).status).toBe(400)
  const plain = { ...form, [`choice.${visit.id}`]: `give_${technician2.id}` }
  expect((await confirms(manager, technician, day, plain)).status).toBe(409)
  expect(await assigneeOf(visit)).toBe(technician.id)
})

test('makes no exception of a way that is too long', async () => {
  await outOfZone()
  await visitFor(technician2, at(day, '11:00'))
  const [best] = (await plan()).visits[0]!.options
  expect(best).toMatchObject({ isOffer: true })
  const form = { ...bestOf(await plan()), [`choice.${visit.id}`]: `except_${technician2.id}` }
  expect((await confirms(manager, technician, day, form)).status).toBe(409)
})

test('says that a return is before the leave, and counts the leave only', async () => {
  await expectScreen(
    `/admin/assignations/ausencia?persona=${technician.id}&dia=${day}&sale=14:00&regresa=12:00`,
    manager,
    'Es antes de que salga.',
    'desde las 2:00',
  )
})

test('proposes someone outside their shift last, and no one first whose only hour that is', async () => {
  const early = await visitFor(technician, at(day, '08:00'))
  const options = (await plan()).visits.find(({ id }) => id === early.id)!.options
  expect(options.findIndex(({ exception }) => exception?.includes('turno'))).toBe(options.length - 1)
  expect(options.slice(0, -1).some(({ isOffShift }) => isOffShift)).toBe(false)
})

test.each([
  ['leaves at noon', '&sale=12:00', ['15:00']],
  ['comes back at noon', '&regresa=12:00', ['10:00']],
  ['leaves in the middle of a visit', '&sale=10:30', ['10:00', '15:00']],
  ['leaves when the last one is over', '&sale=17:30', []],
])('an absence that %s settles only what it reaches', async (_, times, reached) => {
  await visitFor(technician, at(day, '15:00'))
  const found = await plan(`${day}${times}`)
  expect(found.visits.map(({ start }) => start).toSorted((a, b) => a - b)).toEqual(
    reached.map((time) => toMinutes(at(day, time))),
  )
  expect((await confirms(manager, technician, `${day}${times}`, bestOf(found))).status).toBe(303)
  const [written] = await rowsWhere(timeOff, { personId: technician.id })
  const [, from, to] = /"(.*)","(.*)"/.exec(String(written!.during)) ?? []
  if (times.includes('sale')) expect(new Date(from!)).toEqual(at(day, times.slice(6)))
  else expect(new Date(to!)).toEqual(at(day, times.slice(9)))
})

test('a half day leaves a late visit that still ends before it with its technician', async () => {
  fixture.at(at(day, '10:40'))
  expect((await plan(`${day}&sale=13:00`)).visits).toEqual([])
  // From 12:20 on it would not.
  fixture.at(at(day, '12:20'))
  const found = await plan(`${day}&sale=13:00`)
  expect(found.visits).toMatchObject([{ id: visit.id }])
  expect((await confirms(manager, technician, `${day}&sale=13:00`, bestOf(found))).status).toBe(303)
})
