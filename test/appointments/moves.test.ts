import { tasks } from '../../src/platform/database/schema/projects.ts'
import {
  around,
  assignVisit,
  bookVisit,
  customer,
  expectVisit,
  minute,
  move,
  visit,
} from '../kit/appointments.ts'
import {
  db,
  eventsAbout,
  expectEmails,
  expectLed,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  openEach,
  pageText,
  post,
  rowsWhere,
  sentAbout,
  technician,
} from '../kit/open.ts'
import { expectAnswered, expectShown, expectTwice, statusesOf } from '../kit/reading.ts'
import { completeSheet } from '../kit/reports.ts'

openEach(bookVisit, assignVisit)

const pending = () => `/admin/appointments-pending/${visit.id}`
const done = () => `/admin/appointments-done/${visit.id}`
const own = '/technics-visit'
const note = 'Tablero en buen estado; cabe el cargador.'
/** Sets the clock, in minutes after the start of the visit. */
const clock = (after: number) => fixture.at(around(visit, after * minute))
const press = (name: string, form = {}) => move(technician, visit, name, form)
const finish = (closingNote = note) => press('finish', { closingNote })
const complete = () => completeSheet({ ...visit, assigneeId: technician.id })

test('the technician sets out, starts and finishes: rows, events, email and what each side reads', async () => {
  clock(-40)
  expect(await pageText(pending(), technician)).toMatch(/Desde las .* podrás iniciar/)
  await expectAnswered(press('setOut'), 303, pending())
  await expectVisit({ state: 'en_route', setOutAt: around(visit, -40 * minute) })
  await expectScreen('/', customer, 'Tomás va en camino.')
  expect(await sentAbout(visit)).toContain('on_the_way to customer')

  clock(-5)
  await expectAnswered(press('start'), 303)
  await expectVisit({ state: 'in_progress', startedAt: around(visit, -5 * minute) })
  await expectScreen(own, customer, 'En curso')

  clock(50)
  expectShown(await finish(), 409, 'Envía tu reporte de visita')
  await complete()
  await expectTwice(() => finish(`  ${note} `), 303, done())
  expectShown(await finish('Otra nota distinta.'), 409, '«Otra nota distinta.»')
  await expectVisit({
    state: 'done',
    outcome: 'completed',
    closingNote: note,
    finishedAt: around(visit, 50 * minute),
    version: 5,
  })
  const trail = (await eventsAbout(visit, 'appointment')).slice(2)
  expect(trail.map(({ name, fromState, toState, actorId }) => [name, fromState, toState, actorId])).toEqual([
    ['setOut', 'assigned', 'en_route', technician.id],
    ['start', 'en_route', 'in_progress', technician.id],
    ['finish', 'in_progress', 'done', technician.id],
  ])
  await expectScreen(done(), technician, note)
  await expectLed(pending(), technician, done())
  await expectScreen(own, customer, note, 'Realizada')
})

test('sets out once when pressed twice at once', async () => {
  clock(-20)
  expect(await statusesOf(press('setOut'), press('setOut'))).toEqual([303, 409])
  await expectEmails(visit, ['on_the_way to customer'], 'on_the_way')
  await expectTrail(visit, ['book', 'assign', 'setOut'])
})

const delayEmails = () => sentAbout(visit, 'running_late')
const isLate = (minutes: string) => press('runLate', { minutes })

test('a delay is stored, notified once and shown to customer, manager and technician until the start', async () => {
  clock(-20)
  await expectTwice(() => isLate('30'))
  await expectVisit({
    state: 'assigned',
    runningLateMinutes: 30,
    runningLateAt: around(visit, -20 * minute),
  })
  for (const page of ['/', own])
    expect(await pageText(page, customer)).toMatch(/va unos 30 minutos tarde: llega cerca de las? \d/)
  expect(await pageText(pending(), manager)).toMatch(/30 min tarde.*Ya se lo dijimos al cliente/)
  await expectScreen(pending(), technician, 'Le dijimos al cliente que llegas cerca de')
  expect(await delayEmails()).toHaveLength(1)
  clock(10)
  await expectAnswered(press('start'), 303)
  expect(await pageText('/', customer)).not.toContain('tarde')
})

