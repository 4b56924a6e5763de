import { syncCharges } from '../../src/payments/apply-ledger.ts'
import { cancelCharges, createBalanceCharge, proposeRefund } from '../../src/payments/charges.ts'
import { type IncomingPayment, recordPayment } from '../../src/payments/record-payment.ts'
import { ledgerFactsOf } from '../../src/payments/rows.ts'
import type { Concept, PaymentMethod } from '../../src/payments/rules/payment.ts'
import { paymentsOfHomes } from '../../src/payments/sums.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { payments, quotes, refunds } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { projectMoney } from '../../src/projects/project-money.ts'
import { chargeTurns } from '../../src/projects/rules/next-step.ts'
import { cancelQuote } from '../../src/quotes/answers.ts'
import { emailsOf } from '../kit/delivered.ts'
import { dice, rounds } from '../kit/dice.ts'
import {
  customer,
  db,
  expectEmails,
  fixture,
  manager,
  newHome,
  openEach,
  rowWhere,
  sendJobs,
  sentAbout,
  setRow,
  storeRows,
} from '../kit/open.ts'
import {
  acceptQuote,
  account,
  demandOf,
  type Quote,
  refundsOf,
  rowsOf,
  set,
  wordsOf,
} from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { expectWords, sentTogether } from '../kit/reading.ts'

let home: Home
let quote: Quote
openEach(async () => {
  home = await newHome(customer)
  quote = await acceptQuote(customer, home)
})
sendJobs()

const now = new Date()
const take = (amount: number, paymentId: string | null, more: Partial<IncomingPayment> = {}) =>
  transaction(db, (tx) =>
    recordPayment(
      tx,
      { projectId: home.projectId, paymentId, amount, method: 'spei', paidAt: now, actorId: null, ...more },
      now,
    ),
  )
const demandId = async (concept: Concept = 'deposit') => (await demandOf(home.projectId, concept))!.id
const askBalance = () =>
  transaction(db, (tx) => createBalanceCharge(tx, home.projectId, now, { isMailed: false }))
/** The quote ends, and its charges with it. */
async function end(state: 'lapsed' | 'cancelled', reason: string) {
  await setRow(quotes, quote, { state, endedAt: now })
  await transaction(db, (tx) => cancelCharges(tx, quote.id, reason, now))
}
const refundsNow = () => refundsOf(home.projectId)
const rows = async () => wordsOf(await rowsOf(home.projectId))
const project = async () => (await rowWhere(projects, { id: home.projectId }))!
const sums = async () => (await ledgerFactsOf(db, home.projectId)).ledger

test('an acceptance asks for the deposit, in its own email', async () => {
  expect(await rows()).toEqual(['deposit pending 5000'])
  const demand = (await demandOf(home.projectId))!
  await expectEmails(demand.id, [])
  const job = { letter: 'quote_accepted', quoteId: quote.id, to: 'customer' } as const
  const text = async () => (await emailsOf(db, job))[0]!.text
  // No account for transfers is set.
  expect(await text()).toContain('En tu cuenta ves cómo pagarlo.')
  await set(fixture, { spei: account })
  expect(await text()).toContain('Paga por transferencia con estos datos')
  expect(demand.dueAt).toEqual(quote.validUntil)
  expect((await project()).depositPaidAt).toBeNull()
})

test('a late part of a fee that is given back asks for no rest', async () => {
  const fee = { concept: 'visit_fee', amount: 500_00, state: 'expired', feeOutcome: 'returned' } as const
  const whose = { projectId: home.projectId, customerId: customer.id, folio: 'PAG-2020-900001' }
  const [row] = await storeRows(payments, { ...whose, ...fee })
  await take(400_00, row!.id)
  expect((await rows()).toSorted()).toEqual(['deposit pending 4600', 'visit_fee paid 400'])
})

test('the paid deposit unlocks the installation, with one email', async () => {
  const demand = (await demandOf(home.projectId))!
  const { row } = await take(5_000_00, demand.id)
  expect(row).toMatchObject({ id: demand.id, state: 'paid', amount: 5_000_00, method: 'spei' })
  expect((await project()).depositPaidAt).toEqual(now)
  const job = { letter: 'payment_received', to: 'customer' } as const
  const [email] = await emailsOf(db, { ...job, paymentId: row.id })
  expect(email!.subject).toBe(`Recibimos tu pago. Ya puedes agendar tu instalación (${row.folio})`)
  expect(email!.text).toContain('Agendar mi instalación: https://carga.example/agenda-installation')
  const more = await take(100_00, null)
  expect((await project()).depositPaidAt).toEqual(now)
  const [plain] = await emailsOf(db, { ...job, paymentId: more.row.id })
  expect(plain!.subject).toBe(`Recibimos tu pago (${more.row.folio})`)
  await expectEmails(home.projectId, [])
  expect(await sentTogether(fixture)).toEqual([])
})

