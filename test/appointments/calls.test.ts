import { randomUUID } from 'node:crypto'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { book, expectVisit, minute, slots, visitOf, visitsOf } from '../kit/appointments.ts'
import {
  analyst,
  db,
  eventsAbout,
  expectCount,
  expectEmails,
  expectLed,
  expectNotOnPage,
  expectRow,
  expectRowsIn,
  expectScreen,
  fixture,
  newHome,
  newPerson,
  openOnce,
  pageText,
  rowWhere,
  setRow,
} from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectAnswered, expectShown, expectWords, statusesOf } from '../kit/reading.ts'
import { bookCall, bookInstallation, calls, installations, makeReady } from './booking/services.ts'

openOnce()
let customer: Person
let start: string
beforeEach(async () => {
  customer = await newPerson({ name: 'Camila' })
  start = (await slots(customer, 0, calls))[0]!
})

test('books a call without an address, the analyst’s at once', async () => {
  await expectScreen(calls.path, customer, 'En hora del centro de México.')
  await expectAnswered(
    bookCall(customer, start, { interest: '03', notes: '¿Cuál me conviene?' }),
    303,
    '/videocall?agendada',
  )
  const call = await visitOf(customer)
  const project = await rowWhere(projects, { customerId: customer.id })
  expect(call).toMatchObject({
    folio: expect.stringMatching(/^AV-\d{4}-\d{5}$/),
    state: 'assigned',
    service: 'videocall',
    assigneeId: analyst.id,
    confirmedAt: expect.any(Date),
    minutes: 30,
    municipality: null,
    address: null,
    interest: '03',
    notes: '¿Cuál me conviene?',
    projectId: project!.id,
  })
  expect(await eventsAbout(call)).toMatchObject([
    { name: 'book', actorId: customer.id, fromState: null, toState: 'assigned' },
  ])
  await expectEmails(call, ['assigned to person', 'booked to customer'])
  const page = await pageText('/videocall', customer)
  expectWords(page, call.folio, 'A las 9:00 a. m., hora del centro de México')
  expect(page).not.toContain('Llegamos entre')
})

test.each([
  ['outside our area', { postalCode: '54000', municipality: 'Tlalnepantla' }],
  ['at an address to be verified', { postalCode: '50999', municipality: 'toluca', confirmInArea: 'on' }],
])('books a call, not a visit, for a customer %s', async (_where, home) => {
  const { projectId } = await newHome(customer, home)
  await expectLed('/agenda-technics-visit', customer, '/technics-visit')
  await expectAnswered(bookCall(customer, start), 303)
  await expectVisit({ projectId, municipality: null, address: null }, customer)
})

test('refuses an unknown subject under its field and keeps what was typed', async () => {
  const refused = await bookCall(customer, start, { notes: 'Se queda', interest: '04' })
  expectShown(refused, 400, 'Elige de qué quieres hablar', 'Se queda')
  expect(await visitsOf(customer)).toEqual([])
  await expectRowsIn(projects, { customerId: customer.id }, [])
})

test('the first form of a customer sent ten times at once is one call in one project', async () => {
  const requestKey = randomUUID()
  const answers = Array.from({ length: 10 }, () => bookCall(customer, start, { requestKey }))
  expect(await statusesOf(...answers)).toEqual(Array(10).fill(303))
  expect(await visitsOf(customer)).toHaveLength(1)
  await expectCount(projects, { customerId: customer.id }, 1)
  await expectAnswered(bookCall(customer, start, { requestKey, interest: '02' }), 303, '/videocall')
  await expectScreen('/videocall', customer, 'Ya tenías agendada tu asesoría')
})

test('refuses a call during the customer’s visit, and books one right after it', async () => {
  await newHome(customer)
  const [visit] = await slots(customer)
  await book(customer, visit!)
  const after = (minutes: number) => new Date(Date.parse(visit!) + minutes * minute).toISOString()
  expectShown(await bookCall(customer, after(30)), 409, 'A esa hora ya tienes')
  await expectAnswered(bookCall(customer, after(60)), 303)
})