test('a delay is changed and taken back with an event each; an older one of a phone is ignored', async () => {
  clock(-10)
  for (const minutes of ['15', '60', '0']) await expectAnswered(isLate(minutes), 303)
  expect(await delayEmails()).toHaveLength(2)
  const delays = (await eventsAbout(visit)).filter(({ name }) => name === 'runLate')
  expect(delays.map(({ data }) => data)).toEqual([{ minutes: 15 }, { minutes: 60 }, { minutes: null }])
  // The database has a clock of its own, and events cannot be changed otherwise.
  const at = around(visit, -10 * minute).toISOString()
  await db.$client.query(
    `begin; set local session_replication_role = replica; update events set at = '${at}' where name = 'runLate'; commit`,
  )
  const body = { move: 'runLate', at: around(visit, -15 * minute), form: { minutes: '30' } }
  const headers = {
    origin: 'http://carga.test',
    'content-type': 'application/json',
    'x-person': technician.id,
  }
  const request = { method: 'POST', headers, body: JSON.stringify(body) }
  await expectAnswered(fixture.send(`/onsite/${visit.id}/moves`, technician, request), 200)
  await expectVisit({ runningLateMinutes: null, runningLateAt: null })
  expect(await delayEmails()).toHaveLength(2)
})

test.each([
  ['to an hour that has passed', 20, '15', 409, 'A esa hora ya habrías llegado.'],
  ['of other minutes than offered', -20, '45', 400, 'Elige cuánto te retrasas.'],
])('refuses a delay %s', async (_, after, minutes, status, words) => {
  clock(after)
  expectShown(await isLate(minutes), status, words)
  expect(await delayEmails()).toEqual([])
})

const report = () => post(own, { intent: 'nobody-came', appointmentId: visit.id }, customer)
const tasksOf = () => rowsWhere(tasks, { appointmentId: visit.id })
const openTasks = async () => (await tasksOf()).filter(({ doneAt }) => doneAt === null)

test('from half an hour after the start a customer reports that nobody came: one urgent task and one email', async () => {
  clock(29)
  expectShown(await report(), 409, 'podrás decirnos que nadie llegó')
  clock(30)
  await expectScreen(own, customer, 'Nadie llegó')
  expect(await statusesOf(report(), report())).toEqual([303, 303])
  await expectVisit({ state: 'assigned', nobodyCameAt: around(visit, 30 * minute) })
  const task = { reason: 'nobody_came', urgent: true, personId: customer.id, phone: '5512345678' }
  expect(await tasksOf()).toMatchObject([{ ...task, projectId: visit.projectId }])
  await expectTrail(visit, ['book', 'assign', 'nobodyCame'], 'appointment')
  await expectEmails(visit, ['nobody_came to managers'], 'nobody_came to managers')
  await expectScreen(own, customer, 'Ya sabemos que nadie llegó')
  await expectScreen('/admin', manager, `Nadie llegó a la cita ${visit.folio}`)
})

test('the manager answers the report, and the customer reads one answer at a time', async () => {
  const answer = async (answer: string) => {
    const form = { move: 'answerNobodyCame', answer }
    return (await post(pending(), form, manager)).status
  }
  clock(-10)
  await press('setOut')
  clock(31)
  expect(await answer('coming')).toBe(409)
  await report()
  expect(await pageText(own, customer)).not.toContain('va en camino')
  expect(await answer('calling')).toBe(303)
  await expectScreen(own, customer, 'La oficina te está llamando')
  expect(await openTasks()).toHaveLength(1)
  for (let n = 0; n < 2; n++) expect(await answer('was_there')).toBe(303)
  await expectScreen(own, customer, 'Nos dicen que sí estuvimos ahí')
  await expectEmails(visit, ['nobody_answered to customer'], 'nobody_answered')
  expect(await tasksOf()).toMatchObject([{ takenBy: manager.id, result: 'Sí estuvo ahí.' }])
  clock(35)
  await expectAnswered(report(), 303)
  expect(await openTasks()).toHaveLength(1)
  await answer('coming')
  const page = await pageText(own, customer)
  expect(page).toContain('Tu técnico va en camino.')
  expect(page).not.toContain('Ya sabemos que nadie llegó')
  expect(await openTasks()).toEqual([])
  expect(await answer('perhaps')).toBe(400)
})
