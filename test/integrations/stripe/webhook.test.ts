import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { payments, stripeEvents } from '../../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import { refundsOf, rowsOf } from '../../kit/payments.ts'
import { emailsAbout, expectWords, rowsIn } from '../../kit/reading.ts'
import {
  cardPage,
  checkoutsOf,
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
  world,
} from '../../kit/stripe.ts'
import type { Event, Session } from './objects.ts'
import { webhookSecret } from './server.ts'
import { signed } from './signature.ts'

openShop()

const states = async (who: Parameters<typeof checkoutsOf>[0]) =>
  (await checkoutsOf(who)).map(({ state }) => state)

describe('paid by card', () => {
  test('is a paid row, once, and unlocks the installation', async () => {
    const who = await debtor()
    const page = await openPage(who)
    const told = during(() => stripe.account.payByCard(page))
    expect(told.map(({ type }) => type)).toContain('checkout.session.completed')
    await tellAll(told)
    const row = await stored(who)
    expect(row).toMatchObject({ state: 'paid', amount: 5_000_00, method: 'card', recordedBy: null })
    expect(row).toMatchObject({ cardReference: page.payment_intent, cardFunding: 'credit' })
    const [project] = await rowsIn(world, projects, { id: who.home.projectId })
    expect(project!.depositPaidAt).not.toBeNull()
    expect(await emailsAbout(world, who.payment.id)).toEqual([
      'payment_due to customer',
      'payment_received to customer',
    ])
    expect(await outcomeOf(told.at(-1)!)).toBe('paid')
    expect(await outcomeOf(told[0]!)).toBe('ignored')
    const { text } = await world.visit(cardPage(who), who.customer)
    expect(text).toContain('Recibimos tu pago de $5,000.00')
    expect(text).not.toContain('Pagar con tarjeta</button>')
  })

  test('is recorded though Stripe does not say more about it', async () => {
    const who = await debtor()
    const event = stripe.account.payByCard(await openPage(who))
    stripe.troubles.push('error')
    expect(await tell(event)).toBe(200)
    expect(await stored(who)).toMatchObject({ state: 'paid', method: 'card', cardFunding: null })
  })

  test('before we knew the page: Stripe tells faster than it answers', async () => {
    const who = await debtor()
    stripe.troubles.push('lost', 'lost', 'lost')
    await press(who)
    const [known] = await checkoutsOf(who)
    expect(known).toMatchObject({ state: 'opening', session: null })
    stripe.troubles.length = 0
    const [page] = [...stripe.account.sessions.values()].filter(
      ({ metadata }) => metadata.checkout === known!.id,
    )
    await tell(stripe.account.payByCard(page!))
    expect(await ledger(who)).toEqual(['deposit paid 5000'])
    expect((await checkoutsOf(who))[0]).toMatchObject({ state: 'paid', session: page!.id })
  })
})

describe('a message that Stripe did not sign', () => {
  const counts = async () =>
    (await world.db.select({ n: sql<number>`count(*)::int` }).from(stripeEvents))[0]!.n

  test.each<[string, (event: Event) => ReturnType<typeof signed>]>([
    [
      'changed after it was signed',
      (event) => {
        const { body, ...rest } = signed(event, webhookSecret)
        return { ...rest, body: body.replace('500000', '1') }
      },
    ],
    ['signed with another secret', (event) => signed(event, 'whsec_another')],
    ['signed five minutes ago', (event) => signed(event, webhookSecret, Math.floor(Date.now() / 1000) - 302)],
    [
      'not signed',
      (event) => {
        const { body, method } = signed(event, webhookSecret)
        return { body, method, headers: { 'content-type': 'application/json' } as never }
      },
    ],
    ['no event at all', (event) => ({ ...signed(event, webhookSecret), body: 'hola' })],
  ])('%s changes nothing', async (_what, sign) => {
    const who = await debtor()
    const event = stripe.account.payByCard(await openPage(who))
    const before = await counts()
    const answer = await world.send('/stripe/webhook', world.visitor(), sign(event))
    expect(answer.status).toBe(400)
    expect(await counts()).toBe(before)
    expect(await ledger(who)).toEqual(['deposit pending 5000'])
  })

  test('four minutes old is on its way still', async () => {
    const who = await debtor()
    const event = stripe.account.payByCard(await openPage(who))
    const late = signed(event, webhookSecret, Math.floor(Date.now() / 1000) - 240)
    expect((await world.send('/stripe/webhook', world.visitor(), late)).status).toBe(200)
    expect(await ledger(who)).toEqual(['deposit paid 5000'])
  })

  test('nor is anything else taken at that address', async () => {
    expect((await world.visit('/stripe/webhook')).status).toBe(404)
    const large = { method: 'POST', body: 'x'.repeat(1_100_000) }
    expect((await world.send('/stripe/webhook', world.visitor(), large)).status).toBe(413)
  })
})

