import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { refundCharge } from '../../../src/server/integrations/stripe/refunds.ts'
import { refunds } from '../../../src/server/platform/database/schema/payments.ts'
import { refundsOf, rowsOf } from '../../kit/payments.ts'
import { emailsAbout } from '../../kit/reading.ts'
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
  stripe,
  tasksOf,
  tell,
  tellAll,
  world,
} from '../../kit/stripe.ts'

openShop()

/** A deposit of $5,000.00 that was paid by card. */
async function paid() {
  const who = await debtor()
  const page = await openPage(who)
  await tell(stripe.account.payByCard(page))
  return { ...who, charge: stripe.account.chargeOf(page) }
}

/** A refund to the card that a manager approved. */
async function approved(who: Debtor, amount: number) {
  const manager = await world.person({ kind: 'manager' })
  const [refund] = await world.db
    .insert(refunds)
    .values({
      folio: `REE-${who.payment.folio}`,
      projectId: who.home.projectId,
      customerId: who.customer.id,
      state: 'approved',
      amount,
      reason: 'Canceló a tiempo',
      method: 'card',
      sourceId: who.payment.id,
      decidedBy: manager.id,
      decidedAt: new Date(),
    })
    .returning()
  return refund!
}

const given = (who: { charge: { id: string } }) =>
  [...stripe.account.refunds.values()].filter(({ charge }) => charge === who.charge.id)
const refundRows = async (who: Debtor) => (await ledger(who)).filter((row) => row.startsWith('refund'))
const give = (id: string) => refundCharge(world.db, cards(), id, new Date())

