import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { agenda, agendaOf, book, slots, visitOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { emailsAbout, eventsOf, loaded, readable } from '../../kit/reading.ts'

openEach()

test('a customer books an offered slot: a row, its event and its letter', async () => {
  const { customer } = people
  const { projectId, address } = await world.home(customer)
  const [, start] = await slots(world, customer)
  const answer = await book(world, customer, start!, { notes: '  Hay un perro \n bravo ' })
  expect([answer.status, answer.location]).toEqual([303, '/technics-visit?agendada'])
  const visit = await visitOf(world, customer)
  expect(visit).toMatchObject({
    folio: expect.stringMatching(/^VT-\d{4}-\d{5}$/),
    state: 'requested',
    service: 'technical_visit',
    projectId,
    confirmedAt: null,
    startsAt: new Date(start!),
    minutes: 60,
    municipality: 'coyoacan',
    address: { street: address.street, postalCode: '04000' },
    version: 1,
  })
  expect([people.technician.id, people.technician2.id]).toContain(visit.assigneeId)
  expect(visit.notes).toContain('Hay un perro')
  expect(await eventsOf(world, visit.id, 'appointment')).toMatchObject([
    { name: 'book', actorId: customer.id, fromState: null, toState: 'requested' },
  ])
  expect(await emailsAbout(world, visit)).toEqual(['booked to customer'])
})

test('row, event and letter are of one transaction', async () => {
  const { customer } = people
  await world.home(customer)
  await book(world, customer, (await slots(world, customer))[0]!)
  const { id } = await visitOf(world, customer)
  const { rows } = await world.db.execute(sql`
    select a.xmin = e.xmin as event, a.xmin = j.xmin as letter from appointments a
    join events e on e.entity_id = a.id join pgboss.job j on j.data ->> 'appointmentId' = a.id::text
    where a.id = ${id}`)
  expect(rows).toEqual([{ event: true, letter: true }])
})

test('the customer sees it at once, without the provisional name', async () => {
  const { customer } = people
  await world.home(customer)
  await book(world, customer, (await slots(world, customer))[0]!)
  const { folio } = await visitOf(world, customer)
  for (const path of ['/technics-visit', '/']) {
    const page = await world.visit(path, customer)
    expect(readable(page)).toContain(folio)
    expect(readable(page)).toContain('Apartada')
    expect(readable(page)).toContain('Te avisamos quién te visita')
    for (const { text } of [page, await world.data(path, customer)]) expect(text).not.toMatch(/Tomás|Teresa/)
  }
  expect((await world.visit('/technics-visit', customer)).text).toContain('Calle Ejemplo 12')
})

test('the technician cannot see it yet; manager and analyst do; nobody else', async () => {
  const { customer, customer2, manager, analyst, technician, technician2, gester, ally } = people
  await world.home(customer)
  await book(world, customer, (await slots(world, customer))[0]!)
  const { id, folio } = await visitOf(world, customer)
  const detail = `/admin/appointments-pending/${id}`
  for (const person of [technician, technician2, ally]) {
    expect((await world.visit('/admin/appointments-pending', person)).text).not.toContain(folio)
    expect((await world.visit('/admin/appointments-done', person)).text).not.toContain(folio)
    expect((await world.visit(detail, person)).status).toBe(404)
    expect((await world.data(detail, person)).text).not.toContain(folio)
  }
  expect((await world.visit(detail, gester)).location).toBe('/admin')
  expect((await world.visit('/technics-visit', customer2)).text).not.toContain(folio)
  for (const person of [manager, analyst]) {
    expect((await world.visit('/admin/appointments-pending', person)).text).toContain(folio)
    expect(readable(await world.visit(detail, person))).toContain('(provisional)')
  }
  expect((await world.visit('/admin/assignations', manager)).text).toContain(folio)
  expect((await world.visit(`/admin/assignations/${id}`, manager)).status).toBe(200)
})

test('what is offered is the roster’s: no shift, no slot; a day off, no slot', async () => {
  const { customer, technician, technician2 } = people
  await world.home(customer)
  const [start] = await slots(world, customer)
  const date = start!.slice(0, 10)
  for (const { id } of [technician, technician2])
    await world.db.execute(sql`insert into time_off (person_id, during, approved_at)
      values (${id}, tstzrange(${start}::timestamptz - interval '1 hour', ${start}::timestamptz + interval '20 hours'), now())`)
  expect((await agendaOf(world, customer)).days.find((day) => day.date === date)).toMatchObject({ free: 0 })
  await world.db.execute(sql`delete from shifts`)
  const page = await world.visit(agenda, customer)
  expect(readable(page)).toContain('Por ahora no hay horarios libres')
  expect(loaded(await world.data(agenda, customer), 'appointments/book')).toMatchObject({ chosen: null })
})
