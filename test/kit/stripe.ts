import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { parseEnv } from '../../src/app/env.ts'
import { openCards } from '../../src/integrations/stripe/checkout-result.ts'
import type { PaymentRow } from '../../src/payments/rows.ts'
import { checkouts, payments, refunds, stripeEvents } from '../../src/platform/database/schema/payments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { startJobs, stopJobs } from '../../src/platform/jobs/jobs.ts'
import type { Event, Session } from '../integrations/stripe/objects.ts'
import { type StripeServer, signed, startStripe, webhookSecret } from '../integrations/stripe/server.ts'
import { openFixture } from './fixture.ts'
import { db, enter, fixture, newPerson, rowWhere } from './open.ts'
import { acceptQuote, demandOf, rowsOf, wordsOf } from './payments.ts'
import type { Home, Person } from './people.ts'
import { insertIn } from './reading.ts'

export let stripe: StripeServer

/** One fixture for the file, that takes cards from a Stripe of its own; each test has customers of its own. */
export function openShop(environment: Record<string, string> = {}) {
  beforeAll(async () => {
    stripe = await startStripe()
    enter(await openFixture({ ...stripe.environment, ...environment }))
    // What a test calls directly sends jobs from the source, while the application runs from its build.
    await startJobs(db)
  })
  afterEach(() => {
    stripe.troubles.length = 0
  })
  afterAll(async () => {
    await stopJobs()
    await fixture.close()
    await stripe.stop()
  })
}

/** The same cards for what a test calls directly. */
export const cards = () => openCards(parseEnv({ BASE_URL: 'http://carga.test', ...stripe.environment }))!

export type Debtor = { customer: Person; home: Home; payment: PaymentRow }

/** A customer who accepted a quote of $10,000.00 and owes its deposit, half of that unless told otherwise. */
export async function debtor(deposit = 5_000_00, total = 10_000_00): Promise<Debtor> {
  const customer = await newPerson({ name: 'Camila' })
  const home = await fixture.home(customer)
  await acceptQuote(customer, home, { acceptedTotal: total, depositAmount: deposit })
  return { customer, home, payment: (await demandOf(home.projectId))! }
}

export const cardPage = ({ payment }: Pick<Debtor, 'payment'>) => `/payments/tarjeta/${payment.id}`
/** Presses the button. */
export const press = (who: Debtor, as: Person = who.customer) => fixture.post(cardPage(who), {}, as)

/** The pages of Stripe that were opened for a payment, the oldest first. */
export const pagesOf = ({ payment }: Pick<Debtor, 'payment'>): Session[] =>
  [...stripe.account.sessions.values()].filter(({ metadata }) => metadata.payment === payment.id)

/** Presses the button, and answers the page that it leads to. */
export async function openPage(who: Debtor): Promise<Session> {
  await press(who)
  return pagesOf(who).at(-1)!
}

/** Sends an event as Stripe does; answers the status. */
export async function tell(event: Event, by = fixture): Promise<number> {
  return (await by.send('/stripe/webhook', fixture.visitor(), signed(event, webhookSecret))).status
}

/** The same for several, one after the other. */
export async function tellAll(events: readonly Event[]) {
  for (const event of events) await tell(event)
}

/** What happened at Stripe while something was done there. */
export function during(act: () => unknown): Event[] {
  const before = stripe.account.events.length
  act()
  return stripe.account.events.slice(before)
}

/** "deposit paid 5000", of each row of the customer's. */
export const ledger = async ({ home }: Pick<Debtor, 'home'>) => wordsOf(await rowsOf(home.projectId))
export const stored = async ({ payment }: Pick<Debtor, 'payment'>) =>
  (await rowWhere(payments, { id: payment.id }))!
export const checkoutsOf = async ({ payment }: Pick<Debtor, 'payment'>) =>
  db.select().from(checkouts).where(eq(checkouts.paymentId, payment.id)).orderBy(checkouts.createdAt)
export const outcomeOf = async ({ id }: Event) => (await rowWhere(stripeEvents, { id }))?.outcome
export const tasksOf = async ({ home }: Pick<Debtor, 'home'>) =>
  db.select().from(tasks).where(eq(tasks.projectId, home.projectId)).orderBy(tasks.createdAt)

/** The same event under another name, as another message about the same thing. */
export const retold = (event: Event): Event => ({ ...event, id: `evt_${randomUUID()}` })

/** A refund to the card that a manager approved. */
export async function storeRefund({ customer, home, payment }: Debtor, amount: number) {
  const manager = await newPerson({ kind: 'manager' })
  const whose = { projectId: home.projectId, customerId: customer.id, sourceId: payment.id }
  const decided = { state: 'approved', decidedBy: manager.id, decidedAt: new Date() } as const
  const folio = `REE-${payment.folio}`
  return insertIn(fixture, refunds, { ...whose, ...decided, folio, amount, reason: 'x', method: 'card' })
}
