import { payments } from '../../../src/platform/database/schema/payments.ts'
import { fixture, inParallel, setRow } from '../../kit/open.ts'
import { expectAnswered, expectPage } from '../../kit/reading.ts'
import {
  cardPage,
  checkoutsOf,
  debtor,
  ledger,
  openPage,
  openShop,
  pagesOf,
  press,
  stripe,
} from '../../kit/stripe.ts'
import { at, textsAt } from './form.ts'
import { cardError } from './server.ts'

openShop({ CARD_MSI: 'true' })

/** What was asked of Stripe to open the pages of a payment. */
const openings = (paymentId: string) =>
  stripe.calls.filter(
    ({ method, path, params }) =>
      method === 'POST' && path === '/v1/checkout/sessions' && at(params, 'metadata.payment') === paymentId,
  )

test('the card button leads to one page of Stripe for the amount owed, pressed again or many times at once', async () => {
  const who = await debtor()
  const answers = await inParallel(6, () => press(who))
  const [page, ...more] = pagesOf(who)
  for (const answer of [...answers, await press(who)])
    expect(answer).toMatchObject({ status: 303, location: page!.url })
  expect(more).toEqual([])
  expect(page).toMatchObject({
    amount_total: 5_000_00,
    currency: 'mxn',
    customer_email: who.customer.email,
    payment_method_types: ['card', 'oxxo'],
    success_url: `http://carga.test${cardPage(who)}?listo`,
    cancel_url: `http://carga.test${cardPage(who)}?sin-pagar`,
  })
  const checkouts = await checkoutsOf(who)
  const [checkout] = checkouts
  expect(checkouts).toHaveLength(1)
  expect(checkout).toMatchObject({ state: 'open', amount: 5_000_00, session: page!.id, url: page!.url })
  const [asked] = openings(who.payment.id)
  expect(asked!.key).toBe(`checkout-${checkout!.id}`)
  expect(textsAt(asked!.params, 'payment_intent_data.metadata')).toEqual({
    checkout: checkout!.id,
    payment: who.payment.id,
  })
  expect(at(asked!.params, 'line_items.0.price_data.product_data.name')).toBe(
    `Anticipo · ${who.payment.folio}`,
  )
  expect(Number(at(asked!.params, 'expires_at'))).toBe(Math.floor(checkout!.expiresAt.getTime() / 1000))
})

test('the card button closes the page and opens another after the amount changed', async () => {
  const who = await debtor()
  await press(who)
  await setRow(payments, who.payment, { amount: 4_000_00 })
  await press(who)
  expect(pagesOf(who)).toMatchObject([
    { amount_total: 5_000_00, status: 'expired' },
    { amount_total: 4_000_00, status: 'open' },
  ])
  expect(await checkoutsOf(who)).toMatchObject([{ state: 'expired' }, { state: 'open' }])
})

test('the card button records a page that was paid before it could be closed', async () => {
  const who = await debtor()
  stripe.account.payByCard(await openPage(who))
  await setRow(payments, who.payment, { amount: 4_000_00 })
  expectPage(await press(who), 409, 'Este pago ya está registrado.')
  expect(await ledger(who)).toEqual(['deposit paid 4000', 'balance paid 1000'])
})

test('ways to pay include OXXO up to $10,000.00', async () => {
  for (const [deposit, ways] of [
    [10_000_00, ['card', 'oxxo']],
    [10_000_01, ['card']],
  ] as const)
    expect((await openPage(await debtor(deposit, 30_000_00))).payment_method_types).toEqual(ways)
})

test('ways to pay include months without interest where they are on, as many as the amount allows', async () => {
  const who = await debtor()
  expect((await openPage(who)).payment_method_options.card.installments.enabled).toBe(true)
  expectPage(await fixture.visit(cardPage(who), who.customer), 200, 'Hasta 12 meses sin intereses')
  const small = await debtor(700_00)
  expectPage(await fixture.visit(cardPage(small), small.customer), 200, 'Hasta 6 meses sin intereses')
  const plain = fixture.under({ CARD_MSI: 'false' })
  const other = await debtor()
  await plain.post(cardPage(other), {}, other.customer)
  expect(pagesOf(other)[0]!.payment_method_options.card.installments.enabled).toBe(false)
  expect((await plain.visit(cardPage(other), other.customer)).text).not.toContain('sin intereses')
})

test('ways to pay do not include cards without a key', async () => {
  const who = await debtor()
  const stripe = { STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '', STRIPE_API_URL: '' }
  const bare = fixture.under({ ...stripe, CARD_MSI: '' })
  const { text } = await bare.visit(cardPage(who), who.customer)
  expect(text).not.toContain('<form method="post" action="/payments')
  const refused = await bare.post(cardPage(who), {}, who.customer)
  expectPage(refused, 409, 'Este pago no se puede hacer con tarjeta.')
  await expectAnswered(bare.send('/stripe/webhook', fixture.visitor(), { method: 'POST', body: '{}' }), 404)
})

test.each([
  ['paid', 'Este pago ya está registrado.'],
  ['cancelled', 'Este pago ya se canceló.'],
  ['expired', 'Este pago ya venció.'],
] as const)('ways to pay do not include cards for a %s payment', async (state, words) => {
  const who = await debtor()
  const paid = state === 'paid' ? { paidAt: new Date(), method: 'spei' as const } : {}
  await setRow(payments, who.payment, { state, ...paid })
  expectPage(await press(who), 409, words)
  expect(pagesOf(who)).toEqual([])
})

test('does not find a payment of another customer, or an id that is no UUID', async () => {
  const who = await debtor()
  await expectAnswered(fixture.data(cardPage(who), await fixture.person()), 404)
  await expectAnswered(fixture.data('/payments/tarjeta/x', who.customer), 404)
  await expectAnswered(fixture.post('/payments/tarjeta/x', {}, who.customer), 404)
})

test.each(['error', 'lost', 'silent'] as const)(
  'when Stripe fails, repeats the request under the same key after: %s',
  async (trouble) => {
    const who = await debtor()
    stripe.troubles.push(trouble)
    await expectAnswered(press(who), 303)
    const asked = openings(who.payment.id)
    expect(asked).toHaveLength(2)
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
    expect(pagesOf(who)).toHaveLength(1)
  },
)

test('when Stripe fails, tells the customer after the third failure, and goes on with the same page at the next press', async () => {
  const who = await debtor()
  stripe.troubles.push('lost', 'error', 'error')
  expectPage(
    await press(who),
    503,
    'No pudimos abrir el pago con tarjeta',
    'no se te cobró nada',
    'Pedir ayuda',
  )
  await expectAnswered(press(who), 303)
  expect(pagesOf(who)).toHaveLength(1)
  expect(await checkoutsOf(who)).toHaveLength(1)
})

test('when Stripe fails, words a card error without Stripe’s details', async () => {
  const who = await debtor()
  stripe.troubles.push(cardError)
  const answer = await press(who)
  expectPage(answer, 409, 'El banco rechazó la tarjeta')
  expect(answer.text).not.toContain('insufficient')
  await expectAnswered(press(who), 303)
})

test('when Stripe fails: a key that Stripe refuses makes cards unavailable', async () => {
  const who = await debtor()
  const wrong = fixture.under({ STRIPE_SECRET_KEY: 'sk_test_wrong' })
  const answer = await wrong.post(cardPage(who), {}, who.customer)
  expectPage(answer, 503, 'El pago con tarjeta no está disponible')
  expect(answer.text).not.toContain('API')
})
