import { inArray } from 'drizzle-orm'
import { stripeEvents } from '../../../src/platform/database/schema/payments.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { db, expectEmails, fixture, markupOf, rowWhere, sentAbout } from '../../kit/open.ts'
import { refundsOf } from '../../kit/payments.ts'
import { expectAnswered, expectWords } from '../../kit/reading.ts'
import {
  cardPage,
  checkoutsOf,
  type Debtor,
  debtor,
  during,
  ledger,
  openPage,
  openShop,
  outcomeOf,
  press,
  retold,
  stored,
  stripe,
  tasksOf,
  tell,
  tellAll,
} from '../../kit/stripe.ts'
import type { Event, Session } from './objects.ts'
import { signed, webhookSecret } from './server.ts'

openShop()

const states = async () => (await checkoutsOf(who)).map(({ state }) => state)
const refundOf = async () => (await refundsOf(who.home.projectId))[0]
/** A customer with an open page of Stripe. */
let who: Debtor
let page: Session
beforeEach(() => pay())
async function pay(deposit?: number) {
  who = await debtor(deposit)
  page = await openPage(who)
}

test('a card payment is recorded once, emailed, and unlocks the installation', async () => {
  const sent = during(() => stripe.account.payByCard(page))
  await tellAll(sent)
  expect(await stored(who)).toMatchObject({
    state: 'paid',
    amount: 5_000_00,
    method: 'card',
    recordedBy: null,
    cardReference: page.payment_intent,
    cardFunding: 'credit',
  })
  expect((await rowWhere(projects, { id: who.home.projectId }))!.depositPaidAt).not.toBeNull()
  await expectEmails(who.payment.id, ['payment_received to customer'])
  expect(await outcomeOf(sent.at(-1)!)).toBe('paid')
  expect(await outcomeOf(sent[0]!)).toBe('ignored')
  const text = await markupOf(cardPage(who), who.customer)
  expect(text).toContain('Recibimos tu pago de $5,000.00')
  expect(text).not.toContain('Pagar con tarjeta</button>')
})

test('a card payment is recorded without details where Stripe does not answer', async () => {
  const event = stripe.account.payByCard(page)
  stripe.troubles.push('error')
  expect(await tell(event)).toBe(200)
  expect(await stored(who)).toMatchObject({ state: 'paid', method: 'card', cardFunding: null })
})

test('a card payment is recorded though the page was never known', async () => {
  who = await debtor()
  stripe.troubles.push('lost', 'lost', 'lost')
  await press(who)
  const [known] = await checkoutsOf(who)
  expect(known).toMatchObject({ state: 'opening', session: null })
  page = [...stripe.account.sessions.values()].find(({ metadata }) => metadata.checkout === known!.id)!
  await tell(stripe.account.payByCard(page))
  expect(await ledger(who)).toEqual(['deposit paid 5000'])
  expect((await checkoutsOf(who))[0]).toMatchObject({ state: 'paid', session: page.id })
})

describe('a message that Stripe did not sign', () => {
  const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
  const send = async (message: ReturnType<typeof signed>) =>
    (await fixture.send('/stripe/webhook', fixture.visitor(), message)).status

  test.each<[string, (event: Event) => Partial<ReturnType<typeof signed>>]>([
    [
      'changed after it was signed',
      (event) => ({ body: signed(event, webhookSecret).body.replace('500000', '1') }),
    ],
    ['signed with another secret', (event) => signed(event, 'whsec_another')],
    ['signed five minutes ago', (event) => signed(event, webhookSecret, ago(302))],
    ['not signed', () => ({ headers: { 'content-type': 'application/json' } as never })],
    ['no event at all', () => ({ body: 'hola' })],
  ])('%s is refused', async (_, change) => {
    const event = stripe.account.payByCard(page)
    expect(await send({ ...signed(event, webhookSecret), ...change(event) })).toBe(400)
    expect(await outcomeOf(event)).toBeUndefined()
    expect(await ledger(who)).toEqual(['deposit pending 5000'])
  })

  test('is refused by size too, while one signed four minutes ago is accepted', async () => {
    expect(await send(signed(stripe.account.payByCard(page), webhookSecret, ago(240)))).toBe(200)
    expect(await ledger(who)).toEqual(['deposit paid 5000'])
    expect(await send({ method: 'POST', body: 'x'.repeat(1_100_000), headers: {} as never })).toBe(413)
    await expectAnswered(fixture.visit('/stripe/webhook'), 404)
  })
})

