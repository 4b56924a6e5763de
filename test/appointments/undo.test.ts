import { expect, test } from 'vitest'
import { appointmentPath } from '../../src/domain/appointments/appointment-path.ts'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  expectVisit,
  minute,
  move,
  storeVisit,
  visit,
} from '../kit/appointments.ts'
import { expectScreen, expectTrail, openEach, people, world } from '../kit/open.ts'
import {
  emailsAbout,
  expectAnswered,
  expectLeadsTo,
  expectShown,
  lastEventOf,
  statusesOf,
} from '../kit/reading.ts'

openEach(bookVisit, assignVisit)

const screen = () => `/admin/appointments-pending/${visit.id}`

/** Sets the clock by the start of the visit and presses a button. */
const press = (after: number, name: string, form = {}, by = people.technician) => {
  world.at(around(visit, after * minute))
  return move(world, by, visit, name, form)
}

test('the technician takes back both steps within ten minutes, and no time of them stays', async () => {
  await press(-20, 'setOut')
  await press(-10, 'start')
  await expectLeadsTo(press(-1, 'undoStart'), screen())
  await expectVisit({
    state: 'en_route',
    startedAt: null,
    setOutAt: around(visit, -20 * minute),
  })
  await expectAnswered(press(-10, 'undoSetOut'), 303)
  await expectVisit({ state: 'assigned', setOutAt: null, assigneeId: people.technician.id })
  const steps = ['setOut', 'start', 'undoStart', 'undoSetOut']
  await expectTrail(visit, ['book', 'assign', ...steps])
  // The next start counts as setting out as well.
  await press(0, 'start')
  await press(1, 'undoStart')
  await expectVisit({ state: 'en_route', setOutAt: around(visit, 0) })
})

test('after ten minutes only the manager takes a step back', async () => {
  await press(-30, 'setOut')
  expectShown(
    await press(-19, 'undoSetOut'),
    409,
    'Pasaron más de 10 minutos. Pide a la gerencia que lo corrija.',
  )
  expect((await world.visit(screen(), people.manager)).text).toContain('value="undoSetOut"')
  await expectAnswered(press(-18, 'undoSetOut', {}, people.manager), 303)
  await expectVisit({ state: 'assigned', setOutAt: null })
})

test('a call whose start is taken back is assigned again, never on the way', async () => {
  const { analyst } = people
  const client = await world.person()
  const call = await storeVisit(world, client, await world.home(client), around(visit, 0), {
    service: 'videocall',
    assigneeId: analyst.id,
    municipality: null,
  })
  world.at(around(visit, 0))
  await expectAnswered(move(world, analyst, call, 'start'), 303)
  await expectAnswered(move(world, analyst, call, 'undoStart'), 403)
  await expectScreen(appointmentPath('pending', call), analyst, 'La cita vuelve a «Asignada»')
  await expectAnswered(move(world, analyst, call, 'undoCallStart'), 303)
  await expectVisit({ state: 'assigned', startedAt: null, setOutAt: null }, client)
})

test('pressed twice one step is taken back; the customer is notified of each way, and once that it is off', async () => {
  await press(-20, 'setOut')
  expect(await statusesOf(press(-19, 'undoSetOut'), press(-19, 'undoSetOut'))).toEqual([303, 409])
  await press(-10, 'setOut')
  await expectTrail(visit, ['book', 'assign', 'setOut', 'undoSetOut', 'setOut'])
  expect(await emailsAbout(world, visit, 'on_the_way')).toHaveLength(2)
  expect(await emailsAbout(world, visit, 'way_undone')).toEqual(['way_undone to customer'])
})

test('work is paused with a reason and resumed, each once', async () => {
  await press(0, 'start')
  const long = 'x'.repeat(301)
  expectShown(await press(5, 'pause', { reason: long }), 400, long)
  await expectLeadsTo(press(10, 'pause', { reason: 'Falta una pieza' }), screen())
  await expectVisit({ state: 'paused', pausedAt: around(visit, 10 * minute) })
  await expectScreen('/technics-visit', customer, 'En pausa')
  expect(await lastEventOf(world, visit)).toMatchObject({ name: 'pause', reason: 'Falta una pieza' })
  expectShown(await press(11, 'pause'), 409, '«En pausa»')
  expect((await world.visit(screen(), people.technician)).text).toContain('value="resume"')
  await expectAnswered(press(90, 'resume'), 303)
  await expectVisit({ state: 'in_progress', pausedAt: null })
  await expectAnswered(press(91, 'resume'), 409)
})

test('paused work is finished without being resumed', async () => {
  await press(0, 'start')
  await press(6, 'pause')
  const end = await press(30, 'finish', { outcome: 'partial', reason: 'falta_material', closingNote: '' })
  expect(end.location).toBe(`/admin/appointments-done/${visit.id}`)
  await expectVisit({ state: 'done', outcome: 'partial', pausedAt: null })
})
