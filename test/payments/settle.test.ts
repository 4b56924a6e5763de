import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PaymentMethod } from '../../src/domain/payments/payment.ts'
import { cancelCharges, createBalanceCharge, proposeRefund } from '../../src/server/payments/charges.ts'
import { type IncomingPayment, recordPayment } from '../../src/server/payments/record-payment.ts'
import { ledgerFactsOf } from '../../src/server/payments/rows.ts'
import { transaction } from '../../src/server/platform/database/client.ts'
import { quotes, refunds } from '../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../src/server/platform/database/schema/projects.ts'
import { dice, rounds } from '../kit/dice.ts'
import { openEach, people, sendJobs, world } from '../kit/open.ts'
import { acceptQuote, demandOf, type Quote, refundsOf, rowsOf, wordsOf } from '../kit/payments.ts'
import type { Home } from '../kit/people.ts'
import { emailsAbout, rowIn } from '../kit/reading.ts'

openEach()
sendJobs()

let home: Home
let quote: Quote
beforeEach(async () => {
  home = await world.home(people.customer)
  quote = await acceptQuote(world, people.customer, home)
})

const now = new Date()
const take = (amount: number, paymentId: string | null, more: Partial<IncomingPayment> = {}) =>
  transaction(world.db, (tx) =>
    recordPayment(
      tx,
      { projectId: home.projectId, paymentId, amount, method: 'spei', paidAt: now, actorId: null, ...more },
      now,
    ),
  )
const rows = async () => wordsOf(await rowsOf(world, home.projectId))
const project = async () => (await rowIn(world, projects, { id: home.projectId }))!
const sums = async () => (await ledgerFactsOf(world.db, home.projectId)).ledger

test('accepting asks for the deposit, in a letter', async () => {
  expect(await rows()).toEqual(['deposit pending 5000'])
  const demand = (await demandOf(world, home.projectId))!
  expect(await emailsAbout(world, demand.id)).toEqual(['payment_due to customer'])
  expect(demand.dueAt).toEqual(quote.validUntil)
  expect((await project()).depositPaidAt).toBeNull()
})

test('the deposit paid unlocks the installation, with one letter', async () => {
  const demand = (await demandOf(world, home.projectId))!
  const { row } = await take(5_000_00, demand.id)
  expect(row).toMatchObject({ id: demand.id, state: 'paid', amount: 5_000_00, method: 'spei' })
  expect((await project()).depositPaidAt).toEqual(now)
  expect(await emailsAbout(world, home.projectId)).toEqual(['installation_ready to customer'])
  await take(100_00, null)
  expect((await project()).depositPaidAt).toEqual(now)
  expect(await emailsAbout(world, home.projectId)).toEqual(['installation_ready to customer'])
})

test('with a permit missing nothing is unlocked yet', async () => {
  await world.db.update(projects).set({ permitNeeded: true })
  await take(5_000_00, (await demandOf(world, home.projectId))!.id)
  expect((await project()).depositPaidAt).not.toBeNull()
  expect(await emailsAbout(world, home.projectId)).toEqual([])
})

test('less than was asked for leaves the rest pending', async () => {
  await take(4_800_00, (await demandOf(world, home.projectId))!.id)
  expect(await rows()).toEqual(['deposit paid 4800', 'deposit pending 200'])
  expect((await project()).depositPaidAt).toBeNull()
  const rest = (await demandOf(world, home.projectId))!
  expect(rest.expiresAt).not.toBeNull()
  await take(200_00, rest.id)
  expect((await project()).depositPaidAt).not.toBeNull()
})

test('more than was asked for goes to the balance', async () => {
  await take(5_300_00, (await demandOf(world, home.projectId))!.id, { bank: '012', trackingKey: 'ABC12345' })
  expect(await rows()).toEqual(['deposit paid 5000', 'balance paid 300'])
  await transaction(world.db, (tx) => createBalanceCharge(tx, home.projectId, now))
  expect((await demandOf(world, home.projectId, 'balance'))?.amount).toBe(4_700_00)
  expect(await refundsOf(world, home.projectId)).toEqual([])
})

