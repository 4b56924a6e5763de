import { randomUUID } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { figurePeriodOf } from '../../src/domain/projects/figures.ts'
import { listPayments } from '../../src/server/payments/queries.ts'
import { ledgerFactsOf } from '../../src/server/payments/rows.ts'
import { bankLines, bankStatements, payments } from '../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { officeFigures } from '../../src/server/projects/figures.ts'
import { quoteFigures } from '../../src/server/quotes/figures.ts'
import { emailsOf } from '../kit/delivered.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import {
  acceptQuote,
  demandOf,
  office,
  prove,
  refundsOf,
  rowsOf,
  sendForm,
  set,
  account as spei,
  today,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout, expectWords, readable, rowIn, rowsIn } from '../kit/reading.ts'

openEach()
sendJobs()

type Form = Record<string, string>
let home: Home
beforeEach(async () => {
  home = await world.home(people.customer)
  await set(world, { spei })
  await acceptQuote(world, people.customer, home)
})

const post = (form: Form, as = people.manager) => sendForm(world, office(home.projectId), form, as)
const rows = async () => wordsOf(await rowsOf(world, home.projectId))
const sums = async () => (await ledgerFactsOf(world.db, home.projectId)).ledger
const depositPaid = async () => (await rowIn(world, projects, { id: home.projectId }))!.depositPaidAt
const rowOf = async (folio: number) =>
  (await world.db.select().from(payments).orderBy(asc(payments.createdAt), asc(payments.id)))[folio]!

/** The form of a proof that came in review, with so much typed. */
async function confirming(amount: string, more: Form = {}) {
  const [row] = await rowsIn(world, payments, { state: 'in_review' })
  const seen = { paymentId: row!.id, version: String(row!.version) }
  return { intent: 'confirm-proof', ...seen, amount, paidOn: today(), ...more }
}
const recording = (amount: string, more: Form = {}) => ({
  intent: 'record-payment',
  requestKey: randomUUID(),
  paymentId: '',
  amount,
  method: 'cash',
  paidOn: today(),
  bank: '',
  trackingKey: '',
  note: '',
  ...more,
})

describe('an amount that is not what was asked for', () => {
  beforeEach(async () => {
    await prove(world, people.customer, home.projectId)
  })

  test('is booked only once what it leaves to pay was said, with everything typed kept', async () => {
    const first = await post(await confirming('4,800'), people.analyst)
    expect([first.status, readable(first).includes('Faltan $200.00')]).toEqual([409, true])
    expect(first.text).toContain('value="4,800"')
    expect(readable(first)).toContain('Sí, registrar $4,800.00')
    expect(await rows()).toEqual(['deposit in_review 5000'])
    // The second press of another amount is none of this one.
    const other = await confirming('4,900', { sure: '480000' })
    expect((await post(other, people.analyst)).status).toBe(409)
    expect((await post(await confirming('4,800', { sure: '480000' }), people.analyst)).status).toBe(303)
    expect(await rows()).toEqual(['deposit paid 4800', 'deposit pending 200'])
  })

  test('more than was asked for, and still owed, says that it goes to the balance', async () => {
    const answer = await post(await confirming('7,000'))
    expect([answer.status, readable(answer).includes('Son $2,000.00 más de lo que se pidió')]).toEqual([
      409,
      true,
    ])
    expect((await post(await confirming('7,000', { sure: '700000' }))).status).toBe(303)
  })

  test('typed a hundredfold is above all that is owed: it has to be typed twice', async () => {
    const first = await post(await confirming('500000'), people.analyst)
    expect([first.status, readable(first).includes('Son $490,000.00 más de todo lo que debe')]).toEqual([
      409,
      true,
    ])
    expect(readable(first)).toContain('Escribe otra vez la cantidad')
    for (const more of [{ sure: '50000000' }, { again: '5000' }, { again: 'mucho' }])
      expect((await post(await confirming('500000', more), people.analyst)).status).toBe(409)
    expect(await rows()).toEqual(['deposit in_review 5000'])
    expect(await refundsOf(world, home.projectId)).toEqual([])
  })

  test('as it was asked for needs nothing more: it stands in its field', async () => {
    expect((await world.visit(office(home.projectId), people.analyst)).text).toContain('value="5000.00"')
    expect((await post(await confirming('5000.00'), people.analyst)).status).toBe(303)
  })

  test('as it was asked for, and no longer owed, says so before the one press books it', async () => {
    expect((await post(recording('10,000'))).status).toBe(303)
    const { amount: _, ...whole } = await confirming('', { intent: 'confirm-whole-proof' })
    const first = await post(whole, people.analyst)
    expect([first.status, readable(first).includes('Ya no debe $5,000.00 de esa cantidad')]).toEqual([
      409,
      true,
    ])
    expect(readable(first)).toContain('Sí, registrar $5,000.00')
    expect(await rows()).toEqual(['deposit in_review 5000', 'balance paid 10000'])
    expect((await post({ ...whole, sure: '500000' }, people.analyst)).status).toBe(303)
    expect(await refundsOf(world, home.projectId)).toMatchObject([{ state: 'requested', amount: 5_000_00 }])
  })

  test('written down by hand is asked the same', async () => {
    expect((await post(recording('1,000,000'))).status).toBe(409)
    const form = recording('12,000')
    expect((await post(form)).status).toBe(409)
    for (let time = 0; time < 2; time++) expect((await post({ ...form, again: '12000' })).status).toBe(303)
    expect((await rows()).filter((row) => row.includes('balance'))).toEqual(['balance paid 12000'])
  })
})