test.each([
  [4_800_00, ['deposit paid 4800', 'deposit pending 200'], 0],
  [5_300_00, ['balance paid 300', 'deposit paid 5000'], 0],
  [12_000_00, ['balance paid 7000', 'deposit paid 5000'], 2_000_00],
])(
  'another amount than requested of %i centavos is recorded with a task, and a refund of what is too much',
  async (amount, rows, tooMuch) => {
    page.amount_total = amount
    await tell(stripe.account.payByCard(page))
    expect((await ledger(who)).toSorted()).toEqual(rows)
    const subject = expect.stringContaining('que pedía $5,000.00')
    const task = { urgent: true, reason: 'card_amount', personId: who.customer.id, subject }
    expect(await tasksOf(who)).toMatchObject([task])
    expect((await refundOf())?.amount ?? 0).toBe(tooMuch)
  },
)

test('another amount than requested in another currency is a task, and no payment', async () => {
  page.currency = 'usd'
  await tell(stripe.account.payByCard(page))
  expect(await ledger(who)).toEqual(['deposit pending 5000'])
  const subject = expect.stringContaining('5000.00 USD')
  expect(await tasksOf(who)).toMatchObject([{ urgent: true, reason: 'card_currency', subject }])
})

test('an OXXO voucher waits, and is paid later', async () => {
  await tell(stripe.account.takeVoucher(page))
  expect(await ledger(who)).toEqual(['deposit pending 5000'])
  expect(await states()).toEqual(['waiting'])
  expect((await stored(who)).voucherExpiresAt).not.toBeNull()
  expect(await sentAbout(who.payment.id)).toContain('voucher_made to customer')
  const text = await markupOf(cardPage(who), who.customer)
  expectWords(text, 'Esperando tu pago en OXXO', `${stripe.origin}/voucher/${page.id}`)
  await tellAll(during(() => stripe.account.payVoucher(page)))
  expect(await stored(who)).toMatchObject({ state: 'paid', method: 'oxxo', amount: 5_000_00 })
})

test('an OXXO voucher that nobody paid leaves the payment pending', async () => {
  await tell(stripe.account.takeVoucher(page))
  await tell(stripe.account.loseVoucher(page))
  expect(await ledger(who)).toEqual(['deposit pending 5000'])
  expect(await states()).toEqual(['failed'])
  expect((await stored(who)).voucherExpiresAt).toBeNull()
  expect(await sentAbout(who.payment.id)).toContain('card_failed to customer')
  expect(await markupOf(cardPage(who), who.customer)).not.toContain('Esperando tu pago')
  await expectAnswered(press(who), 303)
})

test.each([
  ['paid before it is made', ['takeVoucher', 'payVoucher'], [1, 0], 'paid'],
  ['lost before it is made', ['takeVoucher', 'loseVoucher'], [1, 0], 'failed'],
  ['lost after it is paid', ['takeVoucher', 'loseVoucher', 'payVoucher'], [0, 2, 1], 'paid'],
  ['expired after it is paid', ['takeVoucher', 'payVoucher', 'expire'], [1, 0, 2], 'paid'],
] as const)(
  'an OXXO voucher has the right state from events out of order: %s',
  async (_, happens, order, state) => {
    const events = happens.map((what) => stripe.account[what](page))
    await tellAll(order.map((at) => events[at]!))
    expect(await ledger(who)).toEqual([`deposit ${state === 'paid' ? 'paid' : 'pending'} 5000`])
    expect(await states()).toEqual([state])
  },
)

