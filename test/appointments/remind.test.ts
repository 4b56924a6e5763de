import { sql } from 'drizzle-orm'
import { cancel } from '../../src/appointments/cancel.ts'
import { sendReminders } from '../../src/appointments/jobs.ts'
import type { EmailJob } from '../../src/platform/jobs/emails.ts'
import { type Visit, visitAtHome } from '../kit/appointments.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  customer,
  db,
  expectEmails,
  inParallel,
  manager,
  openEach,
  runSql,
  sendJobs,
  sentAbout,
  technician,
} from '../kit/open.ts'

openEach()
sendJobs()

const at = (text: string) => new Date(`${text}-06:00`)
const startsAt = at('2031-03-04T17:00')
const dayBefore = at('2031-03-03T17:01')
const hoursBefore = at('2031-03-04T15:01')

let visit: Visit
beforeEach(async () => {
  const input = { assigneeId: technician.id, timeSetAt: at('2031-02-01T12:00') }
  visit = await visitAtHome(customer, startsAt, input)
})

const change = (set: string) => db.execute(sql.raw(`update appointments set ${set}`))
const remind = (now: Date) => sendReminders(db, now)
async function written() {
  const { rows } = await runSql<{
    data: EmailJob
  }>`select data from pgboss.job where name = 'letter' and data ->> 'letter' like 'reminder%' order by created_on`
  return (await Promise.all(rows.map(({ data }) => emailsOf(db, data)))).flat()
}

test('reminds a day and two hours before, once each', async () => {
  expect(await remind(at('2031-03-03T16:59'))).toBe(0)
  expect((await inParallel(4, () => remind(dayBefore))).toSorted()).toEqual([0, 0, 0, 1])
  expect(await remind(hoursBefore)).toBe(1)
  expect(await remind(at('2031-03-04T16:00'))).toBe(0)
  await expectEmails(visit, ['reminder_24h to customer', 'reminder_2h to customer'])
  const { rows } = await runSql`select version from appointments`
  expect(rows).toEqual([{ version: visit.version }])
})

test.each([
  ['cancelled', `state = 'cancelled'`, 0],
  ['under way', `state = 'en_route'`, 0],
  ['without a technician', `state = 'requested', confirmed_at = null, assignee_id = null`, 0],
  ['with a provisional technician', `state = 'requested', confirmed_at = null`, 1],
])('reminds or not of a visit %s', async (_what, set, sent) => {
  await change(set)
  expect(await remind(dayBefore)).toBe(sent)
  expect(await sentAbout(visit)).toHaveLength(sent)
})

test('leaves a visit that is being changed to the next round', async () => {
  const other = await db.$client.connect()
  await other.query('begin')
  await other.query('select 1 from appointments for update')
  expect(await remind(dayBefore)).toBe(0)
  await other.query('commit')
  other.release()
  expect(await remind(dayBefore)).toBe(1)
})

test('sends nothing of a visit moved or cancelled meanwhile; the new time has its own reminders', async () => {
  await remind(dayBefore)
  await change(`starts_at = starts_at + interval '2 days', reminded_24h_at = null, reminded_2h_at = null`)
  expect(await written()).toEqual([])
  expect(await remind(at('2031-03-05T17:01'))).toBe(1)
  expect(await written()).toHaveLength(1)
  const input = { reason: 'otro' as const, note: 'Lo pidió por teléfono', version: visit.version }
  await cancel(db, manager.actor, visit.id, input, at('2031-03-05T17:02'))
  expect(await written()).toEqual([])
  expect(await remind(at('2031-03-06T16:00'))).toBe(0)
})
