import { refundCharge } from '../../../src/integrations/stripe/refunds.ts'
import { refunds } from '../../../src/platform/database/schema/payments.ts'
import { db, expectEmails, fixture, setRow } from '../../kit/open.ts'
import { refundsOf, rowsOf } from '../../kit/payments.ts'
import { expectPage } from '../../kit/reading.ts'
import {
  cards,
  type Debtor,
  debtor,
  during,
  ledger,
  openPage,
  openShop,
  retold,
  stored,
  storeRefund,
  stripe,
  tasksOf,
  tell,
  tellAll,
} from '../../kit/stripe.ts'

openShop()

/** A deposit of $5,000.00 that was paid by card. */
async function paid() {
  const who = await debtor()
  const page = await openPage(who)
  await tell(stripe.account.payByCard(page))
  return { ...who, charge: stripe.account.chargeOf(page) }
}

/** The same, and a refund of a part that a manager approved. */
async function approved(amount = 2_000_00) {
  const who = await paid()
  return { who, refund: await storeRefund(who, amount) }
}

const given = (who: { charge: { id: string } }) =>
  [...stripe.account.refunds.values()].filter(({ charge }) => charge === who.charge.id)
const refundRows = async (who: Debtor) => (await ledger(who)).filter((row) => row.startsWith('refund'))
const refundOf = async (who: Debtor) => (await refundsOf(who.home.projectId))[0]
const give = (id: string) => refundCharge(db, cards(), id, new Date())

test('an approved refund goes to the card as a negative row, once', async () => {
  const { who, refund } = await approved()
  const before = stripe.account.events.length
  await give(refund.id)
  expect(given(who).map(({ amount, metadata }) => [amount, metadata.refund])).toEqual([[2_000_00, refund.id]])
  expect(await refundRows(who)).toEqual(['refund paid -2000'])
  const [row] = (await rowsOf(who.home.projectId)).filter(({ concept }) => concept === 'refund')
  expect(row).toMatchObject({ method: 'card', refundId: refund.id, cardReference: given(who)[0]!.id })
  expect(await refundOf(who)).toMatchObject({ state: 'paid' })
  await expectEmails(refund.id, ['refund_paid to customer'])
  await tellAll(stripe.account.events.slice(before))
  expect(await refundRows(who)).toEqual(['refund paid -2000'])
})

test('an approved refund is one refund though Stripe’s event comes before its answer', async () => {
  const { who, refund } = await approved()
  await tellAll(during(() => stripe.account.refund(who.charge, 2_000_00, { refund: refund.id })))
  expect((await refundsOf(who.home.projectId)).map(({ state }) => state)).toEqual(['paid'])
  await give(refund.id)
  expect(given(who)).toHaveLength(1)
  expect(await refundRows(who)).toEqual(['refund paid -2000'])
})

test('an approved refund is one refund for two jobs at once, and after a lost answer', async () => {
  const { who, refund } = await approved()
  const none = { status: 200, body: { object: 'list', data: [], has_more: false } }
  stripe.troubles.push(none, 'lost', 'lost', 'lost')
  await expect(give(refund.id)).rejects.toThrow()
  expect(await refundOf(who)).toMatchObject({ state: 'approved' })
  stripe.troubles.length = 0
  await Promise.all([give(refund.id), give(refund.id)])
  await give(refund.id)
  expect(given(who)).toHaveLength(1)
  expect(await refundRows(who)).toEqual(['refund paid -2000'])
})

test('an approved refund refused by Stripe waits for a manager, with a task', async () => {
  const { who, refund } = await approved(9_000_00)
  await give(refund.id)
  await give(refund.id)
  const open = { state: 'requested', method: null, sourceId: null, decidedBy: null, decidedAt: null }
  expect(await refundOf(who)).toMatchObject(open)
  const subject = expect.stringContaining('apruébalo por transferencia')
  expect(await tasksOf(who)).toEqual([
    expect.objectContaining({ urgent: true, reason: 'card_refund', subject }),
  ])
})