describe('a second payment', () => {
  const twice = ['balance paid 10000', 'deposit paid 10000']

  test('at the same moment on a page that had expired is recorded, and a refund proposed', async () => {
    await pay(10_000_00)
    await tell(stripe.account.expire(page))
    const second = await openPage(who)
    expect(second.id).not.toBe(page.id)
    const sent = [stripe.account.payByCard(page), stripe.account.payByCard(second)]
    expect(await Promise.all(sent.map((event) => tell(event)))).toEqual([200, 200])
    expect((await ledger(who)).toSorted()).toEqual(twice)
    const refund = { state: 'requested', amount: 10_000_00, requestedBy: null }
    expect(await refundsOf(who.home.projectId)).toMatchObject([refund])
  })

  test('by voucher after a card is recorded, and a refund proposed', async () => {
    await pay(10_000_00)
    await tell(stripe.account.takeVoucher(page))
    const card = await openPage(who)
    expect(card.id).not.toBe(page.id)
    await tell(stripe.account.payByCard(card))
    await tell(stripe.account.payVoucher(page))
    expect((await ledger(who)).toSorted()).toEqual(twice)
    expect(await stored(who)).toMatchObject({ method: 'card' })
    expect(await refundOf()).toMatchObject({ amount: 10_000_00 })
  })
})

test('ignores pages of others and unknown events', async () => {
  const paid: Event = retold(stripe.account.payByCard(page))
  paid.data.object = { ...page, id: 'cs_test_foreign', metadata: {} }
  const odd = { ...retold(paid), type: 'customer.created' }
  for (const [event, outcome] of [
    [paid, 'unknown'],
    [odd, 'ignored'],
  ] as const) {
    expect(await tell(event)).toBe(200)
    expect(await outcomeOf(event)).toBe(outcome)
  }
  expect(await ledger(who)).toEqual(['deposit pending 5000'])
})

describe('repeated and shuffled events', () => {
  /** Sends each event several times, in any order and many at once. */
  async function storm(events: readonly Event[], times: number) {
    const waiting = Array.from({ length: times }, () => events)
      .flat()
      .map((event) => ({ event, place: Math.random() }))
      .toSorted((a, b) => a.place - b.place)
    const statuses = new Set<number>()
    const sender = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) statuses.add(await tell(next.event))
    }
    await Promise.all(Array.from({ length: 12 }, sender))
    expect([...statuses]).toEqual([200])
  }

  test('make one payment and one email', async () => {
    const sent = during(() => {
      stripe.account.takeVoucher(page)
      stripe.account.payVoucher(page)
    })
    const all = [...sent, ...sent.map(retold), ...sent.map(retold)]
    await storm(all, 12)
    expect(await ledger(who)).toEqual(['deposit paid 5000'])
    expect(await stored(who)).toMatchObject({ method: 'oxxo', cardReference: page.payment_intent })
    expect(await sentAbout(who.payment.id, 'payment_received')).toHaveLength(1)
    expect([await tasksOf(who), await refundOf()]).toEqual([[], undefined])
    expect(
      await db.$count(
        stripeEvents,
        inArray(
          stripeEvents.id,
          all.map(({ id }) => id),
        ),
      ),
    ).toBe(all.length)
  })

  test('make one row of each refund, and one task of a dispute', async () => {
    const sent = during(() => {
      stripe.account.payByCard(page)
      for (const amount of [1_000_00, 500_00]) stripe.account.refund(stripe.account.chargeOf(page), amount)
      stripe.account.dispute(stripe.account.chargeOf(page))
    })
    await storm(sent, 12)
    const paid = (await ledger(who)).filter((row) => row.includes('paid'))
    expect(paid.toSorted()).toEqual(['deposit paid 5000', 'refund paid -1000', 'refund paid -500'])
    expect(await tasksOf(who)).toHaveLength(1)
  })
})