test('more than everything is proposed for a refund, once', async () => {
  await take(10_500_00, (await demandOf(world, home.projectId))!.id)
  const [refund, ...more] = await refundsOf(world, home.projectId)
  expect([refund, more]).toMatchObject([{ amount: 500_00, state: 'requested', requestedBy: null }, []])
  expect(await emailsAbout(world, refund!.id)).toEqual([
    'refund_requested to customer',
    'refund_requested to managers',
  ])
  await take(100_00, null)
  expect(await refundsOf(world, home.projectId)).toMatchObject([{ amount: 600_00 }])
})

test('what was refused once is not proposed again, until there is more of it', async () => {
  await take(10_500_00, (await demandOf(world, home.projectId))!.id)
  const { id: decidedBy } = people.manager
  const refused = { state: 'refused', refusedReason: 'Es de otra obra.', decidedAt: now, decidedBy } as const
  await world.db.update(refunds).set(refused)
  const { projectId } = home
  await transaction(world.db, (tx) => proposeRefund(tx, { projectId, reason: 'Sobra.' }, now))
  expect(await refundsOf(world, home.projectId)).toHaveLength(1)
  await take(100_00, null)
  expect(await refundsOf(world, home.projectId)).toMatchObject([{ state: 'refused' }, { amount: 600_00 }])
})

test('paid twice, by card and by transfer, both are recorded and the second is credit', async () => {
  const demand = (await demandOf(world, home.projectId))!
  const twice: [PaymentMethod, Partial<IncomingPayment>][] = [
    ['card', { cardReference: 'pi_1', cardFunding: 'credit' }],
    ['spei', { bank: '012', trackingKey: 'ABC12345' }],
  ]
  await Promise.all(twice.map(([method, more]) => take(5_000_00, demand.id, { method, ...more })))
  const paid = await rowsOf(world, home.projectId)
  expect(paid.map(({ state, amount }) => [state, amount])).toEqual([
    ['paid', 5_000_00],
    ['paid', 5_000_00],
  ])
  expect(await sums()).toMatchObject({ held: 10_000_00, owed: 0, credit: 0 })
})

test('a card’s payment that is told of again, at once or later, is the same one', async () => {
  const demand = (await demandOf(world, home.projectId))!
  const told = () => take(5_000_00, demand.id, { method: 'card', cardReference: 'pi_1' })
  const answers = await Promise.all(Array.from({ length: 8 }, told))
  expect(answers.filter(({ already }) => !already)).toHaveLength(1)
  expect((await told()).already).toBe(true)
  expect(await rows()).toEqual(['deposit paid 5000'])
})

test('money that came when nothing was asked for any more is recorded, and given back', async () => {
  const demand = (await demandOf(world, home.projectId))!
  await world.db.update(quotes).set({ state: 'lapsed', endedAt: now }).where(eq(quotes.id, quote.id))
  await transaction(world.db, (tx) => cancelCharges(tx, quote.id, 'No llegó el anticipo.', now))
  expect(await rows()).toEqual(['deposit cancelled 5000'])
  await take(5_000_00, demand.id)
  expect(await rows()).toEqual(['deposit paid 5000'])
  expect((await project()).depositPaidAt).toBeNull()
  expect(await refundsOf(world, home.projectId)).toMatchObject([{ amount: 5_000_00, state: 'requested' }])
})