test('a missing permit keeps the installation locked', async () => {
  await db.update(projects).set({ permitNeeded: true })
  await take(5_000_00, await demandId())
  expect((await project()).depositPaidAt).not.toBeNull()
  await expectEmails(home.projectId, [])
})

test('a smaller payment leaves the rest pending', async () => {
  await take(4_800_00, await demandId())
  expect(await rows()).toEqual(['deposit paid 4800', 'deposit pending 200'])
  expect((await project()).depositPaidAt).toBeNull()
  const rest = (await demandOf(home.projectId))!
  expect(rest.expiresAt).not.toBeNull()
  await take(200_00, rest.id)
  expect((await project()).depositPaidAt).not.toBeNull()
})

test('a larger payment goes to the balance', async () => {
  await take(5_300_00, await demandId(), { bank: '012', trackingKey: 'ABC12345' })
  expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 300'])
  await askBalance()
  expect((await demandOf(home.projectId, 'balance'))?.amount).toBe(4_700_00)
  expect(await refundsNow()).toEqual([])
})

test('a payment above the total is proposed for a refund, once', async () => {
  const { row } = await take(10_500_00, await demandId())
  const [refund] = await refundsNow()
  expect(refund).toMatchObject({ amount: 500_00, state: 'requested', requestedBy: null })
  await expectEmails(refund!, ['refund_requested to managers'])
  const job = { letter: 'payment_received', paymentId: row.id, to: 'customer' } as const
  expect((await emailsOf(db, job))[0]!.text).toContain('A tu favor: $500.00')
  expect(await sentTogether(fixture)).toEqual([])
  await take(100_00, null)
  expect(await refundsNow()).toMatchObject([{ amount: 600_00 }])
})

test('a refused refund is proposed again only once there is more credit', async () => {
  await take(10_500_00, await demandId())
  const { id: decidedBy } = manager
  const refused = { state: 'refused', refusedReason: 'Es de otra obra.', decidedAt: now, decidedBy } as const
  await db.update(refunds).set(refused)
  const { projectId } = home
  await transaction(db, (tx) => proposeRefund(tx, { projectId, reason: 'Sobra.' }, now))
  expect(await refundsNow()).toHaveLength(1)
  await take(100_00, null)
  expect(await refundsNow()).toMatchObject([{ state: 'refused' }, { amount: 600_00 }])
})

test('a charge paid twice, by card and by transfer, records both', async () => {
  const demand = (await demandOf(home.projectId))!
  const twice: [PaymentMethod, Partial<IncomingPayment>][] = [
    ['card', { cardReference: 'pi_1', cardFunding: 'credit' }],
    ['spei', { bank: '012', trackingKey: 'ABC12345' }],
  ]
  await Promise.all(twice.map(([method, more]) => take(5_000_00, demand.id, { method, ...more })))
  const paid = { state: 'paid', amount: 5_000_00 }
  expect(await rowsOf(home.projectId)).toMatchObject([paid, paid])
  expect(await sums()).toMatchObject({ held: 10_000_00, owed: 0, credit: 0 })
})

test('a card payment notified again, at once or later, is recorded once', async () => {
  const demand = (await demandOf(home.projectId))!
  const notify = () => take(5_000_00, demand.id, { method: 'card', cardReference: 'pi_1' })
  const answers = await Promise.all(Array.from({ length: 8 }, notify))
  expect(answers.filter(({ already }) => !already)).toHaveLength(1)
  expect((await notify()).already).toBe(true)
  expect(await rows()).toEqual(['deposit paid 5000'])
})

test('a payment of a lapsed quote is recorded, and proposed for a refund', async () => {
  const demand = (await demandOf(home.projectId))!
  await end('lapsed', 'No llegó el anticipo.')
  expect(await rows()).toEqual(['deposit cancelled 5000'])
  await take(5_000_00, demand.id)
  expect(await rows()).toEqual(['deposit paid 5000'])
  expect((await project()).depositPaidAt).toBeNull()
  expect(await refundsNow()).toMatchObject([{ amount: 5_000_00, state: 'requested' }])
})

