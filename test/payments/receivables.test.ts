import { listReceivables } from '../../src/payments/receivables.ts'
import { expirePayments, remindOfPayments } from '../../src/payments/rows.ts'
import { payments } from '../../src/platform/database/schema/payments.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  analyst,
  db,
  expectEmails,
  expectTrail,
  fixture,
  fromNow,
  inParallel,
  manager,
  openEach,
  runSql,
  sendJobs,
  sentAbout,
  setRow,
  storeRows,
} from '../kit/open.ts'
import { account, day, owing, prove, rowsOf, set, wordsOf } from '../kit/payments.ts'
import { expectAnswered, expectShown, expectWords, statusesOf, trailOf } from '../kit/reading.ts'

openEach(() => set(fixture, { spei: account }))
sendJobs()

const list = '/admin/payments/cobrar'
const office = () => fixture.under({ MODULES: 'payments' })
const page = (query = '') => office().visit(list + query, manager)
const remind = (paymentId: string, as = analyst) =>
  office().post(list, { intent: 'remind-payment', paymentId }, as)
const remindChosen = (ids: string[], as = analyst, at = list) =>
  office().post(
    at,
    { intent: 'remind-chosen', ...Object.fromEntries(ids.map((id) => [`row.${id}`, '1'])) },
    as,
  )
const ago = (days: number) => new Date(Date.now() - days * day)
/** A customer who owes a deposit of $5,000.00, due so many days ago. */
async function overdue(days: number, amount = 5_000_00) {
  const { customer, demand, projectId } = await owing()
  await setRow(payments, demand, { dueAt: ago(days), amount })
  return { customer, projectId, id: demand.id, folio: demand.folio }
}
type Debt = Awaited<ReturnType<typeof overdue>>
/** Another charge of the same customer. */
async function another({ customer, folio, projectId }: Debt, days: number) {
  const row = { folio: `${folio}-B`, customerId: customer.id, projectId, amount: 100_00, dueAt: ago(days) }
  const [charge] = await storeRows(payments, { ...row, concept: 'extra_work' })
  return charge!
}
const reminder = 'payment_reminder to customer'

test('lists who owes what since when, the longest overdue first, with the sum of each age', async () => {
  const ahead = await overdue(-3)
  const week = await overdue(2)
  const month = await overdue(12)
  const older = await overdue(50)
  const paid = await overdue(70)
  await prove(paid.customer, paid.projectId)
  const { ages, rows } = await listReceivables(db, analyst.actor, {}, new Date())
  expect(rows.map(({ folio }) => folio)).toEqual([older, month, week, ahead].map(({ folio }) => folio))
  expect(ages).toMatchObject(
    ['older', 'month', 'week', 'ahead'].map((age) => ({ age, amount: 5_000_00, count: 1 })),
  )
  const words = ['50 días', '12 días', 'En 3 días', '$20,000.00', 'Recordar']
  expectShown(await page(), 200, ...words, '#cobros"')
  const narrowed = await page('?age=month')
  expectShown(narrowed, 200, month.folio)
  for (const { folio } of [older, week, ahead]) expect(narrowed.text).not.toContain(folio)
  expectShown(await page('?age=nada'), 200, older.folio)
  await expectAnswered(fixture.data(list, manager), 404)
})

test('the office reminds a customer of a charge once a day, and the system does not repeat it', async () => {
  const { id } = await overdue(2)
  await expectAnswered(remind(id), 303)
  await expectEmails(id, [reminder])
  expect(await trailOf(fixture, id)).toContain('remind')
  expectShown(await remind(id, manager), 409, 'Hoy ya recibió un recordatorio de pago.')
  const shown = await page()
  expectShown(shown, 200, 'hace un momento')
  expect(shown.text).not.toContain('value="remind-payment"')
  expect(await remindOfPayments(db, new Date(`${new Date().toISOString().slice(0, 10)}T18:00:00Z`))).toBe(0)
  expect(await sentAbout(id)).toHaveLength(1)
})

test('reminds the customers of ticked charges once a day; the other charges state why not and stay ticked', async () => {
  const one = await overdue(20)
  const two = await overdue(10)
  const more = await another(one, 3)
  const gone = await overdue(5)
  await prove(gone.customer, gone.projectId)
  const answer = await remindChosen([one.id, more.id, two.id, gone.id])
  const refused = `${more.folio} : Hoy ya recibió un recordatorio`
  expectShown(answer, 200, '2 recordatorios enviados. Estos no:', refused, `${gone.folio} : `)
  expect(answer.text).toMatch(new RegExp(`<input[^>]*name="row.${more.id}"[^>]* checked`))
  expect(answer.text).not.toMatch(new RegExp(`<input[^>]*name="row.${two.id}"[^>]* checked`))
  for (const { id } of [one, two]) expect(await sentAbout(id)).toContain(reminder)
  await expectEmails(more.id, [])
  await expectAnswered(remind(more.id), 409)
  expectShown(await remindChosen([one.id, more.id]), 200, 'Ninguno se envió. Estos no:')
  expect((await page()).text).not.toContain('value="remind-payment"')
  expect(await sentAbout(one.id)).toHaveLength(1)
})

