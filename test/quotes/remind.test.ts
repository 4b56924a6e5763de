import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { EmailJob } from '../../src/server/notifications/jobs.ts'
import { remindOfQuotes } from '../../src/server/quotes/jobs.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { content, type Quote, storeSent } from '../kit/quotes.ts'
import { emailsAbout } from '../kit/reading.ts'

openEach()
sendJobs()

const at = (text: string) => new Date(`${text}-06:00`)
const three = at('2031-03-01T20:31')
const one = at('2031-03-03T20:31')

let quote: Quote
beforeEach(async () => {
  const { analyst: maker, customer, technician } = people
  const offered = content({ validUntil: '2031-03-04' })
  quote = await storeSent(world, { customer, technician, maker }, { content: offered })
})

const change = (set: string) => world.db.execute(sql.raw(`update quotes set ${set}`))
const reminders = async () =>
  (await emailsAbout(world, quote)).filter((letter) => letter.includes('reminder'))

test('three days and one day before its last second, on the evening of that day, each once', async () => {
  expect(await remindOfQuotes(world.db, at('2031-03-01T20:29'))).toBe(0)
  expect(await remindOfQuotes(world.db, three)).toBe(1)
  expect(await remindOfQuotes(world.db, at('2031-03-02T12:00'))).toBe(0)
  expect(await remindOfQuotes(world.db, one)).toBe(1)
  expect(await remindOfQuotes(world.db, at('2031-03-04T12:00'))).toBe(0)
  expect(await reminders()).toEqual(['quote_reminder_3d to customer', 'quote_reminder_1d to customer'])
})

test('never in the night; nobody worked for days: one letter for both', async () => {
  expect(await remindOfQuotes(world.db, at('2031-03-03T22:00'))).toBe(0)
  expect(await remindOfQuotes(world.db, at('2031-03-04T08:00'))).toBe(1)
  expect(await remindOfQuotes(world.db, at('2031-03-04T12:00'))).toBe(0)
  expect(await reminders()).toEqual(['quote_reminder_1d to customer'])
})

test('rounds at once send it once', async () => {
  const rounds = await Promise.all([1, 2, 3, 4].map(() => remindOfQuotes(world.db, three)))
  expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(1)
  expect(await reminders()).toHaveLength(1)
})

test.each([
  ['withdrawn', `state = 'withdrawn'`],
  ['answered', `state = 'changes_requested'`],
])('none for one that is %s', async (_what, set) => {
  await change(set)
  expect(await remindOfQuotes(world.db, three)).toBe(0)
})

test('none for one that was sent after its moment', async () => {
  await world.db.execute(sql`alter table quotes disable trigger quotes_frozen`)
  await change(`sent_at = '2031-03-01T20:30:30-06:00'`)
  expect(await remindOfQuotes(world.db, three)).toBe(0)
  expect(await remindOfQuotes(world.db, one)).toBe(1)
})

test('one that somebody is answering is left to the next round', async () => {
  const other = await world.db.$client.connect()
  await other.query('begin')
  await other.query('select 1 from quotes for update')
  expect(await remindOfQuotes(world.db, three)).toBe(0)
  await other.query('commit')
  other.release()
  expect(await remindOfQuotes(world.db, three)).toBe(1)
})

test('the letter says until when, and is not sent once it is no longer so', async () => {
  await remindOfQuotes(world.db, three)
  const { rows } = await world.db.execute<{ data: EmailJob }>(
    sql`select data from pgboss.job where name = 'letter' and data ->> 'letter' = 'quote_reminder_3d'`,
  )
  const sent = await emailsOf(world.db, rows[0]!.data)
  expect(sent[0]!.subject).toBe(`Te quedan 3 días para aceptar tu cotización (${quote.folio})`)
  expect(sent[0]!.text).toContain('Puedes aceptarla hasta: el martes 4 de marzo de 2031')
  expect(sent[0]!.text).toContain('Total: De $1,160.00 a $2,320.00')
  await change(`state = 'rejected'`)
  expect(await emailsOf(world.db, rows[0]!.data)).toEqual([])
})