describe('an accepted next version', () => {
  const acceptNext = async (acceptedTotal: number) => {
    await setRow(quotes, quote, { state: 'superseded' })
    return acceptQuote(customer, home, { acceptedTotal, depositAmount: acceptedTotal / 2 })
  }

  test('asks for its own deposit only', async () => {
    await acceptNext(8_000_00)
    expect(await rows()).toEqual(['deposit cancelled 5000', 'deposit pending 4000'])
  })

  test('below what was paid has the rest refunded', async () => {
    await take(5_000_00, await demandId())
    await acceptNext(3_000_00)
    expect(await refundsNow()).toMatchObject([{ amount: 2_000_00 }])
    expect((await project()).depositPaidAt).not.toBeNull()
  })
})

test('an excess below a peso closes the account, with one event and no refund', async () => {
  await take(5_000_01, await demandId())
  await take(5_000_00, null)
  expect(await sums()).toMatchObject({ owed: 0, credit: 0, difference: 1, held: 10_000_01 })
  await take(98, null)
  await transaction(db, (tx) => syncCharges(tx, home.projectId, { reason: 'Otra vez' }, now))
  expect(await refundsNow()).toEqual([])
  const { rows: closed } = await db.$client.query(
    `select data -> 'amount' as amount from events where name = 'close_difference' order by id`,
  )
  expect(closed).toEqual([{ amount: 1 }, { amount: 99 }])
  await take(1, null)
  expect(await sums()).toMatchObject({ credit: 1_00, difference: 0 })
  expect(await refundsNow()).toMatchObject([{ amount: 1_00, state: 'requested' }])
})

test('the balance is asked for once, and extra work beside it', async () => {
  await take(5_000_00, await demandId())
  for (let time = 0; time < 2; time++) await askBalance()
  await acceptQuote(customer, home, {
    kind: 'extra_work',
    acceptedTotal: 800_00,
    depositAmount: 0,
  })
  expect(await rows()).toEqual(['deposit paid 5000', 'balance pending 5000', 'extra_work pending 800'])
  expect(await sums()).toMatchObject({ owed: 5_800_00, demanded: 5_800_00 })
  await take(800_00, await demandId('extra_work'))
  await take(5_000_00, await demandId('balance'))
  expect(await sums()).toMatchObject({ owed: 0, credit: 0, held: 10_800_00 })
})

test('cancelled extra work whose payment covers the deposit says that the installation can be booked', async () => {
  const input = { kind: 'extra_work', acceptedTotal: 800_00, depositAmount: 0 } as const
  const { id, version } = await acceptQuote(customer, home, input)
  await take(4_200_00, await demandId())
  await take(800_00, await demandId('extra_work'))
  expect((await project()).depositPaidAt).toBeNull()
  const { actor } = customer
  await cancelQuote(db, actor, id, { version, reason: 'Ya no hace falta.' }, new Date())
  const [email] = await emailsOf(db, { letter: 'quote_cancelled', quoteId: id, to: 'customer' } as const)
  expectWords(email!.text, 'ya puedes agendar', 'https://carga.example/agenda-installation')
  expect(await sentAbout(home.projectId)).toEqual([])
})

test('a charge without a date stands before later dates on the page of payments, as at home', async () => {
  await acceptQuote(customer, home, { kind: 'extra_work', acceptedTotal: 800_00, depositAmount: 0 } as const)
  const shown = async () =>
    (await paymentsOfHomes(db, customer.actor, [home.projectId])).map(({ concept }) => concept)
  const { demands } = await projectMoney(db, home.projectId, new Date())
  expect(await shown()).toEqual(['extra_work', 'deposit'])
  expect(chargeTurns({ demands }).map(({ charge }) => charge.concept)).toEqual(await shown())
})

test('any payments in any order leave sums that match, and no more asked for than owed', async () => {
  for (let seed = 1; seed <= rounds(3); seed++) {
    const roll = dice(seed * 7919)
    const other = await fixture.person({ name: 'Camila' })
    home = await newHome(other)
    await acceptQuote(other, home)
    for (let step = 0; step < 14; step++) {
      const open = (await rowsOf(home.projectId)).filter(({ state }) => state !== 'paid')
      const demand = open.length > 0 ? roll.oneOf(open).id : null
      if (roll.below(4) === 0) await askBalance()
      else await take((1 + roll.below(3_000)) * 100 + roll.below(3), roll.below(5) === 0 ? null : demand)
      const { charged, credit, demanded, difference, held, owed } = await sums()
      expect({ seed, step, sum: charged + credit + difference }).toEqual({ seed, step, sum: held + owed })
      expect(demanded).toBeLessThanOrEqual(owed)
      expect(Math.min(owed, credit)).toBe(0)
      const [refund] = await refundsNow()
      expect(refund?.state === 'requested' ? refund.amount : 0).toBe(credit)
    }
  }
})