const correcting = (row: { id: string; version: number }, amount: string, more: Form = {}) => ({
  intent: 'correct-payment',
  paymentId: row.id,
  version: String(row.version),
  amount,
  reason: 'Se tecleó sin el punto.',
  ...more,
})

describe('a payment that was booked a hundredfold', () => {
  beforeEach(async () => {
    await prove(world, people.customer, home.projectId)
    await post(await confirming('500000', { again: '500000' }), people.analyst)
  })

  test('is taken back by rows of its own; receipt, refund, figures and its customer follow', async () => {
    expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 495000'])
    expect(await refundsOf(world, home.projectId)).toMatchObject([{ state: 'requested', amount: 490_000_00 }])
    const [first, excess] = [await rowOf(0), await rowOf(1)]
    const page = readable(await world.visit(office(home.projectId), people.manager))
    expectWords(page, `Corregir este pago (${first.folio})`, 'Está registrado de $500,000.00')
    expect(page).not.toContain(`Corregir este pago (${excess.folio})`)
    const form = correcting(first, '5000')
    for (let time = 0; time < 2; time++) expect((await post(form)).status).toBe(303)
    expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 495000', 'balance paid -495000'])
    expect(await sums()).toMatchObject({ paid: 5_000_00, refunded: 0, owed: 5_000_00, credit: 0 })
    expect(await depositPaid()).not.toBeNull()
    expect(await refundsOf(world, home.projectId)).toMatchObject([
      { state: 'refused', refusedReason: 'Ya no hay saldo a tu favor.' },
    ])
    expect(await emailsAbout(world, excess.id)).toContain('payment_corrected to customer')
    expect((await world.visit(`/papers/receipt/${excess.id}.pdf`, people.customer)).status).toBe(404)
    expect((await world.visit(`/papers/receipt/${first.id}.pdf`, people.customer)).status).toBe(200)
    const own = readable(await world.visit('/payments', people.customer))
    expect(own).toContain('Corrección')
    expectWords(own, 'Retirado', 'Ya no hace falta')
    const { totals } = await listPayments(world.db, people.manager.actor, {})
    expect(totals).toMatchObject({ received: 5_000_00, refunded: 0 })
    const [letter] = await emailsOf(world.db, {
      letter: 'payment_corrected',
      paymentId: excess.id,
      to: 'customer',
    })
    const [refund] = await refundsOf(world, home.projectId)
    expectWords(
      letter!.text,
      'no se te cobró nada',
      'Habíamos registrado',
      '$495,000.00',
      `El reembolso ${refund!.folio} se cancela`,
      'Se tecleó sin el punto.',
    )
  })

  test('of a month that is over changes nothing of it: the correction counts in this month', async () => {
    const last = Temporal.PlainDate.from(today()).with({ day: 1 }).subtract({ days: 1 }).toString()
    expect((await post(recording('700', { paidOn: last, again: '700' }))).status).toBe(303)
    const wrong = (await rowsIn(world, payments, { amount: 700_00 }))[0]!
    const months = async () => {
      const [period, when] = [figurePeriodOf('mes', today()), new Date()]
      const { income } = (await officeFigures(world.db, people.manager.actor, period, when))!
      const chart = await quoteFigures(world.db, people.manager.actor, {}, when)
      const charted = (month: string) => chart.months.find((one) => one.month === month)!.paid
      return [
        ...income!.trend.slice(-2).map(({ received }) => received),
        charted(last.slice(0, 7)),
        charted(today().slice(0, 7)),
      ]
    }
    const [, open] = await months()
    expect(await months()).toEqual([700_00, open, 700_00, open])
    expect((await post(correcting(wrong, '70', { again: '70' }))).status).toBe(303)
    expect(await months()).toEqual([700_00, open! - 630_00, 700_00, open! - 630_00])
    // What is about the day itself keeps it.
    const day = new Date(wrong.paidAt!)
    for (const amount of [-700_00, 70_00])
      expect(await rowsIn(world, payments, { amount })).toMatchObject([
        { paidAt: day, countsAt: expect.any(Date) },
      ])
    // What was corrected in this month and is corrected again still counts here.
    const [anew] = await rowsIn(world, payments, { amount: 70_00 })
    expect((await post(correcting(anew!, '0'))).status).toBe(303)
    expect(await months()).toEqual([700_00, open! - 700_00, 700_00, open! - 700_00])
  })

  test('of another day or method is one act: a row takes it back, and one has what was wrong', async () => {
    const yesterday = Temporal.PlainDate.from(today()).subtract({ days: 1 }).toString()
    const [before, tracked] = [await rows(), await rowOf(0)]
    const as = { paidOn: today(), method: 'spei' }
    expect((await post(correcting(tracked, '500000', as))).status).toBe(400)
    expect(await rows()).toEqual(before)
    const form = correcting(tracked, '5000', { paidOn: yesterday, method: 'terminal' })
    for (let time = 0; time < 2; time++) expect((await post(form)).status).toBe(303)
    expect(await sums()).toMatchObject({ paid: 5_000_00, owed: 5_000_00 })
    const standing = (await rowsOf(world, home.projectId)).filter(
      ({ reversedAt, reversesId, state }) => state === 'paid' && !reversedAt && !reversesId,
    )
    expect(wordsOf(standing)).toEqual(['deposit paid 5000'])
    expect(standing).toMatchObject([
      { method: 'terminal', trackingKey: null, paidAt: new Date(`${yesterday}T18:00:00Z`) },
    ])
    // The same amount again, of another day.
    const again = correcting(standing[0]!, '5000', {
      paidOn: today(),
      method: 'terminal',
      reason: 'Fue hoy.',
    })
    expect((await post(again)).status).toBe(303)
    expect(await sums()).toMatchObject({ paid: 5_000_00, owed: 5_000_00 })
  })

  test('leaves figures, charts and files as if it had never been: what counts is what came', async () => {
    const first = await rowOf(0)
    const month = today().slice(0, 7)
    const chart = async () => {
      const { months } = await quoteFigures(world.db, people.manager.actor, {}, new Date())
      return months.find((one) => one.month === month)
    }
    const before = await chart()
    expect(before).toMatchObject({ paid: 500_000_00 })
    expect((await post(correcting(first, '0'))).status).toBe(303)
    expect(await chart()).toEqual({ ...before, paid: 0 })
    expect(await depositPaid()).toBeNull()
    const period = figurePeriodOf('mes', today())
    const { days, income } = (await officeFigures(world.db, people.manager.actor, period, new Date()))!
    expect(days.stages.find(({ stage }) => stage === 'deposit')!.now).toMatchObject({ count: 0 })
    expect(income!.now).toMatchObject({ received: 0, returned: 0 })
    const file = (await world.under({ MODULES: 'payments' }).visit('/admin/payments.csv', people.manager))
      .text
    const lines = file.split('\r\n').filter((line) => line.includes('PAG-'))
    const sum = (state: string) =>
      lines
        .filter((line) => line.includes(state))
        .reduce((all, line) => all + Number(/(-?\d+\.\d\d)/.exec(line)![1]), 0)
    expect([sum('Corregido'), sum('Corrección'), sum('Pagado')]).toEqual([500_000, -500_000, 0])
    expect((await post(recording('5000'))).status).toBe(303)
    expect(await chart()).toEqual({ ...before, paid: 5_000_00 })
  })

  test('is booked anew where its first row was wrong, too, under the same key', async () => {
    const first = await rowOf(0)
    const second = await post(correcting(first, '4,000'))
    expect([second.status, readable(second).includes('Faltan $1,000.00')]).toEqual([409, true])
    expect(await rows()).toHaveLength(2)
    expect((await post(correcting(first, '4,000', { sure: '400000' }))).status).toBe(303)
    expect((await rows()).slice(2).toSorted()).toEqual([
      'balance paid -495000',
      'deposit paid -5000',
      'deposit paid 4000',
      'deposit pending 1000',
    ])
    const anew = (await rowsOf(world, home.projectId)).find(({ amount }) => amount === 4_000_00)!
    expect([anew.trackingKey, anew.bank]).toEqual([first.trackingKey, first.bank])
    expect(await depositPaid()).toBeNull()
    expect(await sums()).toMatchObject({ paid: 4_000_00, owed: 6_000_00, demanded: 1_000_00 })
  })

  test('that never came is asked for again, and may be paid and proved under that key', async () => {
    expect((await post(correcting(await rowOf(0), '0'))).status).toBe(303)
    expect((await demandOf(world, home.projectId))!.amount).toBe(5_000_00)
    expect(await sums()).toMatchObject({ paid: 0, owed: 10_000_00, credit: 0 })
    expect((await prove(world, people.customer, home.projectId)).status).toBe(303)
    const trail = await world.db.execute(sql`select reason from events where name = 'reverse'`)
    expect(trail.rows).toHaveLength(2)
  })

  test('is corrected by the manager alone, with a reason, once', async () => {
    const first = await rowOf(0)
    for (const who of [people.analyst, people.technician, people.gester, people.ally, people.customer])
      expect([403, 404]).toContain((await post(correcting(first, '0'), who)).status)
    expect((await post(correcting(first, '0', { reason: '' }))).status).toBe(400)
    expect((await post(correcting(first, '500,000'))).status).toBe(400)
    expect((await post({ ...correcting(first, '0'), version: '1' })).status).toBe(409)
    const forms = [correcting(first, '0'), correcting(first, '0', { reason: 'Otra razón.' })]
    const answers = await Promise.all(forms.map((form) => post(form)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect((await rowsOf(world, home.projectId)).filter(({ reversesId }) => reversesId)).toHaveLength(2)
    await expect(
      world.db.update(payments).set({ reversedAt: null }).where(eq(payments.id, first.id)),
    ).rejects.toMatchObject({ cause: { constraint: 'payments_frozen' } })
  })

  test('not while its refund is on the way: that is said first', async () => {
    const [refund] = await refundsOf(world, home.projectId)
    const seen = { refundId: refund!.id, version: String(refund!.version) }
    const account = { clabe: '032180000118359719', beneficiary: 'Camila Prueba' }
    const approve = { intent: 'approve-refund', ...seen, materials: '0', sourceId: '', ...account }
    expect((await post(approve)).status).toBe(303)
    const answer = await post(correcting(await rowOf(0), '5000'))
    expect([answer.status, readable(answer).includes('Su reembolso ya está aprobado')]).toEqual([409, true])
    expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 495000'])
  })

  test('frees the movement of the bank that it was tied to', async () => {
    const first = await rowOf(0)
    const [file] = await world.db
      .insert(bankStatements)
      .values({
        name: 'banco.csv',
        sha256: 'a'.repeat(64),
        head: 0,
        headWords: 'x',
        readAt: new Date(),
        columns: {} as never,
        uploadedBy: people.manager.id,
      })
      .returning()
    await world.db.insert(bankLines).values({
      statementId: file!.id,
      hash: 'h',
      rowNumber: 1,
      bookedOn: today(),
      amount: 5_000_00,
      description: 'SPEI',
      reference: '',
      state: 'recorded',
      paymentId: first.id,
      decidedBy: people.manager.id,
      decidedAt: new Date(),
    })
    expect((await post(correcting(first, '0'))).status).toBe(303)
    expect(await world.db.select().from(bankLines)).toMatchObject([{ state: 'open', paymentId: null }])
  })
})

test('cash is corrected like a transfer; what the cards’ provider tells is not', async () => {
  await post(recording('1500'))
  const cash = (await rowsOf(world, home.projectId)).at(-1)!
  expect((await post(correcting(cash, '150'))).status).toBe(303)
  expect((await rows()).slice(1)).toEqual(['balance paid 1500', 'balance paid -1500', 'balance paid 150'])
  const [made] = await world.db
    .insert(payments)
    .values({
      folio: 'PAG-PRUEBA',
      projectId: home.projectId,
      customerId: people.customer.id,
      concept: 'balance',
      amount: 100_00,
      method: 'card',
      state: 'paid',
      paidAt: new Date(),
      cardReference: 'pi_x',
    })
    .returning()
  const answer = await post(correcting(made!, '0'))
  expect([answer.status, readable(answer).includes('lo dice Stripe')]).toEqual([409, true])
})
