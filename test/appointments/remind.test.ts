import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { cancel } from '../../src/server/appointments/cancel.ts'
import { sendReminders } from '../../src/server/appointments/jobs.ts'
import type { EmailJob } from '../../src/server/notifications/jobs.ts'
import { storeVisit, type Visit } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { emailsAbout, expectWords } from '../kit/reading.ts'

openEach()
sendJobs()

const at = (text: string) => new Date(`${text}-06:00`)
const startsAt = at('2031-03-04T17:00')
const long = at('2031-02-01T12:00')
const day = at('2031-03-03T17:01')
const hours = at('2031-03-04T15:01')

let visit: Visit
beforeEach(async () => {
  const { customer, technician } = people
  const home = await world.home(customer)
  visit = await storeVisit(world, customer, home, startsAt, { assigneeId: technician.id, timeSetAt: long })
})

const change = (set: string) => world.db.execute(sql.raw(`update appointments set ${set}`))
const letters = () => emailsAbout(world, visit)

test('the day before and two hours before, each once', async () => {
  expect(await sendReminders(world.db, at('2031-03-03T16:59'))).toBe(0)
  expect(await sendReminders(world.db, day)).toBe(1)
  expect(await sendReminders(world.db, day)).toBe(0)
  expect(await sendReminders(world.db, hours)).toBe(1)
  expect(await sendReminders(world.db, at('2031-03-04T16:00'))).toBe(0)
  expect(await letters()).toEqual(['reminder_24h to customer', 'reminder_2h to customer'])
  const [row] = await world.db
    .execute<{ version: number }>(sql`select version from appointments`)
    .then((r) => r.rows)
  expect(row!.version).toBe(visit.version)
})

test('nobody worked since yesterday: one letter for both', async () => {
  expect(await sendReminders(world.db, hours)).toBe(1)
  expect(await sendReminders(world.db, at('2031-03-04T16:00'))).toBe(0)
  expect(await letters()).toEqual(['reminder_2h to customer'])
})

test('rounds at once send it once', async () => {
  const rounds = await Promise.all([1, 2, 3, 4].map(() => sendReminders(world.db, day)))
  expect(rounds.reduce((sum, one) => sum + one, 0)).toBe(1)
  expect(await letters()).toEqual(['reminder_24h to customer'])
})

test.each([
  ['cancelled', `state = 'cancelled'`],
  ['under way', `state = 'en_route'`],
  ['with nobody to come', `state = 'requested', confirmed_at = null, assignee_id = null`],
  ['in the night', `starts_at = '2031-03-04T21:30-06:00', time_set_at = '2031-03-03T20:40-06:00'`],
  ['booked after its moment', `time_set_at = '2031-03-03T17:00:30-06:00'`],
  ['moved away', `starts_at = starts_at + interval '7 days'`],
])('none for one that is %s', async (_what, set) => {
  await change(set)
  expect(await sendReminders(world.db, day)).toBe(0)
  expect(await letters()).toEqual([])
})

test('one whose person is still provisional is reminded of like any other', async () => {
  await change(`state = 'requested', confirmed_at = null`)
  expect(await sendReminders(world.db, day)).toBe(1)
})

test('one that somebody is changing is left to the next round', async () => {
  const other = await world.db.$client.connect()
  await other.query('begin')
  await other.query('select 1 from appointments for update')
  expect(await sendReminders(world.db, day)).toBe(0)
  await other.query('commit')
  other.release()
  expect(await sendReminders(world.db, day)).toBe(1)
})

async function written() {
  const { rows } = await world.db.execute<{ data: EmailJob }>(
    sql`select data from pgboss.job where name = 'letter' and data ->> 'letter' like 'reminder%' order by created_on`,
  )
  const emails = []
  for (const { data } of rows) emails.push(...(await emailsOf(world.db, data)))
  return emails
}

test('the letter says when, where and who', async () => {
  await sendReminders(world.db, day)
  await sendReminders(world.db, hours)
  const [first, second] = await written()
  expect(first!.subject).toMatch(/^Recordatorio: tu visita técnica del martes 4 de marzo de 2031 \(VT-/)
  expect(second!.subject).toMatch(
    /^Tu visita técnica es el martes 4 de marzo de 2031, a las 5:00 p\. m\. \(VT-/,
  )
  for (const { text } of [first!, second!]) {
    expectWords(text, 'Hora: entre 5:00 y 5:30 p. m.', 'Domicilio: Calle Ejemplo 12', 'Tomás Prueba')
  }
})

test('cancelled or moved between the choice and the letter: nothing is sent, and the new time has reminders of its own', async () => {
  await sendReminders(world.db, day)
  await change(`starts_at = starts_at + interval '2 days', reminded_24h_at = null, reminded_2h_at = null`)
  expect(await written()).toEqual([])
  expect(await sendReminders(world.db, at('2031-03-05T17:01'))).toBe(1)
  expect(await written()).toHaveLength(1)
  const wish = { reason: 'otro' as const, note: 'Lo pidió por teléfono', version: visit.version }
  await cancel(world.db, people.manager.actor, visit.id, wish, at('2031-03-05T17:02'))
  expect(await written()).toEqual([])
  expect(await sendReminders(world.db, at('2031-03-06T16:00'))).toBe(0)
})
