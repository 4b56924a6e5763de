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
    'Recordar',
  )
  const narrowed = await page('?age=month')
  expect(narrowed).toContain(month.demand.folio)
  for (const { demand } of [older, week, ahead]) expect(narrowed).not.toContain(demand.folio)
  expect(await page('?age=nada')).toContain(older.demand.folio)
  expect((await office().visit(list, people.analyst)).text).toContain('#cobros"')
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
  expect([again.status, readable(again).includes('Hoy ya recibió un recordatorio de pago.')]).toEqual([
    409,
    true,
  ])
  const shown = await page()
  expect(shown).toContain('Recordatorio enviado')
  expect((await office().visit(list, people.manager)).text).not.toContain('value="remind-payment"')
  const noon = new Date(`${new Date().toISOString().slice(0, 10)}T18:00:00Z`)
  expect(await remindOfPayments(world.db, noon)).toBe(0)
  expect(await emailsAbout(world, demand.id)).toHaveLength(2)
})

const chosen = (...ids: string[]) => Object.fromEntries(ids.map((id) => [`row.${id}`, '1']))
const remindThem = (ids: string[], as = people.analyst) =>
  office().post(list, { intent: 'remind-chosen', ...chosen(...ids) }, as)
/** Another charge of the same customer. */
async function another({ demand }: Awaited<ReturnType<typeof overdue>>, days: number) {
  const due = new Date(Date.now() - days * day)
  const { rows } = await world.db.execute<{ id: string; folio: string }>(sql`
    insert into payments (folio, project_id, customer_id, concept, amount, due_at)
    select folio || '-B', project_id, customer_id, 'extra_work', 10000, ${due} from payments where id = ${demand.id}
    returning id, folio`)
  return rows[0]!
}

test('those ticked are reminded, each customer once a day, and each charge that is not says why', async () => {
  const [one, two] = [await overdue(20), await overdue(10)]
  const more = await another(one, 3)
  const gone = await overdue(5)
  await prove(world, gone.customer, gone.projectId)
  const answer = await remindThem([one.demand.id, more.id, two.demand.id, gone.demand.id])
  expect(answer.status).toBe(200)
  const words = readable(answer)
  expectWords(words, '2 recordatorios enviados. Estos no:', `${more.folio} : Hoy ya recibió un recordatorio`)
  expect(words).toContain(`${gone.demand.folio} : `)
  // What was left stays ticked; of the others the box is as new.
  expect(answer.text).toMatch(new RegExp(`<input[^>]*name="row.${more.id}"[^>]* checked`))
  expect(answer.text).not.toMatch(new RegExp(`<input[^>]*name="row.${two.demand.id}"[^>]* checked`))
  for (const { demand } of [one, two])
    expect(await emailsAbout(world, demand.id)).toContain('payment_reminder to customer')
  expect(await emailsAbout(world, more.id)).toEqual([])
  // Nor by the button of the row, which is gone, nor ticked once more.
  expect((await remind(more.id)).status).toBe(409)
  expectWords(readable(await remindThem([one.demand.id, more.id])), 'Ninguno se envió. Estos no:')
  expect((await office().visit(list, people.manager)).text).not.toContain('value="remind-payment"')
  expect(await emailsAbout(world, one.demand.id)).toHaveLength(2)
})

test('all ticked can be reminded, and the list stays as it was; two of the office at once remind a person once', async () => {
  const one = await overdue(20)
  const more = await another(one, 3)
  const answers = await Promise.all([remindThem([one.demand.id]), remindThem([more.id], people.manager)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 303])
  expect(
    [...(await emailsAbout(world, one.demand.id)), ...(await emailsAbout(world, more.id))].toSorted(),
  ).toEqual(['payment_due to customer', 'payment_reminder to customer'])
  const two = await overdue(2)
  const form = { intent: 'remind-chosen', ...chosen(two.demand.id) }
  const { location, status } = await office().post(`${list}?order=amount`, form, people.manager)
  expect([status, location]).toEqual([303, `${list}?order=amount`])
})

test('nothing ticked, or what is no charge, is refused', async () => {
  const { demand } = await overdue(2)
  expectWords(readable(await remindThem([])), 'Marca al menos un pago.')
  expect((await remindThem(['x'])).status).toBe(400)
  for (const who of [people.technician, people.customer])
    expect((await remindThem([demand.id], who)).status).toBe(403)
  expect(await emailsAbout(world, demand.id)).toEqual(['payment_due to customer'])
})

test('the list is ordered by what is owed too, largest or smallest first, or the latest due first', async () => {
  const [small, large] = [await overdue(20), await overdue(2)]
  await world.db.execute(sql`update payments set amount = 900000 where id = ${large.demand.id}`)
  const listed = async (order?: 'amount' | 'amount-reverse' | 'reverse') => {
    const { rows } = await listReceivables(world.db, people.analyst.actor, { order }, new Date())
    return rows.map(({ folio }) =>
      folio === large.demand.folio ? 'large' : folio === small.demand.folio ? 'small' : folio,
    )
  }
  expect(await listed()).toEqual(['small', 'large'])
  expect(await listed('reverse')).toEqual(['large', 'small'])
  expect(await listed('amount')).toEqual(['large', 'small'])
  expect(await listed('amount-reverse')).toEqual(['small', 'large'])
  expect((await office().visit(list, people.manager)).text).toContain(`href="${list}?order=amount"`)
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
