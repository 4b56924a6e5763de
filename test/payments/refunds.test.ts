import { eq } from 'drizzle-orm'
import { cancelCharges } from '../../src/payments/charges.ts'
import { recordPayment } from '../../src/payments/record-payment.ts'
import { ledgerFactsOf } from '../../src/payments/rows.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { accounts } from '../../src/platform/database/schema/accounts.ts'
import { quotes } from '../../src/platform/database/schema/payments.ts'
import { givePassword, password } from '../accounts/own.ts'
import { emailsOf } from '../kit/delivered.ts'
import {
  ago,
  customer,
  customer2,
  db,
  expectNotOnPage,
  expectScreen,
  fixture,
  manager,
  openEach,
  sendJobs,
  sentAbout,
  setRow,
} from '../kit/open.ts'
import {
  acceptQuote,
  day,
  demandOf,
  office,
  paper,
  refundsOf,
  rowsOf,
  sendForm,
  today,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { expectAnswered, expectShown, expectTwice } from '../kit/reading.ts'

let home: Home
openEach(async () => {
  home = await fixture.home(customer)
  await givePassword(customer)
})
sendJobs()

type Method = 'cash' | 'card'

/** A deposit of $5,000.00 was paid, and the quote cancelled so many days after it was accepted. */
async function paidAndCancelled(daysAfter: number, method: Method = 'cash') {
  const quote = await acceptQuote(customer, home, { acceptedAt: ago(daysAfter * day) })
  const now = new Date()
  const about = { projectId: home.projectId, paymentId: (await demandOf(home.projectId))!.id }
  const by = { method, paidAt: now, actorId: null, ...(method === 'card' && { cardReference: 'pi_1' }) }
  await transaction(db, (tx) => recordPayment(tx, { ...about, ...by, amount: 5_000_00 }, now))
  await setRow(quotes, quote, { state: 'cancelled', endedAt: now })
  await transaction(db, (tx) => cancelCharges(tx, quote.id, 'Cambió de casa.', now))
}

const refund = async () => (await refundsOf(home.projectId)).at(-1)!
const sums = async () => (await ledgerFactsOf(db, home.projectId)).ledger
const account = { clabe: '032180000118359719', beneficiary: 'Camila Prueba' }
const given = { ...account, currentPassword: password }

async function decide(intent: string, form: Record<string, string>, as = manager) {
  const { id, version } = await refund()
  const fields = { intent, refundId: id, version: String(version), ...form }
  return sendForm(fixture, office(home.projectId), fields, as, intent === 'pay-refund' ? paper() : null)
}
const approve = (form: Record<string, string> = {}, as = manager) =>
  decide('approve-refund', { materials: '0', sourceId: '', clabe: '', beneficiary: '', ...form }, as)
const pay = (as = manager) => decide('pay-refund', { paidOn: today() }, as)

async function giveAccount(form: Record<string, string> = given, as = customer) {
  const { id, version } = await refund()
  const fields = { intent: 'refund-account', refundId: id, version: String(version), ...form }
  return sendForm(fixture, '/payments', fields, as)
}

describe('a cancelled quote within its terms', () => {
  beforeEach(() => paidAndCancelled(1))

  test('is refunded whole to the account of the customer, with a proof', async () => {
    await expectScreen('/payments', customer, 'Dar mi cuenta')
    await expectAnswered(giveAccount(), 303)
    await expectAnswered(approve(), 303)
    const approved = { state: 'approved', method: 'spei', amount: 5_000_00, decidedBy: manager.id }
    expect(await refund()).toMatchObject(approved)
    await expectAnswered(pay(), 303)
    const paid = await refund()
    expect(paid.state).toBe('paid')
    expect(paid.proofId).not.toBeNull()
    expect(wordsOf(await rowsOf(home.projectId))).toEqual(['deposit paid 5000', 'refund paid -5000'])
    expect(await sums()).toMatchObject({ owed: 0, credit: 0, held: 0, refunded: 5_000_00 })
    expect((await sentAbout(paid.id)).slice(1)).toEqual([
      'refund_account to customer',
      'refund_approved to customer',
      'refund_paid to customer',
    ])
    await expectScreen('/payments', customer, 'Comprobante del reembolso')
    await expectAnswered(fixture.open(`/documents/${paid.proofId}`, customer), 200)
  })

  test('is approved without deductions, to an account that the manager may write too', async () => {
    await expectAnswered(approve(), 409)
    await expectAnswered(approve({ clabe: '032180000118359718', beneficiary: 'Camila' }), 400)
    expectShown(await approve({ ...account, materials: '1200' }), 400, 'se devuelve todo')
    expect((await refund()).state).toBe('requested')
    await expectAnswered(approve({ clabe: account.clabe, beneficiary: 'Camila' }), 303)
    expect(await refund()).toMatchObject({ clabe: account.clabe, beneficiary: 'Camila' })
  })

  test('is refused with a reason that the customer reads, who may ask again once', async () => {
    await expectAnswered(decide('refuse-refund', { reason: '' }), 400)
    await expectAnswered(decide('refuse-refund', { reason: 'Se usó en otra obra.' }), 303)
    await expectScreen('/payments', customer, 'Se usó en otra obra.')
    await expectAnswered(approve(), 409)
    const ask = { intent: 'ask-refund', projectId: home.projectId, reason: 'No hubo otra obra.', ...given }
    await expectTwice(() => sendForm(fixture, '/payments', ask, customer))
    expect(await refundsOf(home.projectId)).toMatchObject([
      { state: 'refused' },
      { state: 'requested', amount: 5_000_00, requestedBy: customer.id },
    ])
  })

  test('is paid once by two at once, and by the same form twice', async () => {
    await giveAccount()
    await approve()
    const { id, version } = await refund()
    const manager2 = await fixture.person({ kind: 'manager' })
    const form = { intent: 'pay-refund', refundId: id, version: String(version), paidOn: today() }
    const send = (as = manager) => sendForm(fixture, office(home.projectId), form, as, paper())
    await Promise.all([send(), send(manager2), send()])
    await expectAnswered(send(), 303)
    expect((await rowsOf(home.projectId)).filter(({ amount }) => amount < 0)).toHaveLength(1)
    expect((await sums()).held).toBe(0)
  })
})

describe('the account of a refund', () => {
  beforeEach(() => paidAndCancelled(1))
  const thief = { clabe: '646180157000000004', beneficiary: 'Otro Nombre' }
  const accountEmails = async () => sentAbout(await refund(), 'refund_account')

  test('is a valid CLABE, and changed with the password only', async () => {
    expectShown(await giveAccount({ ...given, clabe: '032180000118359718' }), 400, 'Esa CLABE no es correcta')
    await giveAccount()
    for (const currentPassword of ['', 'otra-frase-larga'])
      await expectAnswered(giveAccount({ ...thief, currentPassword }), 400)
    await expectAnswered(giveAccount(thief), 400)
    expect(await refund()).toMatchObject(account)
    await decide('refuse-refund', { reason: 'No procede.' })
    const ask = { intent: 'ask-refund', projectId: home.projectId, reason: 'Es mío.', ...thief }
    expectShown(
      await sendForm(fixture, '/payments', { ...ask, currentPassword: 'no' }, customer),
      400,
      'La contraseña no es correcta.',
    )
    expect(await refundsOf(home.projectId)).toHaveLength(1)
  })

  test('is not taken from a customer without a password', async () => {
    await db.update(accounts).set({ password: null }).where(eq(accounts.userId, customer.id))
    await expectScreen('/payments', customer, 'Créala primero en «Mi cuenta»')
    await expectNotOnPage('/payments', customer, 'Guardar cuenta')
    await expectAnswered(giveAccount(), 409)
    expect((await refund()).clabe).toBeNull()
  })

  test('is emailed to the customer at each change, by its last digits', async () => {
    await giveAccount()
    for (let time = 0; time < 2; time++) await giveAccount({ ...given, clabe: thief.clabe })
    expect(await accountEmails()).toHaveLength(2)
    const job = { letter: 'refund_account', refundId: (await refund()).id, to: 'customer' } as const
    const [email] = await emailsOf(db, job)
    expect(email!.to).toBe(customer.email)
    expect(email!.text).toContain('0004')
    expect(email!.text).not.toContain(thief.clabe)
    await approve(account)
    expect(await accountEmails()).toHaveLength(3)
  })

  test('is shown to the manager with its day, and a warning where it is in another name', async () => {
    const desk = office(home.projectId)
    await giveAccount()
    await expectScreen(desk, manager, 'Cuenta dada')
    await expectNotOnPage(desk, manager, 'La cuenta está a otro nombre')
    await giveAccount({ ...given, beneficiary: thief.beneficiary })
    await expectScreen(desk, manager, 'La cuenta está a otro nombre', 'El cliente se llama Camila Prueba')
  })
})

describe('a quote cancelled late', () => {
  beforeEach(async () => {
    await paidAndCancelled(20)
    await giveAccount()
  })

  test('is refunded less the materials bought, never less than nothing', async () => {
    for (const materials of ['5000', '6000', '-1', '']) await expectAnswered(approve({ materials }), 400)
    expect((await refund()).state).toBe('requested')
    await expectAnswered(approve({ materials: '1,200.50' }), 303)
    expect(await refund()).toMatchObject({ amount: 3_799_50, materials: 1_200_50 })
    await pay()
    expect(await sums()).toMatchObject({ charged: 1_200_50, held: 1_200_50, owed: 0, credit: 0 })
    await expectScreen('/payments', customer, 'Descontamos $1,200.50 de material ya comprado')
  })

  test('is not proposed again for materials that a refused refund deducted', async () => {
    await approve({ materials: '1000' })
    await decide('refuse-refund', { reason: 'Ya se le devolvió en mano.' })
    expect(await refundsOf(home.projectId)).toHaveLength(1)
  })
})

test('a card payment is refunded to that card, not by hand', async () => {
  await paidAndCancelled(1, 'card')
  const [source] = await rowsOf(home.projectId)
  await expectScreen(office(home.projectId), manager, 'A la tarjeta del pago')
  await expectAnswered(approve({ sourceId: source!.id }), 303)
  expect(await refund()).toMatchObject({ method: 'card', sourceId: source!.id, amount: 5_000_00 })
  await expectAnswered(pay(), 409)
})

describe('a quote accepted while a refund is approved', () => {
  beforeEach(async () => {
    await paidAndCancelled(1)
    await giveAccount()
    await approve()
    await acceptQuote(customer, home, { revision: 2 })
  })

  test('requires its own deposit', async () => {
    expect(await demandOf(home.projectId)).toMatchObject({ amount: 5_000_00 })
    expect(await sums()).toMatchObject({ owed: 10_000_00, credit: 0, promised: 5_000_00 })
    await expectScreen('/payments', customer, 'Por reembolsar $5,000.00')
    await expectAnswered(pay(), 303)
    expect(await sums()).toMatchObject({ held: 0, owed: 10_000_00, promised: 0 })
    expect(await demandOf(home.projectId)).toMatchObject({ amount: 5_000_00 })
  })

  test('has its deposit paid once the refund is refused', async () => {
    await expectAnswered(decide('refuse-refund', { reason: 'Se usa en su nueva cotización.' }), 303)
    expect(await demandOf(home.projectId)).toBeUndefined()
    expect(await sums()).toMatchObject({ owed: 5_000_00, credit: 0 })
    expect(await refundsOf(home.projectId)).toHaveLength(1)
  })
})

test('a refund that waits for its account is pending at its customer’s home until they give it', async () => {
  await paidAndCancelled(1)
  const asked = 'Tienes $5,000.00 a tu favor: dinos a qué cuenta va.'
  await expectScreen('/', customer, 'También tienes pendiente', asked, 'Dar mi cuenta')
  await expectNotOnPage('/', customer2, 'a tu favor')
  const { id: refundId, version } = await refund()
  const told = { intent: 'refund-account', refundId, version: String(version), ...given }
  await expectAnswered(sendForm(fixture, '/payments', told, customer), 303)
  await expectNotOnPage('/', customer, 'a tu favor')
})

test('refuses to refund where nothing is overpaid', async () => {
  await acceptQuote(customer, home)
  const ask = { intent: 'ask-refund', projectId: home.projectId, reason: 'Quiero mi dinero.', ...given }
  await expectAnswered(sendForm(fixture, '/payments', ask, customer), 409)
  const propose = { intent: 'propose-refund', reason: 'Por si acaso.' }
  await expectAnswered(sendForm(fixture, office(home.projectId), propose, manager), 409)
  expect(await refundsOf(home.projectId)).toEqual([])
})
