import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { payments } from '../../../src/server/platform/database/schema/payments.ts'
import { expectWords } from '../../kit/reading.ts'
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
  world,
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

describe('the button', () => {
  test('leads to a page of Stripe for what is owed, and back to us', async () => {
    const who = await debtor()
    const { status, location } = await press(who)
    const [page] = pagesOf(who)
    expect([status, location]).toEqual([303, page!.url])
    expect(page).toMatchObject({
      amount_total: 5_000_00,
      currency: 'mxn',
      customer_email: who.customer.email,
    })
    expect(page!.payment_method_types).toEqual(['card', 'oxxo'])
    expect(page!.success_url).toBe(`http://carga.test${cardPage(who)}?listo`)
    expect(page!.cancel_url).toBe(`http://carga.test${cardPage(who)}?sin-pagar`)
    const [checkout] = await checkoutsOf(who)
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

  test('pressed again it leads to the same page', async () => {
    const who = await debtor()
    const first = await press(who)
    expect((await press(who)).location).toBe(first.location)
    expect(pagesOf(who)).toHaveLength(1)
  })

  test('pressed many times at once it opens one page', async () => {
    const who = await debtor()
    const answers = await Promise.all(Array.from({ length: 8 }, () => press(who)))
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1)
    expect(pagesOf(who)).toHaveLength(1)
    expect(await checkoutsOf(who)).toHaveLength(1)
  })

  test('after the amount changed it closes the page at Stripe and opens another', async () => {
    const who = await debtor()
    await press(who)
    await world.db.update(payments).set({ amount: 4_000_00 }).where(eq(payments.id, who.payment.id))
    await press(who)
    expect(pagesOf(who).map(({ amount_total, status }) => [amount_total, status])).toEqual([
      [5_000_00, 'expired'],
      [4_000_00, 'open'],
    ])
    expect((await checkoutsOf(who)).map(({ state }) => state)).toEqual(['expired', 'open'])
  })

  test('a page that was paid before it could be closed is the payment', async () => {
    const who = await debtor()
    stripe.account.payByCard(await openPage(who))
    await world.db.update(payments).set({ amount: 4_000_00 }).where(eq(payments.id, who.payment.id))
    const { status, text } = await press(who)
    expect([status, text]).toEqual([409, expect.stringContaining('Este pago ya está registrado.')])
    expect(await ledger(who)).toEqual(['deposit paid 4000', 'balance paid 1000'])
  })
})

describe('what can be paid by', () => {
  test('OXXO up to $10,000.00 only', async () => {
    const page = await openPage(await debtor(10_000_00, 30_000_00))
    expect(page.payment_method_types).toEqual(['card', 'oxxo'])
    const more = await openPage(await debtor(10_000_01, 30_000_00))
    expect(more.payment_method_types).toEqual(['card'])
  })

  test('months without interest where they are switched on', async () => {
    const who = await debtor()
    expect((await openPage(who)).payment_method_options.card.installments.enabled).toBe(true)
    expect((await world.visit(cardPage(who), who.customer)).text).toContain('Hasta 12 meses sin intereses')
    const plain = world.under({ CARD_MSI: 'false' })
    const other = await debtor()
    await plain.post(cardPage(other), {}, other.customer)
    expect(pagesOf(other)[0]!.payment_method_options.card.installments.enabled).toBe(false)
    expect((await plain.visit(cardPage(other), other.customer)).text).not.toContain('sin intereses')
  })

  test('only the months that the amount is enough for', async () => {
    const who = await debtor(700_00)
    expect((await world.visit(cardPage(who), who.customer)).text).toContain('Hasta 6 meses sin intereses')
  })

  test('nothing without a key', async () => {
    const who = await debtor()
    const bare = world.under({
      STRIPE_SECRET_KEY: '',
      STRIPE_WEBHOOK_SECRET: '',
      STRIPE_API_URL: '',
      CARD_MSI: '',
    })
    expect((await bare.visit(cardPage(who), who.customer)).text).not.toContain(
      '<form method="post" action="/payments',
    )
    const { status, text } = await bare.post(cardPage(who), {}, who.customer)
    expect([status, text]).toEqual([409, expect.stringContaining('Este pago no se puede hacer con tarjeta.')])
    expect((await bare.send('/stripe/webhook', world.visitor(), { method: 'POST', body: '{}' })).status).toBe(
      404,
    )
  })

  test.each([
    ['paid', 'Este pago ya está registrado.'],
    ['cancelled', 'Este pago ya se canceló.'],
    ['expired', 'Este pago ya venció.'],
  ] as const)('nothing that is %s', async (state, words) => {
    const who = await debtor()
    const paid = state === 'paid' ? { paidAt: new Date(), method: 'spei' as const } : {}
    await world.db
      .update(payments)
      .set({ state, ...paid })
      .where(eq(payments.id, who.payment.id))
    const { status, text } = await press(who)
    expect([status, text]).toEqual([409, expect.stringContaining(words)])
    expect(pagesOf(who)).toEqual([])
  })
})

describe('whose payment it is', () => {
  test('nobody else sees it', async () => {
    const who = await debtor()
    const { customer2 } = await world.people()
    expect((await world.visit(cardPage(who), customer2)).status).toBe(404)
    expect((await world.visit('/payments/tarjeta/x', who.customer)).status).toBe(404)
    expect((await world.post('/payments/tarjeta/x', {}, who.customer)).status).toBe(404)
    expect(pagesOf(who)).toEqual([])
  })
})

describe('when Stripe fails', () => {
  test.each(['error', 'lost'] as const)(
    '%s once, the same page is asked for again under the same key',
    async (trouble) => {
      const who = await debtor()
      stripe.troubles.push(trouble)
      expect((await press(who)).status).toBe(303)
      const asked = openings(who.payment.id)
      expect(asked).toHaveLength(2)
      expect(new Set(asked.map(({ key }) => key)).size).toBe(1)
      expect(pagesOf(who)).toHaveLength(1)
    },
  )

  test('no answer in five seconds, it is asked again', async () => {
    const who = await debtor()
    stripe.troubles.push('silent')
    expect((await press(who)).status).toBe(303)
    expect(pagesOf(who)).toHaveLength(1)
  }, 15_000)

  test('again and again, its customer is told, and the next press goes on with the same page', async () => {
    const who = await debtor()
    stripe.troubles.push('lost', 'error', 'error')
    const { status, text } = await press(who)
    expect(status).toBe(503)
    expectWords(text, 'No pudimos abrir el pago con tarjeta', 'no se te cobró nada', 'Pedir ayuda')
    expect((await press(who)).status).toBe(303)
    expect(pagesOf(who)).toHaveLength(1)
    expect(await checkoutsOf(who)).toHaveLength(1)
  })

  test('a card error is told in words', async () => {
    const who = await debtor()
    stripe.troubles.push(cardError)
    const { status, text } = await press(who)
    expect(status).toBe(409)
    expect(text).toContain('El banco rechazó la tarjeta')
    expect(text).not.toContain('insufficient')
    expect((await press(who)).status).toBe(303)
  })

  test('a key that Stripe does not know is our trouble', async () => {
    const who = await debtor()
    const wrong = world.under({ STRIPE_SECRET_KEY: 'sk_test_wrong' })
    const { status, text } = await wrong.post(cardPage(who), {}, who.customer)
    expect(status).toBe(503)
    expect(text).toContain('El pago con tarjeta no está disponible')
    expect(text).not.toContain('API')
    expect((await press(who)).status).toBe(303)
  })
})
