import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { EmailJob } from '../../src/server/notifications/jobs.ts'
import { remindOfQuotes } from '../../src/server/quotes/jobs.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { content, type Quote, storeSent } from '../kit/quotes.ts'
import { emailsAbout, expectWords } from '../kit/reading.ts'

let quote: Quote
openEach(async () => {
  const { analyst: maker, customer, technician } = people
  const wish = { content: content({ validUntil: '2031-03-04' }) }
  quote = await storeSent(world, { customer, technician, maker }, wish)
})
sendJobs()

const threeDays = '2031-03-01T20:31'
const oneDay = '2031-03-03T20:31'
const round = (at: string) => remindOfQuotes(world.db, new Date(`${at}-06:00`))
const change = (set: string) => world.db.execute(sql.raw(`update quotes set ${set}`))
const reminders = () => emailsAbout(world, quote, 'quote_reminder')

test('a customer is reminded in the evening three days and one day before the last second, once each', async () => {
  expect(await round('2031-03-01T20:29')).toBe(0)
  const rounds = await Promise.all([1, 2, 3, 4].map(() => round(threeDays)))
  expect(rounds.toSorted()).toEqual([0, 0, 0, 1])
  expect(await round('2031-03-02T12:00')).toBe(0)
  expect(await round(oneDay)).toBe(1)
  expect(await round('2031-03-04T12:00')).toBe(0)
  expect(await reminders()).toEqual(['quote_reminder_3d to customer', 'quote_reminder_1d to customer'])
})

test('nobody is reminded by night; after days without a round one email stands for both', async () => {
  expect(await round('2031-03-03T22:00')).toBe(0)
  expect(await round('2031-03-04T08:00')).toBe(1)
  expect(await round('2031-03-04T12:00')).toBe(0)
  expect(await reminders()).toEqual(['quote_reminder_1d to customer'])
})

test('nobody is reminded of an answered quote, nor before it was sent', async () => {
  await change(`state = 'changes_requested'`)
  expect(await round(threeDays)).toBe(0)
  await world.db.execute(sql`alter table quotes disable trigger quotes_frozen`)
  await change(`state = 'sent', sent_at = '2031-03-01T20:30:30-06:00'`)
  expect(await round(threeDays)).toBe(0)
  expect(await round(oneDay)).toBe(1)
})

test('a quote that is being answered is left to the next round', async () => {
  const other = await world.db.$client.connect()
  await other.query('begin')
  await other.query('select 1 from quotes for update')
  expect(await round(threeDays)).toBe(0)
  await other.query('commit')
  other.release()
  expect(await round(threeDays)).toBe(1)
})

test('the reminder states its last day and amounts, and is not sent once the quote is answered', async () => {
  await round(threeDays)
  const { rows } = await world.db.execute<{ data: EmailJob }>(
    sql`select data from pgboss.job where name = 'letter' and data ->> 'letter' = 'quote_reminder_3d'`,
  )
  const [email] = await emailsOf(world.db, rows[0]!.data)
  expect(email!.subject).toBe(`Te quedan 3 días para aceptar tu cotización (${quote.folio})`)
  expectWords(
    email!.text,
    'Puedes aceptarla hasta: el martes 4 de marzo de 2031',
    'Total: De $1,160.00 a $2,320.00',
  )
  await change(`state = 'rejected'`)
  expect(await emailsOf(world.db, rows[0]!.data)).toEqual([])
})