test('car and charger given at the first booking stay with the project and are not asked again', async () => {
  const question = 'Tu auto y tu cargador'
  const { projectId } = await newHome(customer)
  await expectScreen(calls.path, customer, question)
  const car = { vehicleBrand: 'BYD', vehicleModel: 'Dolphin', vehicleYear: '2026', chargerKilowatts: '7,4' }
  await expectAnswered(bookCall(customer, start, car), 303)
  await expectRow(
    projects,
    { id: projectId },
    {
      vehicle: { brand: 'BYD', model: 'Dolphin', year: 2026, deliveredOn: null },
      charger: { origin: null, brand: null, kilowatts: 7.4 },
    },
  )
  await expectNotOnPage('/agenda-technics-visit', customer, question)
})

async function readyCustomer() {
  const customer = await newPerson()
  const { projectId } = await newHome(customer)
  await makeReady(projectId)
  return { customer, projectId, starts: (nth = 0) => slots(customer, nth, installations) }
}

test('books an installation that is ready: four hours, with a provisional technician', async () => {
  const { customer, starts } = await readyCustomer()
  await expectScreen('/installation', customer, 'Agendar instalación')
  await expectAnswered(bookInstallation(customer, (await starts())[0]!), 303, '/installation?agendada')
  const installation = await visitOf(customer)
  expect(installation).toMatchObject({
    folio: expect.stringMatching(/^IN-\d{4}-\d{5}$/),
    service: 'installation',
    state: 'requested',
    confirmedAt: null,
    minutes: 240,
    interest: null,
    municipality: 'coyoacan',
  })
  await expectEmails(installation, ['booked to customer'])
  const page = await pageText('/installation', customer)
  expectWords(page, installation.folio, 'Llegamos entre', '4 h', 'Apartada')
  expect(page).not.toContain('Agendar instalación')
})

test.each([
  ['deposit', { depositPaidAt: null }, 'falta: pagar tu anticipo (te toca a ti).', 'Pagar mi anticipo'],
  [
    'permit of the condominium',
    { permitNeeded: true },
    'falta: entregar el permiso de tu condominio (te toca a ti).',
    'sube el permiso que te dio',
  ],
])(
  'refuses an installation that lost its %s while the form was open',
  async (_what, facts, refusal, words) => {
    const { customer, projectId, starts } = await readyCustomer()
    const [start] = await starts()
    await setRow(projects, projectId, facts)
    await expectLed(installations.path, customer, '/installation')
    const page = await fixture.visit('/installation', customer)
    expectShown(page, 200, words)
    expect(page.text).not.toContain('href="/agenda-installation"')
    expectShown(await bookInstallation(customer, start!), 409, refusal)
    expect(await visitsOf(customer)).toEqual([])
  },
)

test('a booking and the return of its deposit at once: one of the two', async () => {
  for (let round = 0; round < 5; round++) {
    const { customer, projectId, starts } = await readyCustomer()
    const [start] = await starts(round)
    const takeBack = db.$client.query(
      `update projects set deposit_paid_at = null where id = $1 and not exists (select 1 from appointments where project_id = $1)`,
      [projectId],
    )
    const [answer] = await Promise.all([bookInstallation(customer, start!), takeBack])
    expect([303, 409]).toContain(answer.status)
    expect(await visitsOf(customer)).toHaveLength(answer.status === 303 ? 1 : 0)
  }
})

test('books one at a time, again after a partial one, and none after a complete one', async () => {
  const { customer, starts } = await readyCustomer()
  const first = (await starts(0))[0]!
  const second = (await starts(1))[0]!
  await bookInstallation(customer, first)
  await expectAnswered(bookInstallation(customer, second), 303, '/installation')
  const end = (outcome: string) =>
    db.$client.query(
      `update appointments set state = 'done', outcome = $1, starts_at = starts_at - interval '30 days' where state = 'requested' and customer_id = $2`,
      [outcome, customer.id],
    )
  await end('partial')
  await expectAnswered(bookInstallation(customer, second), 303)
  await end('completed')
  expectShown(await bookInstallation(customer, first), 409, 'Tu instalación ya está hecha')
  await expectLed(installations.path, customer, '/installation')
  await expectScreen('/', customer, 'Tu cargador está listo desde')
})
