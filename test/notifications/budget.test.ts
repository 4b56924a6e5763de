import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { sendAccountEmail } from '../../src/notifications/send.ts'
import type { OutgoingEmail } from '../../src/notifications/transport.ts'
import { users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import type { EmailJob } from '../../src/platform/jobs/emails.ts'
import { runWithContext } from '../../src/platform/telemetry/log.ts'
import { storeVisit } from '../kit/appointments.ts'
import { deliver, emailEnv, openedJob } from '../kit/delivered.ts'
import { fixture, openEach, people, sendJobs } from '../kit/open.ts'
import { setIn } from '../kit/reading.ts'

openEach()
sendJobs()

const soon = new Date(Date.now() + 20 * 86_400_000)

/** Sends an e-mail so many times, each a job of its own, and answers the mailboxes written to. */
async function sendMany(count: number, job: EmailJob, by?: string) {
  const sent: OutgoingEmail[] = []
  const transport = { send: async (email: OutgoingEmail) => void sent.push(email) }
  for (let n = 0; n < count; n++)
    await runWithContext(by ? { by } : {}, () => deliver(fixture.db, emailEnv, transport, job, randomUUID()))
  return sent.map(({ to }) => to)
}

async function bookedVisit() {
  const home = await fixture.home(people.customer)
  const visit = await storeVisit(fixture, people.customer, home, soon, { state: 'requested' })
  return { visit, booked: { letter: 'booked', appointmentId: visit.id, to: 'customer' } as const }
}

const gathering = async () => {
  const { rows } = await fixture.db.execute<{ id: string; data: object }>(
    sql`select id, data from pgboss.job where name = 'account-letter' and data ->> 'letter' = 'gathered'`,
  )
  return rows
}

test('ten an hour by a customer’s acts reach a mailbox, the others are told in one e-mail', async () => {
  const { booked } = await bookedVisit()
  const { email, id } = people.customer
  expect(await sendMany(14, booked, id)).toEqual(Array(10).fill(email))
  const [job, ...more] = await gathering()
  expect(more).toEqual([])
  const sent: OutgoingEmail[] = []
  const transport = { send: async (one: OutgoingEmail) => void sent.push(one) }
  await sendAccountEmail(fixture.db, emailEnv, transport, openedJob(job!.data) as never, job!.id)
  expect(sent).toMatchObject([
    { to: email, text: expect.stringContaining('Tu cita quedó agendada: 4 veces') },
  ])
})

test('twenty a day, whatever accounts cause them', async () => {
  const { booked } = await bookedVisit()
  const { customer, technician } = people
  expect(await sendMany(1, booked, customer.id)).toHaveLength(1)
  await fixture.db.execute(sql`insert into outward (id, receiver, reader_id, caused_by, kind, at)
    select 'earlier ' || n, receiver, reader_id, ${technician.id}, kind, now() - interval '3 hours'
    from outward, generate_series(1, 15) n`)
  expect(await sendMany(8, booked, customer.id)).toHaveLength(4)
})

test('what the office causes, receipts and what is about today are never held back', async () => {
  const { booked, visit } = await bookedVisit()
  const { id } = people.customer
  expect(await sendMany(12, booked)).toHaveLength(12)
  await sendMany(10, booked, id)
  expect(await sendMany(1, booked, id)).toEqual([])
  await setIn(fixture, appointments, visit, { startsAt: new Date(Date.now() + 60_000) })
  expect(await sendMany(3, booked, id)).toHaveLength(3)
  await setIn(fixture, appointments, visit, { state: 'done', outcome: 'completed', finishedAt: new Date() })
  const reported = { letter: 'fault_received', appointmentId: visit.id, to: 'customer' } as const
  expect(await sendMany(1, reported)).toHaveLength(1)
  expect(await sendMany(1, reported, id)).toEqual([])
})

test('what a braked account causes to others is gathered from the first, and its own e-mails go', async () => {
  const { booked } = await bookedVisit()
  const { customer, customer2 } = people
  for (const one of [customer, customer2])
    await setIn(fixture, users, one, { brakedUntil: new Date(Date.now() + 60_000) })
  expect(await sendMany(2, booked, customer2.id)).toEqual([])
  expect(await gathering()).toHaveLength(1)
  expect(await sendMany(1, booked, customer.id)).toEqual([customer.email])
})
