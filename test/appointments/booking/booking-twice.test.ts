import { randomUUID } from 'node:crypto'
import {
  assign,
  book,
  customerWithVisit,
  expectVisit,
  slots,
  visitOf,
  visitsOf,
} from '../../kit/appointments.ts'
import {
  expectEmails,
  expectLed,
  expectScreen,
  expectTrail,
  fixture,
  manager,
  newHome,
  openOnce,
  pageText,
} from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectLeadsTo, expectWords, statusesOf } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openOnce()
let customer: Person
let starts: string[]
beforeEach(async () => {
  customer = await fixture.person()
  await newHome(customer)
  starts = await slots(customer)
})

/** Follows a second booking to the visit that was there, and reads its toast. */
async function expectSecond({ location, status }: Answer, ...words: string[]) {
  expect([status, location]).toEqual([303, '/technics-visit'])
  const page = await pageText('/technics-visit', customer)
  expectWords(page, 'Ya tenías agendada tu visita', ...words)
  expect(page).not.toContain('quedó agendada')
}

test('two slots sent at once from two tabs book one visit', async () => {
  const answers = await Promise.all([starts[1]!, starts[6]!].map((start) => book(customer, start)))
  const { folio } = await visitOf(customer)
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
  await expectSecond(answers.find(({ location }) => location === '/technics-visit')!, folio)
})

test('the agenda and a form that stayed open lead to the visit that is booked', async () => {
  const [, one, , , other] = starts
  await book(customer, one!)
  await expectLed('/agenda-technics-visit', customer, '/technics-visit')
  for (const start of [other!, one!]) await expectSecond(await book(customer, start))
  expect(await visitsOf(customer)).toHaveLength(1)
})

test('a form sent again is the same visit and confirmed both times, also ten times at once', async () => {
  const form = { requestKey: randomUUID(), notes: 'Tocar fuerte' }
  const send = () => book(customer, starts[0]!, form)
  expect(await statusesOf(...Array.from({ length: 10 }, send))).toEqual(Array(10).fill(303))
  const { folio, ...visit } = await visitOf(customer)
  for (let n = 0; n < 2; n++) {
    await expectLeadsTo(send(), '/technics-visit?agendada')
    await expectScreen('/technics-visit?agendada', customer, 'Tu visita quedó agendada', folio)
  }
  await expectTrail(visit, ['book'])
  await expectEmails(visit, ['booked to customer'])
})

test('the same form with another slot or other notes changes nothing and leads to its visit', async () => {
  const requestKey = randomUUID()
  await book(customer, starts[0]!, { requestKey })
  await expectSecond(await book(customer, starts[3]!, { requestKey }))
  await expectSecond(await book(customer, starts[0]!, { requestKey, notes: 'Otra cosa' }))
  await expectVisit({ startsAt: new Date(starts[0]!), notes: null }, customer)
})

test('the key of another customer’s form books a visit of its own', async () => {
  const { id, requestKey } = (await customerWithVisit()).visit
  const [start] = await slots(customer)
  await expectAnswered(book(customer, start!, { requestKey }), 303)
  expect((await visitOf(customer)).id).not.toBe(id)
})

test('a form whose answer was lost is confirmed although the slot is full and the visit assigned', async () => {
  const form = { requestKey: randomUUID() }
  // A day on which no test above has booked anyone.
  const [start] = await slots(customer, 4)
  await book(customer, start!, form)
  await customerWithVisit(start)
  const visit = await visitOf(customer)
  await assign(manager, visit, { id: visit.assigneeId! })
  await expectLeadsTo(book(customer, start!, form), '/technics-visit?agendada')
})
