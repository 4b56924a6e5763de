import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { reconcileCards } from '../../../src/server/integrations/stripe/refunds.ts'
import { payments, refunds } from '../../../src/server/platform/database/schema/payments.ts'
import { expectWords, rowsIn } from '../../kit/reading.ts'
import {
  cardPage,
  cards,
  checkoutsOf,
  debtor,
  ledger,
  openPage,
  openShop,
  press,
  stripe,
  tell,
  world,
} from '../../kit/stripe.ts'

openShop()

const minute = 60_000
const back = (who: Parameters<typeof cardPage>[0]) => `${cardPage(who)}?listo`
const inMinutes = (count: number) => new Date(Date.now() + count * minute)
const reconcile = (at = inMinutes(6)) => reconcileCards(world.db, cards(), at)
const asked = (id: string) => stripe.calls.filter(({ method, path }) => method === 'GET' && path.includes(id))

describe('the page that Stripe leads back to', () => {
  test('asks Stripe once, so that a payment whose event was lost is there', async () => {
    const who = await debtor()
    const page = await openPage(who)
    stripe.account.payByCard(page)
    expect((await world.visit(back(who), who.customer)).text).toContain('Recibimos tu pago de $5,000.00')
    expect(await ledger(who)).toEqual(['deposit paid 5000'])
    await world.visit(back(who), who.customer)
    expect(asked(page.id)).toHaveLength(1)
  })

  test('takes nobody’s word for it', async () => {
    const who = await debtor()
    const page = await openPage(who)
    const { text } = await world.visit(back(who), who.customer)
    expect(text).toContain('Estamos confirmando tu pago')
    expect(await ledger(who)).toEqual(['deposit pending 5000'])
    await world.visit(back(who), who.customer)
    expect(asked(page.id)).toHaveLength(1)
    // Nothing was ever begun: there is nothing to confirm.
    const other = await debtor()
    expect((await world.visit(back(other), other.customer)).text).toContain('Pagar con tarjeta')
  })

  test('says that we wait where Stripe does not answer', async () => {
    const who = await debtor()
    const page = await openPage(who)
    stripe.account.payByCard(page)
    stripe.troubles.push('error', 'error', 'error')
    const { status, text } = await world.visit(back(who), who.customer)
    expect([status, text]).toEqual([200, expect.stringContaining('Estamos confirmando tu pago')])
  })

  test('left without paying, says that nothing was charged', async () => {
    const who = await debtor()
    await press(who)
    const { text } = await world.visit(`${cardPage(who)}?sin-pagar`, who.customer)
    expectWords(text, 'No se te cobró nada', 'Pagar con tarjeta')
  })
})

describe('the round that asks Stripe', () => {
  test('finds a payment, a voucher and an end that were not told', async () => {
    const [card, oxxo, lost, ended] = [await debtor(), await debtor(), await debtor(), await debtor()]
    stripe.account.payByCard(await openPage(card))
    stripe.account.takeVoucher(await openPage(oxxo))
    const voucher = await openPage(lost)
    await tell(stripe.account.takeVoucher(voucher))
    stripe.account.loseVoucher(voucher)
    stripe.account.expire(await openPage(ended))
    await reconcile()
    expect(await ledger(card)).toEqual(['deposit paid 5000'])
    const states = await Promise.all(
      [oxxo, lost, ended].map(async (who) => (await checkoutsOf(who))[0]!.state),
    )
    expect(states).toEqual(['waiting', 'failed', 'expired'])
    stripe.account.payVoucher(
      [...stripe.account.sessions.values()].find(({ metadata }) => metadata.payment === oxxo.payment.id)!,
    )
    await reconcile(inMinutes(12))
    const [row] = await rowsIn(world, payments, { id: oxxo.payment.id })
    expect(row).toMatchObject({ state: 'paid', method: 'oxxo' })
  })

  test('closes a page whose payment is not asked for any more', async () => {
    const who = await debtor()
    const page = await openPage(who)
    await world.db.update(payments).set({ state: 'cancelled' }).where(eq(payments.id, who.payment.id))
    await reconcile()
    expect(page.status).toBe('expired')
    expect((await checkoutsOf(who))[0]!.state).toBe('expired')
  })

  test('asks about what is new, not about what was asked lately', async () => {
    const who = await debtor()
    const page = await openPage(who)
    await reconcile(new Date())
    expect(asked(page.id)).toHaveLength(0)
    await reconcile(inMinutes(6))
    await reconcile(inMinutes(7))
    expect(asked(page.id)).toHaveLength(1)
  })

  test('one that Stripe fails does not keep the others waiting', async () => {
    const [first, second] = [await debtor(), await debtor()]
    for (const who of [first, second]) stripe.account.payByCard(await openPage(who))
    // Whichever is asked for first.
    stripe.troubles.push('error', 'error', 'error')
    await reconcile(inMinutes(20))
    await reconcile(inMinutes(40))
    expect(await ledger(first)).toEqual(['deposit paid 5000'])
    expect(await ledger(second)).toEqual(['deposit paid 5000'])
  })

  test('gives back what was approved and could not be given before', async () => {
    const who = await debtor()
    const page = await openPage(who)
    await tell(stripe.account.payByCard(page))
    const manager = await world.person({ kind: 'manager' })
    await world.db.insert(refunds).values({
      folio: `REE-${who.payment.folio}`,
      projectId: who.home.projectId,
      customerId: who.customer.id,
      state: 'approved',
      amount: 5_000_00,
      reason: 'Canceló',
      method: 'card',
      sourceId: who.payment.id,
      decidedBy: manager.id,
      decidedAt: new Date(),
    })
    await reconcile()
    expect((await ledger(who)).filter((row) => row.startsWith('refund'))).toEqual(['refund paid -5000'])
  })
})
