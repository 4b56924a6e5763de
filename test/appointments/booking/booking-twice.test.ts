import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { assign, book, customerWithVisit, slots, visitOf, visitsOf } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { emailsAbout, readable, trailOf } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openEach()
let customer: Person
beforeEach(async () => {
  customer = people.customer
  await world.home(customer)
})

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted()

/** The page a booking of a second tab ends at, with the words of its toast. */
const ledTo = async ({ location, status }: Answer) => ({
  status,
  location,
  words: readable(await world.visit(location ?? '', customer)),
})

test('two tabs, two slots: one visit, and the other is led to it', async () => {
  const [, one, , , , , other] = await slots(world, customer)
  const answers = await Promise.all([book(world, customer, one!), book(world, customer, other!)])
  expect(statuses(answers)).toEqual([303, 303])
  const { folio } = await visitOf(world, customer)
  const [second] = answers.filter(({ location }) => location === '/technics-visit')
  const { words } = await ledTo(second!)
  expect(words).toContain('Ya tenías agendada tu visita')
  expect(words).toContain(folio)
})

test('one tab after the other: the agenda and a form that stayed open lead to the visit', async () => {
  const [, one, , , other] = await slots(world, customer)
  await book(world, customer, one!)
  expect((await world.visit('/agenda-technics-visit', customer)).location).toBe('/technics-visit')
  for (const start of [other!, one!]) {
    const { words, ...led } = await ledTo(await book(world, customer, start))
    expect(led).toEqual({ status: 303, location: '/technics-visit' })
    expect(words).toContain('Ya tenías agendada tu visita')
    expect(words).not.toContain('quedó agendada')
  }
  expect(await visitsOf(world, customer)).toHaveLength(1)
})

test('a form sent again is the same visit, and says so both times', async () => {
  const [start] = await slots(world, customer)
  const form = { requestKey: randomUUID(), notes: 'Tocar fuerte' }
  const answers = [await book(world, customer, start!, form), await book(world, customer, start!, form)]
  const { folio, ...visit } = await visitOf(world, customer)
  for (const answer of answers) {
    expect([answer.status, answer.location]).toEqual([303, '/technics-visit?agendada'])
    const { words } = await ledTo(answer)
    for (const said of ['Tu visita quedó agendada', folio]) expect(words).toContain(said)
  }
  expect(await emailsAbout(world, visit)).toEqual(['booked to customer'])
})

test('ten times at once too', async () => {
  const [start] = await slots(world, customer)
  const requestKey = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => book(world, customer, start!, { requestKey })),
  )
  expect(statuses(answers)).toEqual(Array(10).fill(303))
  const visit = await visitOf(world, customer)
  expect(await trailOf(world, visit, 'appointment')).toEqual(['book'])
  expect(await emailsAbout(world, visit)).toHaveLength(1)
})

test.each([
  ['another slot', (starts: string[]) => [starts[3]!, {}] as const],
  ['other notes', (starts: string[]) => [starts[0]!, { notes: 'Otra cosa' }] as const],
])('the same form with %s changes nothing, and leads to what it booked', async (_what, change) => {
  const starts = await slots(world, customer)
  const requestKey = randomUUID()
  await book(world, customer, starts[0]!, { requestKey })
  const [start, form] = change(starts)
  const answer = await book(world, customer, start, { requestKey, ...form })
  expect((await ledTo(answer)).words).toContain('Ya tenías agendada tu visita')
  const visit = await visitOf(world, customer)
  expect(visit).toMatchObject({ startsAt: new Date(starts[0]!), notes: null })
})

test('somebody else’s key opens nothing of theirs', async () => {
  const other = await customerWithVisit(world)
  const [start] = await slots(world, customer)
  const { requestKey } = other.visit
  expect((await book(world, customer, start!, { requestKey })).status).toBe(303)
  expect((await visitOf(world, customer)).id).not.toBe(other.visit.id)
})

test('the answer that was lost is told even when the slot is full meanwhile, and after the assignment', async () => {
  const manager = await world.person({ kind: 'manager' })
  const [start] = await slots(world, customer)
  const form = { requestKey: randomUUID() }
  await book(world, customer, start!, form)
  await customerWithVisit(world, start)
  const visit = await visitOf(world, customer)
  await assign(world, manager, visit, { id: visit.assigneeId! })
  expect((await book(world, customer, start!, form)).location).toBe('/technics-visit?agendada')
})

test('a customer is never in two visits at once, whatever the project', async () => {
  const [start] = await slots(world, customer)
  await book(world, customer, start!)
  await world.db.execute(sql`update projects set closed_at = now()`)
  await world.home(customer)
  const answer = await book(world, customer, start!)
  expect(answer.status).toBe(409)
  expect(readable(answer)).toContain('A esa hora ya tienes otra cita')
})
