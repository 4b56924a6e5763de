import { expect, test } from 'vitest'
import { appointmentPath } from '../../src/domain/appointments/appointment-path.ts'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  minute,
  move,
  storeVisit,
  visit,
  visitOf,
} from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, readable, trailOf } from '../kit/reading.ts'

openEach(bookVisit, assignVisit)

const screen = () => `/admin/appointments-pending/${visit.id}`
const now = () => visitOf(world, customer)

/** The clock, from the start of the visit; then a button. */
const press = (after: number, name: string, form = {}, by = people.technician) => {
  world.at(around(visit, after * minute))
  return move(world, by, visit, name, form)
}

test('both steps are taken back within ten minutes, and leave no time behind', async () => {
  await press(-20, 'setOut')
  await press(-10, 'start')
  expect((await press(-1, 'undoStart')).location).toBe(screen())
  expect(await now()).toMatchObject({
    state: 'en_route',
    startedAt: null,
    setOutAt: around(visit, -20 * minute),
  })
  expect((await press(-10, 'undoSetOut')).status).toBe(303)
  expect(await now()).toMatchObject({ state: 'assigned', setOutAt: null, assigneeId: people.technician.id })
  expect(await trailOf(world, visit, 'appointment')).toEqual([
    'book',
    'assign',
    'setOut',
    'start',
    'undoStart',
    'undoSetOut',
  ])
  expect((await press(0, 'setOut')).status).toBe(303)
})

test('whoever started without setting out takes both back', async () => {
  await press(0, 'start')
  await press(1, 'undoStart')
  expect(await now()).toMatchObject({ state: 'en_route', setOutAt: around(visit, 0) })
  expect((await press(2, 'undoSetOut')).status).toBe(303)
  expect(await now()).toMatchObject({ state: 'assigned', setOutAt: null })
})

test('after ten minutes only the manager can, and both screens say so', async () => {
  await press(-30, 'setOut')
  const late = await press(-19, 'undoSetOut')
  expect(late.status).toBe(409)
  expect(readable(late)).toContain('Pasaron más de 10 minutos. Pide a la gerencia que lo corrija.')
  expect(await now()).toMatchObject({ state: 'en_route' })
  expect((await world.visit(screen(), people.manager)).text).toContain('value="undoSetOut"')
  expect((await press(-18, 'undoSetOut', {}, people.manager)).status).toBe(303)
  expect(await now()).toMatchObject({ state: 'assigned', setOutAt: null })
})

test('a call that was begun is assigned again, never on the way', async () => {
  const { analyst } = people
  const client = await world.person()
  const call = await storeVisit(world, client, await world.home(client), around(visit, 0), {
    service: 'videocall',
    assigneeId: analyst.id,
    municipality: null,
  })
  world.at(around(visit, 0))
  expect((await move(world, analyst, call, 'start')).status).toBe(303)
  expect((await move(world, analyst, call, 'undoStart')).status).toBe(403)
  expect(readable(await world.visit(appointmentPath('pending', call), analyst))).toContain(
    'La cita vuelve a «Asignada»',
  )
  expect((await move(world, analyst, call, 'undoCallStart')).status).toBe(303)
  expect(await visitOf(world, client)).toMatchObject({ state: 'assigned', startedAt: null, setOutAt: null })
})

test('two taps take back one step', async () => {
  await press(-20, 'setOut')
  const taps = await Promise.all([press(-19, 'undoSetOut'), press(-19, 'undoSetOut')])
  expect(taps.map(({ status }) => status).toSorted()).toEqual([303, 409])
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book', 'assign', 'setOut', 'undoSetOut'])
})

test('a pause holds the work until it goes on, with its reason in the history', async () => {
  await press(0, 'start')
  expect((await press(10, 'pause', { reason: 'Falta una pieza' })).location).toBe(screen())
  expect(await now()).toMatchObject({ state: 'paused', pausedAt: around(visit, 10 * minute) })
  expect(readable(await world.visit('/technics-visit', customer))).toContain('En pausa')
  expect((await eventsOf(world, visit.id, 'appointment')).at(-1)).toMatchObject({
    name: 'pause',
    reason: 'Falta una pieza',
  })
  const again = await press(11, 'pause')
  expect([again.status, readable(again).includes('«En pausa»')]).toEqual([409, true])
  const page = await world.visit(screen(), people.technician)
  expect(page.text).toMatch(/value="resume"/)
  expect((await press(90, 'resume')).status).toBe(303)
  expect(await now()).toMatchObject({ state: 'in_progress', pausedAt: null })
  expect((await press(91, 'resume')).status).toBe(409)
})

test('what was paused can be finished as it is; a long reason is refused and kept', async () => {
  await press(0, 'start')
  const long = 'x'.repeat(301)
  const refused = await press(5, 'pause', { reason: long })
  expect([refused.status, refused.text.includes(long)]).toEqual([400, true])
  await press(6, 'pause')
  const end = await press(30, 'finish', { outcome: 'partial', reason: 'falta_material', closingNote: '' })
  expect(end.location).toBe(`/admin/appointments-done/${visit.id}`)
  expect(await now()).toMatchObject({ state: 'done', outcome: 'partial', pausedAt: null })
})

test('on the way, the customer hears it once each time', async () => {
  await press(-20, 'setOut')
  await press(-19, 'undoSetOut')
  await press(-10, 'setOut')
  expect((await emailsAbout(world, visit)).filter((letter) => letter.startsWith('on_the_way'))).toHaveLength(
    2,
  )
  expect((await press(24 * 60, 'undoSetOut')).status).toBe(409)
  const undone = (await emailsAbout(world, visit)).filter((letter) => letter.startsWith('way_undone'))
  expect(undone, 'that nobody comes yet, once').toEqual(['way_undone to customer'])
})