test('a cancelled quote takes its demands back and proposes the refund of what was paid', async () => {
  await take(5_000_00, (await demandOf(world, home.projectId))!.id)
  await transaction(world.db, (tx) => createBalanceCharge(tx, home.projectId, now))
  await world.db.update(quotes).set({ state: 'cancelled', endedAt: now }).where(eq(quotes.id, quote.id))
  await transaction(world.db, (tx) => cancelCharges(tx, quote.id, 'Ya no la quiere.', now))
  expect(await rows()).toEqual(['deposit paid 5000', 'balance cancelled 5000'])
  expect(await sums()).toMatchObject({ owed: 0, credit: 5_000_00 })
  expect(await refundsOf(world, home.projectId)).toMatchObject([
    { amount: 5_000_00, quoteId: quote.id, reason: 'Ya no la quiere.' },
  ])
  expect((await project()).depositPaidAt).toBeNull()
})

describe('another version that is accepted', () => {
  const acceptNext = async (acceptedTotal: number) => {
    await world.db.update(quotes).set({ state: 'superseded' }).where(eq(quotes.id, quote.id))
    return acceptQuote(world, people.customer, home, { acceptedTotal, depositAmount: acceptedTotal / 2 })
  }

  test('moves what was paid', async () => {
    await take(5_000_00, (await demandOf(world, home.projectId))!.id)
    await acceptNext(14_000_00)
    expect(await rows()).toEqual(['deposit paid 5000', 'deposit pending 2000'])
    expect((await project()).depositPaidAt).toBeNull()
  })

  test('asks for its own deposit and not for the earlier one', async () => {
    await acceptNext(8_000_00)
    expect(await rows()).toEqual(['deposit cancelled 5000', 'deposit pending 4000'])
  })

  test('and one that is cheaper than what was paid gives the rest back', async () => {
    await take(5_000_00, (await demandOf(world, home.projectId))!.id)
    await acceptNext(3_000_00)
    expect(await refundsOf(world, home.projectId)).toMatchObject([{ amount: 2_000_00 }])
    expect((await project()).depositPaidAt).not.toBeNull()
  })
})

test('the balance is asked for once, and extra work besides', async () => {
  await take(5_000_00, (await demandOf(world, home.projectId))!.id)
  for (let time = 0; time < 2; time++)
    await transaction(world.db, (tx) => createBalanceCharge(tx, home.projectId, now))
  await acceptQuote(world, people.customer, home, {
    kind: 'extra_work',
    acceptedTotal: 800_00,
    depositAmount: 0,
  })
  expect(await rows()).toEqual(['deposit paid 5000', 'balance pending 5000', 'extra_work pending 800'])
  expect(await sums()).toMatchObject({ owed: 5_800_00, demanded: 5_800_00 })
  await take(800_00, (await demandOf(world, home.projectId, 'extra_work'))!.id)
  await take(5_000_00, (await demandOf(world, home.projectId, 'balance'))!.id)
  expect(await sums()).toMatchObject({ owed: 0, credit: 0, held: 10_800_00 })
})

test('a walk of any payments leaves sums that match and no more asked for than is owed', async () => {
  for (let seed = 1; seed <= rounds(3); seed++) {
    const roll = dice(seed * 7919)
    const other = await world.person({ name: 'Camila' })
    home = await world.home(other)
    await acceptQuote(world, other, home)
    for (let step = 0; step < 14; step++) {
      const open = (await rowsOf(world, home.projectId)).filter(({ state }) => state !== 'paid')
      const demand = open.length > 0 ? roll.oneOf(open).id : null
      if (roll.below(4) === 0)
        await transaction(world.db, (tx) => createBalanceCharge(tx, home.projectId, now))
      else await take((1 + roll.below(3_000)) * 100, roll.below(5) === 0 ? null : demand)
      const { charged, credit, demanded, held, owed } = await sums()
      expect({ seed, step, sum: charged + credit }).toEqual({ seed, step, sum: held + owed })
      expect(demanded).toBeLessThanOrEqual(owed)
      expect(Math.min(owed, credit)).toBe(0)
      const [refund] = await refundsOf(world, home.projectId)
      expect(refund?.state === 'requested' ? refund.amount : 0).toBe(credit)
    }
  }
})
