import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { EmailJob } from '../../src/server/notifications/jobs.ts'
import { expirePayments, remindOfPayments } from '../../src/server/payments/rows.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { acceptQuote, account, day, demandOf, prove, rowsOf, set, wordsOf } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout, expectAnswered, expectWords } from '../kit/reading.ts'

let home: Home
openEach(async () => {
  home = await world.home(people.customer)
  await acceptQuote(world, people.customer, home)
  await set(world, { spei: account })
})
sendJobs()

const demand = async () => (await demandOf(world, home.projectId))!
const rows = async () => wordsOf(await rowsOf(world, home.projectId))
/** Ten in the morning in Mexico City, some days from a moment. */
const morning = (from: Date, days: number) => {
  const at = new Date(from.getTime() + days * day)
  return new Date(`${at.toISOString().slice(0, 10)}T16:00:00Z`)
}

test('a charge expires once after its time, not while its proof is in review, and a late proof is accepted', async () => {
  const { expiresAt, id } = await demand()
  expect(await expirePayments(world.db, new Date(expiresAt!.getTime() - 1))).toBe(0)
  const ends = await Promise.all([1, 2, 3].map(() => expirePayments(world.db, expiresAt!)))
  expect(ends.toSorted()).toEqual([0, 0, 1])
  expect(await rows()).toEqual(['deposit expired 5000'])
  expect(await emailsAbout(world, id)).toContain('payment_expired to customer')
  const late = { paymentId: id, version: '2' }
  await expectAnswered(prove(world, people.customer, home.projectId, late), 303)
  expect(await rows()).toEqual(['deposit in_review 5000'])
  expect(await expirePayments(world.db, new Date(Date.now() + 60 * day))).toBe(0)
})

test('a customer is reminded once of a charge due within a day, not by night', async () => {
  const { dueAt, id } = await demand()
  expect(await remindOfPayments(world.db, morning(dueAt!, -3))).toBe(0)
  const before = morning(dueAt!, 0)
  expect(await remindOfPayments(world.db, new Date(before.getTime() + 12 * 3_600_000))).toBe(0)
  const rounds = await Promise.all([1, 2, 3].map(() => remindOfPayments(world.db, before)))
  expect(rounds.toSorted()).toEqual([0, 0, 1])
  expect(await emailsAbout(world, id)).toEqual(['payment_due to customer', 'payment_reminder to customer'])
})

test('nobody is reminded of a paid charge', async () => {
  const { dueAt } = await demand()
  await world.db.execute(sql`update payments set state = 'paid', method = 'cash', paid_at = now()`)
  expect(await remindOfPayments(world.db, morning(dueAt!, 0))).toBe(0)
})

const written = (job: EmailJob) => emailsOf(world.db, job)

test('the email of a charge states amount, date and account, and is not sent once it is paid', async () => {
  const { folio, id } = await demand()
  const job = { letter: 'payment_due', paymentId: id, to: 'customer' } as const
  const [email] = await written(job)
  expect(email!.subject).toBe(`Ya puedes pagar tu anticipo (${folio})`)
  expectWords(email!.text, '$5,000.00', '646 180 15700000000 4', folio, 'https://carga.example/payments')
  await world.db.execute(sql`update payments set state = 'paid', method = 'cash', paid_at = now()`)
  expect(await written(job)).toEqual([])
  const [received] = await written({ ...job, letter: 'payment_received' })
  expect(received!.text).toContain('Efectivo')
})