describe('another amount than was asked for', () => {
  test.each([
    [4_800_00, ['deposit paid 4800', 'deposit pending 200'], 0],
    [5_300_00, ['deposit paid 5000', 'balance paid 300'], 0],
    [12_000_00, ['deposit paid 5000', 'balance paid 7000'], 2_000_00],
  ])('%i centavos: what came in is recorded, and somebody looks at it', async (amount, rows, tooMuch) => {
    const who = await debtor()
    const page = await openPage(who)
    page.amount_total = amount
    await tell(stripe.account.payByCard(page))
    expect((await ledger(who)).toSorted()).toEqual(rows.toSorted())
    const [task, ...more] = await tasksOf(who)
    expect(task).toMatchObject({ urgent: true, reason: 'card_amount', personId: who.customer.id })
    expect(task!.subject).toContain('que pedía $5,000.00')
    expect(more).toEqual([])
    const [refund] = await refundsOf(world, who.home.projectId)
    expect(refund?.amount ?? 0).toBe(tooMuch)
  })

  test('another currency is no payment of ours', async () => {
    const who = await debtor()
    const page = await openPage(who)
    page.currency = 'usd'
    await tell(stripe.account.payByCard(page))
    expect(await ledger(who)).toEqual(['deposit pending 5000'])
    const [task] = await tasksOf(who)
    expect(task).toMatchObject({ urgent: true, reason: 'card_currency' })
    expect(task!.subject).toContain('5000.00 USD')
  })
})

describe('OXXO', () => {
  test('a voucher waits, and is paid later', async () => {
    const who = await debtor()
    const page = await openPage(who)
    await tell(stripe.account.takeVoucher(page))
    expect(await ledger(who)).toEqual(['deposit pending 5000'])
    expect(await states(who)).toEqual(['waiting'])
    expect((await stored(who)).voucherExpiresAt).not.toBeNull()
    expect(await emailsAbout(world, who.payment.id)).toContain('voucher_made to customer')
    const { text } = await world.visit(cardPage(who), who.customer)
    expectWords(text, 'Esperando tu pago en OXXO', `${stripe.origin}/voucher/${page.id}`)
    await tellAll(during(() => stripe.account.payVoucher(page)))
    expect(await stored(who)).toMatchObject({ state: 'paid', method: 'oxxo', amount: 5_000_00 })
  })

  test('a voucher that nobody paid leaves the payment as it was', async () => {
    const who = await debtor()
    const page = await openPage(who)
    await tell(stripe.account.takeVoucher(page))
    await tell(stripe.account.loseVoucher(page))
    expect(await ledger(who)).toEqual(['deposit pending 5000'])
    expect(await states(who)).toEqual(['failed'])
    expect((await stored(who)).voucherExpiresAt).toBeNull()
    expect(await emailsAbout(world, who.payment.id)).toContain('card_failed to customer')
    expect((await world.visit(cardPage(who), who.customer)).text).not.toContain('Esperando tu pago')
    expect((await press(who)).status).toBe(303)
  })

  test.each<[string, (page: Session) => Event[], string[], string]>([
    [
      'paid before it was made',
      (page) => {
        const { takeVoucher, payVoucher } = stripe.account
        const made = takeVoucher(page)
        return [payVoucher(page), made]
      },
      ['deposit paid 5000'],
      'paid',
    ],
    [
      'lost before it was made',
      (page) => {
        const made = stripe.account.takeVoucher(page)
        return [stripe.account.loseVoucher(page), made]
      },
      ['deposit pending 5000'],
      'failed',
    ],
    [
      'lost after it was paid',
      (page) => {
        const made = stripe.account.takeVoucher(page)
        const lost = stripe.account.loseVoucher(page)
        return [made, stripe.account.payVoucher(page), lost]
      },
      ['deposit paid 5000'],
      'paid',
    ],
    [
      'expired after it was paid',
      (page) => {
        const made = stripe.account.takeVoucher(page)
        const paid = stripe.account.payVoucher(page)
        return [paid, made, stripe.account.expire(page)]
      },
      ['deposit paid 5000'],
      'paid',
    ],
  ])('told out of order: %s', async (_what, happen, rows, state) => {
    const who = await debtor()
    await tellAll(happen(await openPage(who)))
    expect(await ledger(who)).toEqual(rows)
    expect(await states(who)).toEqual([state])
  })
})