test('an approved refund that the bank returns waits for a manager, and may go to the card again', async () => {
  const { who, refund } = await approved()
  await tell(stripe.account.failRefund(stripe.account.refund(who.charge, 2_000_00, { refund: refund.id })))
  expect(await refundOf(who)).toMatchObject({ state: 'requested', method: null })
  expect(await tasksOf(who)).toHaveLength(1)
  const again = { state: 'approved', method: 'card', sourceId: who.payment.id, version: 3 } as const
  await setRow(refunds, refund, { ...again, decidedBy: refund.decidedBy, decidedAt: new Date() })
  await give(refund.id)
  expect(await refundRows(who)).toEqual(['refund paid -2000'])
  expect(given(who).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
})

test('an approved refund is not made once it is no longer approved', async () => {
  const { who, refund } = await approved()
  await setRow(refunds, refund, { state: 'requested', decidedBy: null, decidedAt: null })
  await give(refund.id)
  expect(given(who)).toEqual([])
})

test('a refund made at Stripe is a negative row for each part, once', async () => {
  const who = await paid()
  const first = during(() => stripe.account.refund(who.charge, 1_500_00))
  await tellAll(first)
  const second = during(() => stripe.account.refund(who.charge, 500_00))
  await tellAll([...second, ...first.map(retold), ...second, ...second.map(retold)])
  expect(await refundRows(who)).toEqual(['refund paid -1500', 'refund paid -500'])
  const made = { decidedBy: null, method: 'card', state: 'paid' }
  expect(await refundsOf(who.home.projectId)).toMatchObject([
    { ...made, amount: 1_500_00 },
    { ...made, amount: 500_00 },
  ])
  expect(await stored(who)).toMatchObject({ state: 'paid', amount: 5_000_00 })
})

test('a refund made at Stripe is recorded before the event of its payment', async () => {
  const who = await debtor()
  const page = await openPage(who)
  stripe.account.payByCard(page)
  await tellAll(during(() => stripe.account.refund(stripe.account.chargeOf(page), 5_000_00)))
  const rows = (await ledger(who)).filter((row) => row.includes('paid'))
  expect(rows).toEqual(['deposit paid 5000', 'refund paid -5000'])
})

test('a refund made at Stripe is asked for again where Stripe does not answer', async () => {
  const who = await paid()
  const sent = during(() => stripe.account.refund(who.charge, 5_000_00)).at(-1)!
  stripe.troubles.push('error', 'error', 'error')
  expect(await tell(sent)).toBe(503)
  expect(await refundRows(who)).toEqual([])
  expect(await tell(sent)).toBe(200)
  expect(await refundRows(who)).toEqual(['refund paid -5000'])
})

test('a refund made at Stripe that the bank returns is an urgent task', async () => {
  const who = await paid()
  await tell(stripe.account.failRefund(stripe.account.refund(who.charge, 5_000_00)))
  const subject = expect.stringContaining(who.payment.folio)
  expect(await tasksOf(who)).toMatchObject([{ urgent: true, reason: 'card_refund', subject }])
})

test('a dispute is one urgent task with the bank’s date', async () => {
  const who = await paid()
  const event = stripe.account.dispute(who.charge)
  await tellAll([event, event])
  const subject = `Contracargo de $5,000.00 del pago ${who.payment.folio}: responde en Stripe`
  const task = { urgent: true, reason: 'card_dispute', personId: who.customer.id, subject }
  const tasks = await tasksOf(who)
  expect(tasks).toMatchObject([task])
  expect(tasks[0]!.dueAt.getTime()).toBeGreaterThan(Date.now() + 6 * 86_400_000)
  const manager = await fixture.person({ kind: 'manager' })
  expectPage(await fixture.visit('/admin', manager), 200, 'Contracargo de $5,000.00')
})

test('a dispute is recorded before the event of its payment', async () => {
  const who = await debtor()
  const page = await openPage(who)
  stripe.account.payByCard(page)
  await tell(stripe.account.dispute(stripe.account.chargeOf(page)))
  expect(await ledger(who)).toEqual(['deposit paid 5000'])
  expect(await tasksOf(who)).toHaveLength(1)
})
