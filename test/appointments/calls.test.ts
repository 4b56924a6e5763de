import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { book, slots, visitOf, visitsOf } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import { emailsAbout, eventsOf, expectWords, readable, rowsIn } from '../kit/reading.ts'
import { bookCall, calls } from './booking/services.ts'

openEach()

test('a call is booked without an address, and is the analyst’s at once', async () => {
  const { customer, analyst } = people
  const [, start] = await slots(world, customer, 0, calls)
  const answer = await bookCall(world, customer, start!, { interest: '02', notes: '¿Cuál me conviene?' })
  expect([answer.status, answer.location]).toEqual([303, '/videocall?agendada'])
  const call = await visitOf(world, customer)
  expect(call).toMatchObject({
    folio: expect.stringMatching(/^AV-\d{4}-\d{5}$/),
    state: 'assigned',
    service: 'videocall',
    assigneeId: analyst.id,
    confirmedAt: expect.any(Date),
    minutes: 30,
    municipality: null,
    address: null,
    interest: '02',
    notes: '¿Cuál me conviene?',
  })
  expect(await eventsOf(world, call.id, 'appointment')).toMatchObject([
    { name: 'book', actorId: customer.id, fromState: null, toState: 'assigned' },
  ])
  expect(await emailsAbout(world, call)).toEqual(['assigned to person', 'booked to customer'])
  const [project] = await rowsIn(world, projects, { customerId: customer.id })
  expect(call.projectId).toBe(project!.id)
})

test('its agenda and its confirmation say whose clock they mean; the confirmation stays over a reload', async () => {
  const { customer } = people
  expect(readable(await world.visit(calls.path, customer))).toContain('En hora del centro de México.')
  const [start] = await slots(world, customer, 0, calls)
  const { onward } = await bookCall(world, customer, start!)
  expect(onward).toBe('/videocall?agendada')
  for (let n = 0; n < 2; n++) {
    const page = readable(await world.visit(onward!, customer))
    expectWords(page, 'Tu asesoría quedó agendada', 'A las 9:00 a. m., hora del centro de México', 'Outlook')
    expectWords(page, 'Puedes cambiarla o cancelarla gratis hasta el')
  }
  expect(readable(await world.visit('/videocall', customer))).not.toContain('quedó agendada')
  const { text } = await world.visit(onward!, customer)
  expect(text).toMatch(
    /href="https:\/\/calendar\.google\.com\/calendar\/render\?action=TEMPLATE&amp;text=Asesor/,
  )
})

test('its customer reads the minute, the analyst and the subject; the analyst sees it', async () => {
  const { customer, analyst, technician } = people
  const [start] = await slots(world, customer, 0, calls)
  await bookCall(world, customer, start!, { interest: '03' })
  const { folio } = await visitOf(world, customer)
  const page = readable(await world.visit('/videocall', customer))
  for (const words of [
    folio,
    'A las 9:00 a. m., hora del centro de México',
    'Andrés',
    'Sobre el trámite ante CFE',
    'Confirmada',
  ])
    expect(page).toContain(words)
  expect(page).not.toContain('Llegamos entre')
  expect(readable(await world.visit('/', customer))).toContain('te espera por video')
  expect((await world.visit('/admin/appointments-pending', analyst)).text).toContain(folio)
  expect((await world.visit('/admin/appointments-pending', technician)).text).not.toContain(folio)
})

test.each([
  ['outside our area', { postalCode: '54000', municipality: 'Tlalnepantla' }],
  ['at an address to be verified', { postalCode: '50999', municipality: 'toluca', confirmInArea: 'on' }],
])('%s calls are open, visits are not', async (_where, home) => {
  const { customer } = people
  const { projectId } = await world.home(customer, home)
  expect((await world.visit('/agenda-technics-visit', customer)).location).toBe('/technics-visit')
  const [start] = await slots(world, customer, 0, calls)
  expect((await bookCall(world, customer, start!)).status).toBe(303)
  expect(await visitOf(world, customer)).toMatchObject({ projectId, municipality: null, address: null })
})

test.each([
  ['no subject', { interest: '' }, 'Elige de qué quieres hablar'],
  ['a subject nobody knows', { interest: '04' }, 'Elige de qué quieres hablar'],
  ['a car of the future', { vehicleYear: '2199' }, 'Escribe un año de 1990'],
])('%s is refused under its field, and what was typed stays', async (_what, form, words) => {
  const { customer } = people
  const [start] = await slots(world, customer, 0, calls)
  const answer = await bookCall(world, customer, start!, { notes: 'Se queda', ...form })
  expect([answer.status, readable(answer)]).toEqual([400, expect.stringContaining(words)])
  expect(answer.text).toContain('Se queda')
  expect(await visitsOf(world, customer)).toEqual([])
  expect(await world.db.select().from(projects)).toEqual([])
})