describe('paid twice', () => {
  test('on two pages: both are recorded, and the second is proposed for a refund', async () => {
    const who = await debtor(10_000_00)
    const first = await openPage(who)
    await tell(stripe.account.expire(first))
    const second = await openPage(who)
    expect(second.id).not.toBe(first.id)
    await tell(stripe.account.payByCard(second))
    // A bank that took its time: Stripe had ended the page, and the money came all the same.
    await tell(stripe.account.payByCard(first))
    expect((await ledger(who)).toSorted()).toEqual(['balance paid 10000', 'deposit paid 10000'])
    const [refund, ...more] = await refundsOf(world, who.home.projectId)
    expect(refund).toMatchObject({ state: 'requested', amount: 10_000_00, requestedBy: null })
    expect(more).toEqual([])
  })

  test('both at the same moment', async () => {
    const who = await debtor(10_000_00)
    const first = await openPage(who)
    await tell(stripe.account.expire(first))
    const second = await openPage(who)
    const told = [stripe.account.payByCard(first), stripe.account.payByCard(second)]
    expect(await Promise.all(told.map((event) => tell(event)))).toEqual([200, 200])
    expect((await ledger(who)).toSorted()).toEqual(['balance paid 10000', 'deposit paid 10000'])
  })

  test('a voucher and a card', async () => {
    const who = await debtor(10_000_00)
    const voucher = await openPage(who)
    await tell(stripe.account.takeVoucher(voucher))
    const card = await openPage(who)
    expect(card.id).not.toBe(voucher.id)
    await tell(stripe.account.payByCard(card))
    await tell(stripe.account.payVoucher(voucher))
    const rows = await rowsOf(world, who.home.projectId)
    expect(rows.map(({ method, amount }) => [method, amount])).toEqual([
      ['card', 10_000_00],
      ['oxxo', 10_000_00],
    ])
    expect((await refundsOf(world, who.home.projectId))[0]).toMatchObject({ amount: 10_000_00 })
  })

  test('by transfer meanwhile: the card is recorded too', async () => {
    const who = await debtor(10_000_00)
    const page = await openPage(who)
    await world.db
      .update(payments)
      .set({ state: 'paid', method: 'spei', paidAt: new Date() })
      .where(eq(payments.id, who.payment.id))
    await tell(stripe.account.payByCard(page))
    expect((await ledger(who)).toSorted()).toEqual(['balance paid 10000', 'deposit paid 10000'])
  })
})

describe('what is not ours', () => {
  test('a page of somebody else, and events we do not know, change nothing', async () => {
    const who = await debtor()
    const page = await openPage(who)
    const foreign = { ...page, id: 'cs_test_foreign', metadata: {} }
    const paid: Event = retold(stripe.account.payByCard(page))
    paid.data.object = { ...foreign, payment_status: 'paid', status: 'complete' }
    expect(await tell(paid)).toBe(200)
    expect(await outcomeOf(paid)).toBe('unknown')
    const odd = { ...retold(paid), type: 'customer.created' }
    expect(await tell(odd)).toBe(200)
    expect(await outcomeOf(odd)).toBe('ignored')
    expect(await ledger(who)).toEqual(['deposit pending 5000'])
  })
})

describe('a storm', () => {
  /** As many copies of the messages as wished, in any order. */
  const shuffled = (events: readonly Event[], count: number) =>
    Array.from({ length: count }, (_, at) => ({ event: events[at % events.length]!, place: Math.random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ event }) => event)

  async function storm(events: readonly Event[]) {
    const statuses: number[] = []
    const waiting = [...events]
    const sender = async () => {
      for (let event = waiting.pop(); event; event = waiting.pop()) statuses.push(await tell(event))
    }
    await Promise.all(Array.from({ length: 24 }, sender))
    return statuses
  }

  test('of 1,000 repeated and shuffled events is exactly one payment', async () => {
    const who = await debtor()
    const page = await openPage(who)
    const told = during(() => {
      stripe.account.takeVoucher(page)
      stripe.account.payVoucher(page)
    })
    // Some come again under another name.
    const all = [...told, ...told.map(retold), ...told.map(retold)]
    const statuses = await storm(shuffled(all, 1_000))
    expect(statuses).toHaveLength(1_000)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await ledger(who)).toEqual(['deposit paid 5000'])
    expect(await stored(who)).toMatchObject({ method: 'oxxo', cardReference: page.payment_intent })
    const letters = await emailsAbout(world, who.payment.id)
    expect(letters.filter((letter) => letter === 'payment_received to customer')).toHaveLength(1)
    expect(await tasksOf(who)).toEqual([])
    expect(await refundsOf(world, who.home.projectId)).toEqual([])
    const [counted] = await world.db
      .select({ n: sql<number>`count(*)::int` })
      .from(stripeEvents)
      .where(sql`${stripeEvents.id} in ${all.map(({ id }) => id)}`)
    expect(counted!.n).toBe(all.length)
  }, 60_000)

  test('with a refund and a dispute in it: one row each', async () => {
    const who = await debtor()
    const page = await openPage(who)
    const told = during(() => {
      stripe.account.payByCard(page)
      stripe.account.refund(stripe.account.chargeOf(page), 1_000_00)
      stripe.account.refund(stripe.account.chargeOf(page), 500_00)
      stripe.account.dispute(stripe.account.chargeOf(page))
    })
    const statuses = await storm(shuffled(told, 200))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const paid = (await ledger(who)).filter((row) => row.includes('paid'))
    expect(paid.toSorted()).toEqual(['deposit paid 5000', 'refund paid -1000', 'refund paid -500'])
    expect(await tasksOf(who)).toHaveLength(1)
  }, 60_000)
})
