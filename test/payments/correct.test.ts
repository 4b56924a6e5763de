import { asc } from 'drizzle-orm'
import { officeFigures } from '../../src/customers/figures.ts'
import { quoteMonthFigures } from '../../src/customers/quote-figures.ts'
import { figurePeriodOf } from '../../src/customers/rules/figures.ts'
import { listPayments } from '../../src/payments/queries.ts'
import { ledgerFactsOf } from '../../src/payments/rows.ts'
import { bankLines, bankStatements, payments } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  analyst,
  customer,
  db,
  eventsAbout,
  expectRowsIn,
  expectScreen,
  fixture,
  manager,
  openEach,
  rowsWhere,
  rowWhere,
  sendJobs,
  sentAbout,
  setRow,
  storeRows,
} from '../kit/open.ts'
import {
  acceptQuote,
  confirming,
  demandOf,
  office,
  prove,
  recording,
  refundsOf,
  rowsOf,
  set,
  account as spei,
  today,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import {
  expectAnswered,
  expectShown,
  expectTwice,
  expectWords,
  readable,
  statusesOf,
} from '../kit/reading.ts'

type Form = Record<string, string>
let home: Home
openEach(async () => {
  home = await fixture.home(customer)
  await set(fixture, { spei })
  await acceptQuote(customer, home)
})
sendJobs()

const post = (form: Form, as = manager) => fixture.post(office(home.projectId), form, as)
const rows = async () => wordsOf(await rowsOf(home.projectId))
const sums = async () => (await ledgerFactsOf(db, home.projectId)).ledger
const depositPaid = async () => (await rowWhere(projects, { id: home.projectId }))!.depositPaidAt
const firstRow = async () =>
  (await db.select().from(payments).orderBy(asc(payments.createdAt), asc(payments.id)))[0]!
const refunds = () => refundsOf(home.projectId)

/** Confirms the proof in review with an amount. */
async function confirm(amount: string, more: Form = {}) {
  const [row] = await rowsWhere(payments, { state: 'in_review' })
  return post(confirming(row!, amount, more), analyst)
}

describe('an amount other than asked for', () => {
  beforeEach(() => prove(customer, home.projectId))

  test('is booked once what it leaves to pay is confirmed, with everything typed kept', async () => {
    expectShown(await confirm('4,800'), 409, 'Faltan $200.00', 'value="4,800"', 'Sí, registrar $4,800.00')
    expect(await rows()).toEqual(['deposit in_review 5000'])
    // The confirmation of another amount does not count.
    await expectAnswered(confirm('4,900', { sure: '480000' }), 409)
    await expectAnswered(confirm('4,800', { sure: '480000' }), 303)
    expect(await rows()).toEqual(['deposit paid 4800', 'deposit pending 200'])
  })

  test('has to be typed twice above all that is owed', async () => {
    const words = ['Son $490,000.00 más de todo lo que debe', 'Escribe otra vez la cantidad']
    expectShown(await confirm('500000'), 409, ...words)
    for (const more of [{ sure: '50000000' }, { again: '5000' }, { again: 'mucho' }])
      await expectAnswered(confirm('500000', more), 409)
    expect(await rows()).toEqual(['deposit in_review 5000'])
    expect(await refunds()).toEqual([])
  })

  test('needs no confirmation where it is the amount asked for, unless it is no longer owed', async () => {
    await expectScreen(office(home.projectId), analyst, 'value="5000.00"')
    await expectAnswered(post(recording('1,000,000')), 409)
    const balance = recording('10,000')
    await expectTwice(() => post(balance))
    const whole = { intent: 'confirm-whole-proof' }
    expectShown(
      await confirm('', whole),
      409,
      'Ya no debe $5,000.00 de esa cantidad',
      'Sí, registrar $5,000.00',
    )
    expect(await rows()).toEqual(['deposit in_review 5000', 'balance paid 10000'])
    await expectAnswered(confirm('', { ...whole, sure: '500000' }), 303)
    expect(await refunds()).toMatchObject([{ state: 'requested', amount: 5_000_00 }])
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

describe('a payment booked a hundredfold', () => {
  beforeEach(async () => {
    await prove(customer, home.projectId)
    await confirm('500000', { again: '500000' })
  })

  test('is reversed by rows of its own; receipt, refund, figures and the page of the customer follow', async () => {
    expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 495000'])
    expect(await refunds()).toMatchObject([{ state: 'requested', amount: 490_000_00 }])
    const [first, excess] = await rowsOf(home.projectId)
    const page = readable(await fixture.visit(office(home.projectId), manager))
    expectWords(page, `Corregir este pago (${first!.folio})`, 'Está registrado de $500,000.00')
    expect(page).not.toContain(`Corregir este pago (${excess!.folio})`)
    await expectTwice(() => post(correcting(first!, '5000')))
    expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 495000', 'balance paid -495000'])
    expect(await sums()).toMatchObject({ paid: 5_000_00, refunded: 0, owed: 5_000_00, credit: 0 })
    expect(await depositPaid()).not.toBeNull()
    const withdrawn = { state: 'refused', refusedReason: 'Ya no hay saldo a tu favor.' }
    expect(await refunds()).toMatchObject([withdrawn])
    expect(await sentAbout(excess!)).toContain('payment_corrected to customer')
    await expectAnswered(fixture.visit(`/papers/receipt/${excess!.id}.pdf`, customer), 404)
    await expectAnswered(fixture.visit(`/papers/receipt/${first!.id}.pdf`, customer), 200)
    await expectScreen('/payments', customer, 'Corrección', 'Retirado', 'Ya no hace falta')
    const { totals } = await listPayments(db, manager.actor, {}, new Date())
    expect(totals).toMatchObject({ received: 5_000_00, returned: 0 })
    const job = { letter: 'payment_corrected', paymentId: excess!.id, to: 'customer' } as const
    const [email] = await emailsOf(db, job)
    const [refund] = await refunds()
    expectWords(
      email!.text,
      'no se te cobró nada',
      'Habíamos registrado',
      '$495,000.00',
      'Se tecleó sin el punto.',
      `El reembolso ${refund!.folio} se cancela`,
    )
  })

  test('of a month that is over is corrected in this month', async () => {
    const last = Temporal.PlainDate.from(today()).with({ day: 1 }).subtract({ days: 1 }).toString()
    await expectAnswered(post(recording('700', { paidOn: last, again: '700' })), 303)
    const wrong = (await rowsWhere(payments, { amount: 700_00 }))[0]!
    const months = async () => {
      const period = figurePeriodOf('mes', today())
      const when = new Date()
      const { income } = (await officeFigures(db, manager.actor, period, when))!
      const chart = await quoteMonthFigures(db, manager.actor, {}, when)
      const charted = (month: string) => chart.find((one) => one.month === month)!.paid
      const trend = income!.trend.slice(-2).map(({ received }) => received)
      return [...trend, charted(last.slice(0, 7)), charted(today().slice(0, 7))]
    }
    const [, open] = await months()
    expect(await months()).toEqual([700_00, open, 700_00, open])
    await expectAnswered(post(correcting(wrong, '70', { again: '70' })), 303)
    expect(await months()).toEqual([700_00, open! - 630_00, 700_00, open! - 630_00])
    const corrected = { paidAt: wrong.paidAt, countsAt: expect.any(Date) }
    for (const amount of [-700_00, 70_00]) await expectRowsIn(payments, { amount }, [corrected])
    // A correction that is corrected again counts in this month too.
    const [anew] = await rowsWhere(payments, { amount: 70_00 })
    await expectAnswered(post(correcting(anew!, '0')), 303)
    expect(await months()).toEqual([700_00, open! - 700_00, 700_00, open! - 700_00])
  })

  test('of another day or method is reversed and recorded anew in one act', async () => {
    const yesterday = Temporal.PlainDate.from(today()).subtract({ days: 1 }).toString()
    const first = await firstRow()
    await expectAnswered(post(correcting(first, '500000', { paidOn: today(), method: 'spei' })), 400)
    expect(await rows()).toHaveLength(2)
    await expectTwice(() => post(correcting(first, '5000', { paidOn: yesterday, method: 'terminal' })))
    expect(await sums()).toMatchObject({ paid: 5_000_00, owed: 5_000_00 })
    const standing = (await rowsOf(home.projectId)).filter(
      ({ reversedAt, reversesId, state }) => state === 'paid' && !reversedAt && !reversesId,
    )
    expect(wordsOf(standing)).toEqual(['deposit paid 5000'])
    expect(standing).toMatchObject([
      { method: 'terminal', trackingKey: null, paidAt: new Date(`${yesterday}T18:00:00Z`) },
    ])
    const again = { paidOn: today(), method: 'terminal', reason: 'Fue hoy.' }
    await expectAnswered(post(correcting(standing[0]!, '5000', again)), 303)
    expect(await sums()).toMatchObject({ paid: 5_000_00, owed: 5_000_00 })
  })

  test('leaves figures, charts and files as if it had never been recorded', async () => {
    const month = today().slice(0, 7)
    const chart = async () => {
      const months = await quoteMonthFigures(db, manager.actor, {}, new Date())
      return months.find((one) => one.month === month)
    }
    const before = await chart()
    expect(before).toMatchObject({ paid: 500_000_00 })
    await expectAnswered(post(correcting(await firstRow(), '0')), 303)
    expect(await chart()).toEqual({ ...before, paid: 0 })
    expect(await depositPaid()).toBeNull()
    const period = figurePeriodOf('mes', today())
    const { days, income } = (await officeFigures(db, manager.actor, period, new Date()))!
    expect(days.stages.find(({ stage }) => stage === 'deposit')!.now).toMatchObject({ count: 0 })
    expect(income!.now).toMatchObject({ received: 0, returned: 0 })
    const { text } = await fixture.under({ MODULES: 'payments' }).visit('/admin/payments.csv', manager)
    const sum = (state: string) =>
      text
        .split('\r\n')
        .filter((line) => line.includes('PAG-') && line.includes(state))
        .reduce((all, line) => all + Number(/(-?\d+\.\d\d),[^.]*$/.exec(line)![1]), 0)
    expect([sum('Corregido'), sum('Corrección'), sum('Pagado')]).toEqual([500_000, -500_000, 0])
    await expectAnswered(post(recording('5000')), 303)
    expect(await chart()).toEqual({ ...before, paid: 5_000_00 })
  })

  test('is recorded anew under the same key where its first row was wrong too', async () => {
    const first = await firstRow()
    expectShown(await post(correcting(first, '4,000')), 409, 'Faltan $1,000.00')
    expect(await rows()).toHaveLength(2)
    await expectAnswered(post(correcting(first, '4,000', { sure: '400000' })), 303)
    expect((await rows()).slice(2).toSorted()).toEqual([
      'balance paid -495000',
      'deposit paid -5000',
      'deposit paid 4000',
      'deposit pending 1000',
    ])
    const { bank, trackingKey } = first
    await expectRowsIn(payments, { amount: 4_000_00 }, [{ bank, trackingKey }])
    expect(await depositPaid()).toBeNull()
    expect(await sums()).toMatchObject({ paid: 4_000_00, owed: 6_000_00, demanded: 1_000_00 })
  })

  test('that never came is asked for again, and may be proved under that key', async () => {
    const first = await firstRow()
    await expectAnswered(post(correcting(first, '0')), 303)
    expect((await demandOf(home.projectId))!.amount).toBe(5_000_00)
    expect(await sums()).toMatchObject({ paid: 0, owed: 10_000_00, credit: 0 })
    await expectAnswered(prove(customer, home.projectId), 303)
    expect((await eventsAbout(first)).map(({ name }) => name)).toContain('reverse')
  })

  test('is corrected once, with a reason, and stays frozen', async () => {
    const first = await firstRow()
    const form = correcting(first, '0')
    await expectAnswered(post({ ...form, reason: '' }), 400)
    await expectAnswered(post(correcting(first, '500,000')), 400)
    await expectAnswered(post({ ...form, version: '1' }), 409)
    expect(await statusesOf(post(form), post({ ...form, reason: 'Otra razón.' }))).toEqual([303, 409])
    expect((await rowsOf(home.projectId)).filter(({ reversesId }) => reversesId)).toHaveLength(2)
    await expect(setRow(payments, first, { reversedAt: null })).rejects.toMatchObject({
      cause: { constraint: 'payments_frozen' },
    })
  })

  test('is not corrected while its refund is approved', async () => {
    const [refund] = await refunds()
    const seen = { refundId: refund!.id, version: String(refund!.version) }
    const account = { clabe: '032180000118359719', beneficiary: 'Camila Prueba' }
    const approve = { intent: 'approve-refund', ...seen, materials: '0', sourceId: '', ...account }
    await expectAnswered(post(approve), 303)
    expectShown(await post(correcting(await firstRow(), '5000')), 409, 'Su reembolso ya está aprobado')
    expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 495000'])
  })

  test('frees the movement of the bank that it was matched with', async () => {
    const first = await firstRow()
    const [file] = await storeRows(bankStatements, {
      name: 'banco.csv',
      sha256: 'a'.repeat(64),
      head: 0,
      headWords: 'x',
      readAt: new Date(),
      columns: {} as never,
      uploadedBy: manager.id,
    })
    await storeRows(bankLines, {
      statementId: file!.id,
      hash: 'h',
      rowNumber: 1,
      bookedOn: today(),
      amount: 5_000_00,
      description: 'SPEI',
      reference: '',
      state: 'recorded',
      paymentId: first.id,
      decidedBy: manager.id,
      decidedAt: new Date(),
    })
    await expectAnswered(post(correcting(first, '0')), 303)
    await expectRowsIn(bankLines, {}, [{ state: 'open', paymentId: null }])
  })
})

test('the e-mail about a correction that completes the deposit says that the installation can be booked', async () => {
  await prove(customer, home.projectId)
  await expectAnswered(confirm('4,000', { sure: '400000' }), 303)
  const first = await firstRow()
  await expectAnswered(post(correcting(first, '5000')), 303)
  expect(await depositPaid()).not.toBeNull()
  const job = { letter: 'payment_corrected', paymentId: first.id, to: 'customer' } as const
  const [email] = await emailsOf(db, job)
  expectWords(email!.text, 'ya puedes agendar tu instalación', 'Agendar mi instalación')
})

test('cash is corrected like a transfer; a card payment is not', async () => {
  await post(recording('1500'))
  await expectAnswered(post(correcting((await rowsOf(home.projectId)).at(-1)!, '150')), 303)
  expect((await rows()).slice(1)).toEqual(['balance paid 1500', 'balance paid -1500', 'balance paid 150'])
  const [made] = await storeRows(payments, {
    folio: 'PAG-PRUEBA',
    projectId: home.projectId,
    customerId: customer.id,
    concept: 'balance',
    amount: 100_00,
    method: 'card',
    state: 'paid',
    paidAt: new Date(),
    cardReference: 'pi_x',
  })
  expectShown(await post(correcting(made!, '0')), 409, 'lo dice Stripe')
})
