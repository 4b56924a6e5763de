import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { listReceivables } from '../../src/server/payments/receivables.ts'
import { remindOfPayments } from '../../src/server/payments/rows.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { account, day, demandOf, owing, prove, set } from '../kit/payments.ts'
import { emailsAbout, expectWords, readable, trailOf } from '../kit/reading.ts'

openEach()
sendJobs()
beforeEach(() => set(world, { spei: account }))

const list = '/admin/payments/cobrar'
const office = () => world.under({ MODULES: 'payments' })
const page = async (query = '', as = people.manager) => readable(await office().visit(list + query, as))
const remind = (paymentId: string, as = people.analyst) =>
  office().post(list, { intent: 'remind-payment', paymentId }, as)
/** A customer who owes a deposit of $5,000.00, due so many days ago. */
async function overdue(days: number) {
  const { customer, demand, projectId } = await owing(world)
  const due = new Date(Date.now() - days * day)
  await world.db.execute(sql`update payments set due_at = ${due} where id = ${demand.id}`)
  return { customer, demand, projectId }
}

test('who owes what since when, the longest overdue first, with the sum of each age', async () => {
  const [ahead, week, month, older] = [
    await overdue(-3),
    await overdue(2),
    await overdue(12),
    await overdue(50),
  ]
  const paid = await overdue(70)
  await prove(world, paid.customer, paid.projectId)
  const { ages, rows } = await listReceivables(world.db, people.analyst.actor, {}, new Date())
  expect(rows.map(({ folio }) => folio)).toEqual(
    [older, month, week, ahead].map(({ demand }) => demand.folio),
  )
  expect(ages.map(({ age, amount, count }) => [age, amount, count])).toEqual(
    ['older', 'month', 'week', 'ahead'].map((age) => [age, 5_000_00, 1]),
  )
  expectWords(
    await page(),
    'Venció hace 50 días',
    'Venció hace 12 días',
    'Vence en 3 días',
    '$20,000.00',
    'Cobrar',
    'Recordar',
  )
  const narrowed = await page('?age=month')
  expect(narrowed).toContain(month.demand.folio)
  for (const { demand } of [older, week, ahead]) expect(narrowed).not.toContain(demand.folio)
  expect(await page('?age=nada')).toContain(older.demand.folio)
  expect(await page('', people.analyst)).toContain('Ver cuenta')
})

test('a customer is reminded of a charge once a day, and the system does not repeat it', async () => {
  const { demand } = await overdue(2)
  expect((await remind(demand.id)).status).toBe(303)
  expect(await emailsAbout(world, demand.id)).toEqual([
    'payment_due to customer',
    'payment_reminder to customer',
  ])
  expect(await trailOf(world, demand.id)).toContain('remind')
  const again = await remind(demand.id, people.manager)
  expect([again.status, readable(again).includes('Hoy ya se le recordó este pago')]).toEqual([409, true])
  const shown = await page()
  expect(shown).toContain('Recordado')
  expect((await office().visit(list, people.manager)).text).not.toContain('value="remind-payment"')
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T18:00:00Z`)
  expect(await remindOfPayments(world.db, noon)).toBe(0)
  expect(await emailsAbout(world, demand.id)).toHaveLength(2)
})

test('what is in review or paid is not reminded of, nor by others than the office', async () => {
  const { customer, demand, projectId } = await overdue(2)
  for (const who of [people.technician, people.gester, people.ally, people.customer])
    expect([403, 404]).toContain((await remind(demand.id, who)).status)
  await prove(world, customer, projectId)
  expect((await remind(demand.id)).status).toBe(409)
  expect((await demandOf(world, projectId))!.state).toBe('in_review')
  expect(await page()).toContain('Nadie debe nada')
  expect((await world.visit(list, people.manager)).status).toBe(404)
})
