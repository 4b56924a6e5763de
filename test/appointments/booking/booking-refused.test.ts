import { addDays, minuteAt, toDate } from '../../../src/shared/calendar.ts'
import {
  agendaOf,
  book,
  customerWithVisit,
  hour,
  nothingBooked,
  slots,
  visitsOf,
} from '../../kit/appointments.ts'
import { fixture, openEach, people, runSql, technician } from '../../kit/open.ts'
import type { Person } from '../../kit/people.ts'
import { expectAnswered, expectShown } from '../../kit/reading.ts'

openEach()
let customer: Person
let starts: string[]
beforeEach(async () => {
  customer = people.customer
  await fixture.home(customer)
  starts = await slots(customer)
})

test('refuses a slot taken meanwhile with the three nearest that are free, and keeps the notes', async () => {
  const start = starts[4]!
  for (let n = 0; n < 2; n++) await customerWithVisit(start)
  const answer = await book(customer, start, { notes: 'Tocar "fuerte" <b>' })
  expectShown(answer, 409, 'Ese horario se acaba de ocupar.', 'Tocar &quot;fuerte&quot; &lt;b&gt;')
  const named = [...answer.text.matchAll(/hora=([^"&]+)/g)].map(([, hora]) => decodeURIComponent(hora!))
  const { chosen } = await agendaOf(customer, start.slice(0, 10))
  const distance = (one: string) => Math.abs(Date.parse(one) - Date.parse(start))
  const nearest = chosen.starts
    .toSorted((a, b) => distance(a) - distance(b) || a.localeCompare(b))
    .slice(0, 3)
  expect(named).toEqual(expect.arrayContaining(nearest))
  expect(chosen.starts).not.toContain(start)
  expect(await visitsOf(customer)).toEqual([])
  await expectAnswered(book(customer, nearest[0]!), 303)
})

test('refuses times that are not offered, with the reason and the nearest free ones', async () => {
  const [nine, , ten] = starts
  const date = nine!.slice(0, 10)
  const refused = async (startsAt: string, status: number, ...words: string[]) => {
    expectShown(await book(customer, startsAt, { notes: 'Se queda' }), status, ...words, 'Se queda')
    await nothingBooked()
  }
  const past = toDate(minuteAt(addDays(date, -40), '10:00')).toISOString()
  await refused(past, 400, 'Ese horario no se puede agendar', 'Esa hora ya pasó', 'son los más cercanos')
  await refused('mañana', 400, 'Elige un horario.')
  fixture.at(new Date(Date.parse(ten!) - 23.5 * hour))
  await refused(ten!, 400, 'al menos 24 horas')
  fixture.at(new Date(Date.parse(ten!) - 48 * hour))
  await runSql`update shifts set starts = 600 where person_id = ${technician.id}`
  await runSql`delete from shifts where person_id <> ${technician.id}`
  await refused(nine!, 409)
  await runSql`insert into settings (key, value) values ('service', ${JSON.stringify({ holidays: [date] })})`
  await refused(ten!, 400, 'Ese día es festivo')
  await runSql`delete from settings`
  await expectAnswered(book(customer, ten!), 303)
})

test('refuses notes over 500 characters and a malformed key', async () => {
  const [start] = starts
  expectShown(await book(customer, start!, { notes: 'x'.repeat(501) }), 400, '500')
  await expectAnswered(book(customer, start!, { requestKey: 'clave' }), 400)
  await nothingBooked()
})
