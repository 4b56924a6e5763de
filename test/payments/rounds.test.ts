import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import type { EmailJob } from '../../src/server/notifications/jobs.ts'
import { expirePayments, remindOfPayments } from '../../src/server/payments/rows.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { acceptQuote, account, day, demandOf, prove, rowsOf, set, wordsOf } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout } from '../kit/reading.ts'

openEach()
sendJobs()

let home: Home
beforeEach(async () => {
  home = await world.home(people.customer)
  await acceptQuote(world, people.customer, home)
  await set(world, { spei: account })
})

const demand = async () => (await demandOf(world, home.projectId))!
const rows = async () => wordsOf(await rowsOf(world, home.projectId))
/** Ten in the morning in Mexico City, some days from a moment. */
const morning = (from: Date, days: number) => {
  const at = new Date(from.getTime() + days * day)
  return new Date(`${at.toISOString().slice(0, 10)}T16:00:00Z`)
}

test('a demand ends once when its time is over, and a late proof of it is still taken', async () => {
  const { expiresAt, id } = await demand()
  expect(await expirePayments(world.db, new Date(expiresAt!.getTime() - 1))).toBe(0)
  const ends = await Promise.all([1, 2, 3].map(() => expirePayments(world.db, expiresAt!)))
  expect(ends.reduce((a, b) => a + b, 0)).toBe(1)
  expect(await rows()).toEqual(['deposit expired 5000'])
  expect(await emailsAbout(world, id)).toContain('payment_expired to customer')
  const late = await prove(world, people.customer, home.projectId, { paymentId: id, version: '2' })
  expect(late.status).toBe(303)
  expect(await rows()).toEqual(['deposit in_review 5000'])
})

test('one whose proof is being looked at does not end', async () => {
  await prove(world, people.customer, home.projectId)
  expect(await expirePayments(world.db, new Date(Date.now() + 60 * day))).toBe(0)
})

test('what is due within a day is reminded of once, and not by night', async () => {
  const { dueAt, id } = await demand()
  expect(await remindOfPayments(world.db, morning(dueAt!, -3))).toBe(0)
  const before = morning(dueAt!, 0)
  expect(await remindOfPayments(world.db, new Date(before.getTime() + 12 * 3_600_000))).toBe(0)
  const rounds = await Promise.all([1, 2, 3].map(() => remindOfPayments(world.db, before)))
  expect(rounds.reduce((a, b) => a + b, 0)).toBe(1)
  expect(await emailsAbout(world, id)).toEqual(['payment_due to customer', 'payment_reminder to customer'])
})

test('nobody is reminded of what was paid', async () => {
  const { dueAt } = await demand()
  await world.db.execute(sql`update payments set state = 'paid', method = 'cash', paid_at = now()`)
  expect(await remindOfPayments(world.db, morning(dueAt!, 0))).toBe(0)
})

const written = (job: EmailJob) => emailsOf(world.db, job)

test('the letter of a demand says how much, until when and where to; once paid, it is not sent', async () => {
  const { folio, id } = await demand()
  const data = { letter: 'payment_due', paymentId: id, to: 'customer' } as const
  const [letter] = await written(data)
  expect(letter).toMatchObject({
    to: people.customer.email,
    subject: `Ya puedes pagar tu anticipo (${folio})`,
  })
  for (const words of ['$5,000.00', '646 180 15700000000 4', folio, 'https://carga.example/payments'])
    expect(letter!.text).toContain(words)
  await world.db.execute(sql`update payments set state = 'paid', method = 'cash', paid_at = now()`)
  expect(await written(data)).toEqual([])
  expect((await written({ letter: 'payment_received', paymentId: id, to: 'customer' }))[0]?.text).toContain(
    'Efectivo',
  )
})

test('of a proof the managers hear, with the way to it; that the installation can be booked, its customer', async () => {
  await prove(world, people.customer, home.projectId)
  const { id } = await demand()
  const [letter, ...more] = await written({ letter: 'proof_received', paymentId: id, to: 'managers' })
  expect([letter!.to, more]).toEqual([people.manager.email, []])
  expect(letter!.text).toContain('/admin/cotizations/detail-quote/')
  const ready = { letter: 'installation_ready', projectId: home.projectId, to: 'customer' } as const
  expect(await written(ready)).toEqual([])
  await world.db.execute(sql`update projects set deposit_paid_at = now()`)
  expect((await written(ready))[0]?.text).toContain('/agenda-installation')
})
