import { agenda, book, nothingBooked, slots, visitOf } from '../../kit/appointments.ts'
import {
  ally,
  analyst,
  customer,
  customer2,
  eventsAbout,
  expectEmails,
  expectLed,
  expectScreen,
  fixture,
  manager,
  newHome,
  openEach,
  runSql,
  technician,
  technician2,
} from '../../kit/open.ts'
import { expectAnswered, expectShown } from '../../kit/reading.ts'

openEach()

test('books an offered slot: row, event and email in one transaction', async () => {
  const { projectId, address } = await newHome(customer)
  const [, start] = await slots(customer)
  await expectAnswered(
    book(customer, start!, { notes: '  Hay un perro \n bravo ' }),
    303,
    '/technics-visit?agendada',
  )
  const visit = await visitOf(customer)
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
    notes: expect.stringContaining('Hay un perro'),
    version: 1,
  })
  expect([technician.id, technician2.id]).toContain(visit.assigneeId)
  expect(await eventsAbout(visit)).toMatchObject([
    { name: 'book', actorId: customer.id, fromState: null, toState: 'requested' },
  ])
  await expectEmails(visit, ['booked to customer'])
  const { rows } = await runSql`
    select a.xmin = e.xmin as event, a.xmin = j.xmin as email from appointments a
    join events e on e.entity_id = a.id join pgboss.job j on j.data ->> 'appointmentId' = a.id::text`
  expect(rows).toEqual([{ event: true, email: true }])
})

test('shows a provisional visit to its customer, the manager and the analyst, not to technicians or allies', async () => {
  await newHome(customer)
  await book(customer, (await slots(customer))[0]!)
  const { id, folio } = await visitOf(customer)
  for (const path of ['/technics-visit', '/']) {
    await expectScreen(path, customer, folio, 'Apartada', 'Te avisamos quién te visita')
    expect((await fixture.data(path, customer)).text).not.toMatch(/Tomás|Teresa/)
  }
  const list = '/admin/appointments-pending'
  for (const person of [technician, technician2, ally]) {
    expect((await fixture.data(list, person)).text).not.toContain(folio)
    await expectAnswered(fixture.data(`${list}/${id}`, person), 404)
  }
  for (const person of [manager, analyst]) {
    expect((await fixture.data(list, person)).text).toContain(folio)
    await expectScreen(`${list}/${id}`, person, '(provisional)')
  }
})

test.each([
  ['without an address', null, 'Primero danos tu domicilio'],
  [
    'outside our area',
    { postalCode: '54000', municipality: 'Tlalnepantla' },
    'Todavía no llegamos a tu zona',
  ],
])('refuses a customer %s', async (_where, home, words) => {
  await newHome(customer2)
  if (home) await newHome(customer, home)
  const [start] = await slots(customer2)
  expectShown(await book(customer, start!), 409, words)
  await expectLed(agenda, customer, home ? '/technics-visit' : '/address?para=technical_visit')
  await nothingBooked()
})