describe('approved by a manager', () => {
  test('goes back to the card, and is a negative row', async () => {
    const who = await paid()
    const refund = await approved(who, 2_000_00)
    const told = await duringAsync(() => give(refund.id))
    expect(given(who).map(({ amount, metadata }) => [amount, metadata.refund])).toEqual([
      [2_000_00, refund.id],
    ])
    expect(await refundRows(who)).toEqual(['refund paid -2000'])
    const [row] = (await rowsOf(world, who.home.projectId)).filter(({ concept }) => concept === 'refund')
    expect(row).toMatchObject({ method: 'card', refundId: refund.id, cardReference: given(who)[0]!.id })
    expect((await refundsOf(world, who.home.projectId))[0]).toMatchObject({ state: 'paid' })
    expect(await emailsAbout(world, refund.id)).toEqual(['refund_paid to customer'])
    // What Stripe tells of it afterwards is known.
    await tellAll(told)
    expect(await refundRows(who)).toEqual(['refund paid -2000'])
  })

  test('told by Stripe before its answer came', async () => {
    const who = await paid()
    const refund = await approved(who, 2_000_00)
    const made = during(() => stripe.account.refund(who.charge, 2_000_00, { refund: refund.id }))
    await tellAll(made)
    expect((await refundsOf(world, who.home.projectId)).map(({ state }) => state)).toEqual(['paid'])
    await give(refund.id)
    expect(given(who)).toHaveLength(1)
    expect(await refundRows(who)).toEqual(['refund paid -2000'])
  })

  test('run twice at once, or after a lost answer, it is one refund', async () => {
    const who = await paid()
    const refund = await approved(who, 2_000_00)
    const none = { status: 200, body: { object: 'list', data: [], has_more: false } }
    stripe.troubles.push(none, 'lost', 'lost', 'lost')
    await expect(give(refund.id)).rejects.toThrow()
    stripe.troubles.length = 0
    await Promise.all([give(refund.id), give(refund.id)])
    await give(refund.id)
    expect(given(who)).toHaveLength(1)
    expect(await refundRows(who)).toEqual(['refund paid -2000'])
  })

  test('while Stripe does not answer nothing is lost', async () => {
    const who = await paid()
    const refund = await approved(who, 2_000_00)
    stripe.troubles.push('error', 'error', 'error')
    await expect(give(refund.id)).rejects.toThrow()
    expect((await refundsOf(world, who.home.projectId))[0]).toMatchObject({ state: 'approved' })
    await give(refund.id)
    expect(await refundRows(who)).toEqual(['refund paid -2000'])
  })

  test('refused by Stripe, it waits for the manager again, who sends it by transfer', async () => {
    const who = await paid()
    const refund = await approved(who, 9_000_00)
    await give(refund.id)
    await give(refund.id)
    const open = { state: 'requested', method: null, sourceId: null, decidedBy: null, decidedAt: null }
    expect((await refundsOf(world, who.home.projectId))[0]).toMatchObject(open)
    const tasks = await tasksOf(who)
    expect(tasks).toHaveLength(1)
    expect(tasks[0]).toMatchObject({ urgent: true, reason: 'card_refund' })
    expect(tasks[0]!.subject).toContain('apruébalo por transferencia')
  })

  test('taken back by the bank before it was given, it waits for the manager, and may go to the card again', async () => {
    const who = await paid()
    const refund = await approved(who, 2_000_00)
    const made = stripe.account.refund(who.charge, 2_000_00, { refund: refund.id })
    await tell(stripe.account.failRefund(given(who)[0]!))
    expect(made).toBeDefined()
    expect((await refundsOf(world, who.home.projectId))[0]).toMatchObject({
      state: 'requested',
      method: null,
    })
    expect(await tasksOf(who)).toHaveLength(1)
    const again = { state: 'approved', method: 'card', sourceId: who.payment.id, version: 3 } as const
    await world.db
      .update(refunds)
      .set({ ...again, decidedBy: refund.decidedBy, decidedAt: new Date() })
      .where(eq(refunds.id, refund.id))
    await give(refund.id)
    expect(await refundRows(who)).toEqual(['refund paid -2000'])
    expect(given(who).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  })

  test('not approved, nothing is given back', async () => {
    const who = await paid()
    const refund = await approved(who, 2_000_00)
    await world.db
      .update(refunds)
      .set({ state: 'requested', decidedBy: null, decidedAt: null })
      .where(eq(refunds.id, refund.id))
    await give(refund.id)
    expect(given(who)).toEqual([])
  })
})

describe('given back at Stripe’s own pages', () => {
  test('each part is a negative row, once', async () => {
    const who = await paid()
    const first = during(() => stripe.account.refund(who.charge, 1_500_00))
    await tellAll(first)
    const second = during(() => stripe.account.refund(who.charge, 500_00))
    await tellAll([...second, ...first.map(retold), ...second, ...second.map(retold)])
    expect(await refundRows(who)).toEqual(['refund paid -1500', 'refund paid -500'])
    const made = await refundsOf(world, who.home.projectId)
    expect(made.map(({ amount, decidedBy, method, state }) => [amount, decidedBy, method, state])).toEqual([
      [1_500_00, null, 'card', 'paid'],
      [500_00, null, 'card', 'paid'],
    ])
    expect(await stored(who)).toMatchObject({ state: 'paid', amount: 5_000_00 })
  })

  test('told before the payment is', async () => {
    const who = await debtor()
    const page = await openPage(who)
    stripe.account.payByCard(page)
    const told = during(() => stripe.account.refund(stripe.account.chargeOf(page), 5_000_00))
    await tellAll(told)
    expect((await ledger(who)).filter((row) => row.includes('paid'))).toEqual([
      'deposit paid 5000',
      'refund paid -5000',
    ])
  })

  test('Stripe, asked what was given back, does not answer: it tells again', async () => {
    const who = await paid()
    const told = during(() => stripe.account.refund(who.charge, 5_000_00)).at(-1)!
    stripe.troubles.push('error', 'error', 'error')
    expect(await tell(told)).toBe(503)
    expect(await refundRows(who)).toEqual([])
    expect(await tell(told)).toBe(200)
    expect(await refundRows(who)).toEqual(['refund paid -5000'])
  })

  test('taken back by the bank, somebody is told', async () => {
    const who = await paid()
    const made = stripe.account.refund(who.charge, 5_000_00)
    await tell(stripe.account.failRefund(made))
    const [task] = await tasksOf(who)
    expect(task).toMatchObject({ urgent: true, reason: 'card_refund' })
    expect(task!.subject).toContain(who.payment.folio)
  })
})

describe('a dispute', () => {
  test('is an urgent task with the bank’s date, once', async () => {
    const who = await paid()
    const event = stripe.account.dispute(who.charge)
    await tellAll([event, event])
    const [task, ...more] = await tasksOf(who)
    expect(task).toMatchObject({ urgent: true, reason: 'card_dispute', personId: who.customer.id })
    expect(task!.subject).toBe(`Contracargo de $5,000.00 del pago ${who.payment.folio}: responde en Stripe`)
    expect(task!.dueAt.getTime()).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    expect(more).toEqual([])
    const manager = await world.person({ kind: 'manager' })
    expect((await world.visit('/admin', manager)).text).toContain('Contracargo de $5,000.00')
  })

  test('told before the payment is', async () => {
    const who = await debtor()
    const page = await openPage(who)
    stripe.account.payByCard(page)
    await tell(stripe.account.dispute(stripe.account.chargeOf(page)))
    expect(await ledger(who)).toEqual(['deposit paid 5000'])
    expect(await tasksOf(who)).toHaveLength(1)
  })
})

async function duringAsync(act: () => Promise<unknown>) {
  const before = stripe.account.events.length
  await act()
  return stripe.account.events.slice(before)
}
