import { reconcileCards } from '../../../src/integrations/stripe/refunds.ts'
import { payments } from '../../../src/platform/database/schema/payments.ts'
import { db, fixture, fromNow, markupOf, setRow } from '../../kit/open.ts'
import { expectPage } from '../../kit/reading.ts'
import {
  cardPage,
  cards,
  checkoutsOf,
  debtor,
  ledger,
  openPage,
  openShop,
  press,
  stored,
  storeRefund,
  stripe,
  tell,
} from '../../kit/stripe.ts'

openShop()

const minute = 60_000
const back = (who: Parameters<typeof cardPage>[0]) => `${cardPage(who)}?listo`
const inMinutes = (count: number) => fromNow(count * minute)
const reconcile = (at = inMinutes(6)) => reconcileCards(db, cards(), at)
const asked = (id: string) => stripe.calls.filter(({ method, path }) => method === 'GET' && path.includes(id))

test('the page after Stripe’s asks Stripe once, and records a payment whose event was lost', async () => {
  const who = await debtor()
  const page = await openPage(who)
  stripe.account.payByCard(page)
  expectPage(await fixture.visit(back(who), who.customer), 200, 'Recibimos tu pago de $5,000.00')
  expect(await ledger(who)).toEqual(['deposit paid 5000'])
  await fixture.visit(back(who), who.customer)
  expect(asked(page.id)).toHaveLength(1)
})

test('the page after Stripe’s records nothing that Stripe does not confirm', async () => {
  const who = await debtor()
  const page = await openPage(who)
  expect(await markupOf(back(who), who.customer)).toContain('Estamos confirmando tu pago')
  expect(await ledger(who)).toEqual(['deposit pending 5000'])
  await fixture.visit(back(who), who.customer)
  expect(asked(page.id)).toHaveLength(1)
  const other = await debtor()
  expectPage(await fixture.visit(back(other), other.customer), 200, 'Pagar con tarjeta')
})

test('the page after Stripe’s waits where Stripe does not answer', async () => {
  const who = await debtor()
  stripe.account.payByCard(await openPage(who))
  stripe.troubles.push('error', 'error', 'error')
  expectPage(await fixture.visit(back(who), who.customer), 200, 'Estamos confirmando tu pago')
})

test('the page after Stripe’s says that nothing was charged after leaving without paying', async () => {
  const who = await debtor()
  await press(who)
  expectPage(
    await fixture.visit(`${cardPage(who)}?sin-pagar`, who.customer),
    200,
    'No se te cobró nada',
    'Pagar con tarjeta',
  )
})

test('the scheduled reconciliation records payments, vouchers and expired pages whose events were lost', async () => {
  const card = await debtor()
  const oxxo = await debtor()
  const lost = await debtor()
  const ended = await debtor()
  stripe.account.payByCard(await openPage(card))
  const pending = await openPage(oxxo)
  stripe.account.takeVoucher(pending)
  const voucher = await openPage(lost)
  await tell(stripe.account.takeVoucher(voucher))
  stripe.account.loseVoucher(voucher)
  stripe.account.expire(await openPage(ended))
  await reconcile()
  expect(await ledger(card)).toEqual(['deposit paid 5000'])
  const states = await Promise.all([oxxo, lost, ended].map(async (who) => (await checkoutsOf(who))[0]!.state))
  expect(states).toEqual(['waiting', 'failed', 'expired'])
  stripe.account.payVoucher(pending)
  await reconcile(inMinutes(12))
  expect(await stored(oxxo)).toMatchObject({ state: 'paid', method: 'oxxo' })
})

test('the scheduled reconciliation closes the page of a cancelled payment', async () => {
  const who = await debtor()
  const page = await openPage(who)
  await setRow(payments, who.payment, { state: 'cancelled' })
  await reconcile()
  expect(page.status).toBe('expired')
  expect((await checkoutsOf(who))[0]!.state).toBe('expired')
})

test('the scheduled reconciliation asks about a page after five minutes, and not again within a minute', async () => {
  const page = await openPage(await debtor())
  await reconcile(new Date())
  expect(asked(page.id)).toHaveLength(0)
  await reconcile(inMinutes(6))
  await reconcile(inMinutes(7))
  expect(asked(page.id)).toHaveLength(1)
})

test('the scheduled reconciliation goes on after a page that Stripe fails', async () => {
  const first = await debtor()
  const second = await debtor()
  for (const who of [first, second]) stripe.account.payByCard(await openPage(who))
  stripe.troubles.push('error', 'error', 'error')
  await reconcile(inMinutes(20))
  await reconcile(inMinutes(40))
  expect(await ledger(first)).toEqual(['deposit paid 5000'])
  expect(await ledger(second)).toEqual(['deposit paid 5000'])
})

test('the scheduled reconciliation makes an approved refund that failed before', async () => {
  const who = await debtor()
  await tell(stripe.account.payByCard(await openPage(who)))
  await storeRefund(who, 5_000_00)
  await reconcile()
  expect((await ledger(who)).filter((row) => row.startsWith('refund'))).toEqual(['refund paid -5000'])
})