test('two of the office at once remind a customer once; a reminder of all ticked keeps the order of the list', async () => {
  const one = await overdue(20)
  const more = await another(one, 3)
  expect(await statusesOf(remindChosen([one.id]), remindChosen([more.id], manager))).toEqual([200, 303])
  expect([...(await sentAbout(one.id)), ...(await sentAbout(more.id))]).toEqual([reminder])
  const two = await overdue(2)
  const ordered = `${list}?order=amount`
  await expectAnswered(remindChosen([two.id], manager, ordered), 303, ordered)
})

test('refuses nothing ticked, unknown ids, and a charge in review', async () => {
  const { customer, id, projectId } = await overdue(2)
  expectShown(await remindChosen([]), 400, 'Marca al menos un pago.')
  await expectAnswered(remindChosen(['x']), 400)
  await prove(customer, projectId)
  await expectAnswered(remind(id), 409)
  await expectTrail(id, ['demand', 'send_proof'])
  expectShown(await page(), 200, 'Nadie debe nada')
})

test('orders the list by amount or date, either first', async () => {
  const small = await overdue(20)
  const large = await overdue(2, 9_000_00)
  const listed = async (order?: 'amount' | 'amount-reverse' | 'reverse') => {
    const { rows } = await listReceivables(db, analyst.actor, { order }, new Date())
    return rows.map(({ folio }) => folio)
  }
  expect(await listed()).toEqual([small.folio, large.folio])
  expect(await listed('reverse')).toEqual([large.folio, small.folio])
  expect(await listed('amount')).toEqual([large.folio, small.folio])
  expect(await listed('amount-reverse')).toEqual([small.folio, large.folio])
  expectShown(await page(), 200, `href="${list}?order=amount"`)
})

/** Ten in the morning in Mexico City, some days from a moment. */
const morning = (from: Date, days: number) =>
  new Date(`${new Date(from.getTime() + days * day).toISOString().slice(0, 10)}T16:00:00Z`)

test('a charge expires once after its time, not while its proof is in review, and a late proof is accepted', async () => {
  const { customer, demand, projectId } = await owing()
  const { expiresAt, id } = demand
  const rows = async () => wordsOf(await rowsOf(projectId))
  expect(await expirePayments(db, new Date(expiresAt!.getTime() - 1))).toBe(0)
  expect((await inParallel(3, () => expirePayments(db, expiresAt!))).toSorted()).toEqual([0, 0, 1])
  expect(await rows()).toEqual(['deposit expired 5000'])
  expect(await sentAbout(id)).toContain('payment_expired to customer')
  await expectAnswered(prove(customer, projectId, { paymentId: id, version: '2' }), 303)
  expect(await rows()).toEqual(['deposit in_review 5000'])
  expect(await expirePayments(db, fromNow(60 * day))).toBe(0)
})

test('a customer is reminded once of a charge due within a day, not by night', async () => {
  const { dueAt, id } = (await owing()).demand
  expect(await remindOfPayments(db, morning(dueAt!, -3))).toBe(0)
  const before = morning(dueAt!, 0)
  expect(await remindOfPayments(db, new Date(before.getTime() + 12 * 3_600_000))).toBe(0)
  expect((await inParallel(3, () => remindOfPayments(db, before))).toSorted()).toEqual([0, 0, 1])
  await expectEmails(id, [reminder])
})

test('the email of a charge states amount, date and account; once it is paid there is none, and no reminder', async () => {
  const { dueAt, folio, id } = (await owing()).demand
  const job = { letter: 'payment_due', paymentId: id, to: 'customer' } as const
  const [email] = await emailsOf(db, job)
  expect(email!.subject).toBe(`Ya puedes pagar tu anticipo (${folio})`)
  expectWords(email!.text, '$5,000.00', '646 180 15700000000 4', folio, 'https://carga.example/payments')
  await runSql`update payments set state = 'paid', method = 'cash', paid_at = now()`
  expect(await remindOfPayments(db, morning(dueAt!, 0))).toBe(0)
  expect(await emailsOf(db, job)).toEqual([])
  const [received] = await emailsOf(db, { ...job, letter: 'payment_received' })
  expect(received!.text).toContain('Efectivo')
})