test('one call at a time: the agenda and a form that stayed open lead to it', async () => {
  const { customer } = people
  const [first, , other] = await slots(world, customer, 0, calls)
  await bookCall(world, customer, first!)
  expect((await world.visit(calls.path, customer)).location).toBe('/videocall')
  const answer = await bookCall(world, customer, other!)
  expect([answer.status, answer.location]).toEqual([303, '/videocall'])
  expect(readable(await world.visit('/videocall', customer))).toContain('Ya tenías agendada tu asesoría')
  expect(await visitsOf(world, customer)).toHaveLength(1)
})

test('the same form twice is one call, also ten times at once, also the first of its customer', async () => {
  const { customer } = people
  const [start] = await slots(world, customer, 0, calls)
  const requestKey = randomUUID()
  const send = () => bookCall(world, customer, start!, { requestKey })
  const answers = await Promise.all(Array.from({ length: 10 }, send))
  expect([...answers, await send()].map(({ status }) => status)).toEqual(Array(11).fill(303))
  expect(await visitsOf(world, customer)).toHaveLength(1)
  expect(await world.db.select().from(projects)).toHaveLength(1)
  const other = await bookCall(world, customer, start!, { requestKey, interest: '02' })
  expect([other.status, other.location]).toEqual([303, '/videocall'])
})

test('a slot with every analyst taken is refused with the nearest that are free', async () => {
  const { customer, customer2 } = people
  const [, , start] = await slots(world, customer, 0, calls)
  await bookCall(world, customer2, start!)
  const answer = await bookCall(world, customer, start!)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain('Ese horario se acaba de ocupar.')
  expect(readable(answer)).toContain('Estos están libres y son los más cercanos')
  expect(await visitsOf(world, customer)).toEqual([])
})

test('two customers at one slot of one analyst: one is promised', async () => {
  const { customer, customer2 } = people
  const [start] = await slots(world, customer, 0, calls)
  const answers = await Promise.all([customer, customer2].map((one) => bookCall(world, one, start!)))
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
})

test('a customer is never in a call and a visit at once', async () => {
  const { customer } = people
  await world.home(customer)
  const [start] = await slots(world, customer)
  await book(world, customer, start!)
  const answer = await bookCall(world, customer, new Date(Date.parse(start!) + 30 * 60_000).toISOString())
  expect([answer.status, readable(answer)]).toEqual([409, expect.stringContaining('A esa hora ya tienes')])
  expect(
    (await bookCall(world, customer, new Date(Date.parse(start!) + 60 * 60_000).toISOString())).status,
  ).toBe(303)
})

test('an unverified customer has one appointment over all services', async () => {
  const customer = await world.person({ emailVerified: false })
  await world.home(customer)
  const [start] = await slots(world, customer)
  await book(world, customer, start!)
  const [call] = await slots(world, customer, 1, calls)
  const answer = await bookCall(world, customer, call!)
  expect([answer.status, readable(answer)]).toEqual([409, expect.stringContaining('Mientras no confirmes')])
})

test('car and charger told at the first booking are kept with the project, and asked no more', async () => {
  const { customer } = people
  await world.home(customer)
  expect(readable(await world.visit(calls.path, customer))).toContain('Tu auto y tu cargador')
  const [start] = await slots(world, customer, 0, calls)
  const told = { vehicleBrand: 'BYD', vehicleModel: 'Dolphin', vehicleYear: '2026', chargerKilowatts: '7,4' }
  expect((await bookCall(world, customer, start!, told)).status).toBe(303)
  const [project] = await world.db.select().from(projects)
  expect(project).toMatchObject({
    vehicle: { brand: 'BYD', model: 'Dolphin', year: 2026, deliveredOn: null },
    charger: { origin: null, brand: null, kilowatts: 7.4 },
  })
  expect(readable(await world.visit('/agenda-technics-visit', customer))).not.toContain(
    'Tu auto y tu cargador',
  )
})

test('staff and the signed out book no call', async () => {
  const { customer, manager, technician, analyst, gester, ally } = people
  const [start] = await slots(world, customer, 0, calls)
  const form = { startsAt: start!, interest: '01', requestKey: randomUUID() }
  expect((await world.post(calls.path, form)).location).toBe('/signin')
  for (const person of [manager, technician, analyst, gester, ally])
    expect((await world.post(calls.path, form, person)).status).toBe(403)
  const { rows } = await world.db.execute(sql`select 1 from appointments`)
  expect(rows).toEqual([])
})
