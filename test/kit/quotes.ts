import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { recordPayment } from '../../src/payments/record-payment.ts'
import { transaction } from '../../src/platform/database/client.ts'
import { payments, quotes } from '../../src/platform/database/schema/payments.ts'
import { projects } from '../../src/platform/database/schema/projects.ts'
import { type Acceptance, acceptQuote } from '../../src/quotes/accept.ts'
import { builderFor } from '../../src/quotes/drafts.ts'
import type { ChargedLine, QuoteContent, QuoteOption } from '../../src/quotes/rules/content.ts'
import { fieldsOf } from '../../src/quotes/rules/draft.ts'
import { totalsOfOption } from '../../src/quotes/rules/totals.ts'
import { sendQuote } from '../../src/quotes/send.ts'
import { addDays, localDate, toMinutes } from '../../src/shared/calendar.ts'
import { hour, storeVisit, type Visit } from './appointments.ts'
import type { Fixture } from './fixture.ts'
import { ago, analyst, customer, db, fixture, people, rowWhere, technician } from './open.ts'
import type { Home, Person } from './people.ts'
import { insertIn } from './reading.ts'
import { writeSheet } from './reports.ts'

export type Quote = typeof quotes.$inferSelect
type Stored = Partial<typeof quotes.$inferInsert>

/** A line of a quote: one piece of 1,000 pesos without IVA, unless told otherwise. */
export const line = (id: string, changes: Partial<ChargedLine> = {}): ChargedLine => ({
  id,
  kind: 'material',
  description: `Partida ${id}`,
  unit: 'pieza',
  quantity: 1000,
  unitPrice: 1000_0000,
  iva: 16,
  satProduct: '26121600',
  satUnit: 'H87',
  ...changes,
})

/** An option of a quote: one line, and an add-on of 500 pesos. */
export const option = (id: QuoteOption['id'], changes: Partial<QuoteOption> = {}): QuoteOption => ({
  id,
  summary: 'Lo que necesitas.',
  lines: [line('cable')],
  addOns: [line('funda', { description: 'Funda', unitPrice: 500_0000 })],
  metres: { included: 100, furtherPrice: 300_0000 },
  ...changes,
})

/** What a quote offers: Esencial for $1,160.00 and Recomendada for $2,320.00, half of it as the deposit, for 15 days. */
export const content = (changes: Partial<QuoteContent> = {}): QuoteContent => ({
  options: [option('essential'), option('recommended', { lines: [line('cable'), line('tubo')] })],
  depositPercent: 50,
  validUntil: addDays(localDate(toMinutes(new Date())), 15),
  warrantyMonths: 12,
  exclusions: 'Obra civil.',
  refundTerms: 'Lo de siempre.',
  notes: '',
  ...changes,
})

/** A visit that was carried out yesterday, its report approved. */
export async function visited(
  customer: Person,
  technician: Person,
  home?: Home,
  answers = {},
): Promise<Visit> {
  const started = ago(24 * hour)
  const visit = await storeVisit(fixture, customer, home ?? (await fixture.home(customer)), started, {
    state: 'done',
    outcome: 'completed',
    assigneeId: technician.id,
    closingNote: 'Todo bien.',
    startedAt: started,
    finishedAt: new Date(started.getTime() + hour),
  })
  await writeSheet(fixture, { ...visit, state: 'approved' }, { feasibility: 'viable', ...answers })
  return visit
}

/** A draft written straight into the database. */
export async function storeDraft(
  fixture: Pick<Fixture, 'db'>,
  { customerId, id: appointmentId, projectId }: Pick<Visit, 'id' | 'customerId' | 'projectId'>,
  maker: Person,
  input: Stored = {},
): Promise<Quote> {
  const offered = input.content ?? content()
  const totals = offered.options.map((one) => totalsOfOption(one).total)
  return insertIn(fixture, quotes, {
    folio: `COT-PRUEBA-${randomUUID().slice(0, 8)}`,
    projectId,
    customerId,
    appointmentId,
    lowestTotal: Math.min(...totals),
    highestTotal: Math.max(...totals),
    madeBy: maker.id,
    ...input,
    content: offered,
  })
}

/** A quote that was sent, of a visit of yesterday's. Jobs have to be sent (`sendJobs`). */
export async function storeSent(
  { customer, technician, maker }: { customer: Person; technician: Person; maker: Person },
  input: Stored = {},
): Promise<Quote> {
  return sendDraft(
    fixture,
    maker,
    await storeDraft(fixture, await visited(customer, technician), maker, input),
  )
}

/** A user sends a draft, now. */
export const sendDraft = (
  { db }: Pick<Fixture, 'db'>,
  by: Person,
  { id, version }: Pick<Quote, 'id' | 'version'>,
): Promise<Quote> => sendQuote(db, by.actor, id, version, new Date())

/** How a customer accepts a quote that they were sent, of which they saw everything. */
export const wishOf = ({ digest, version }: Quote, changes: Partial<Acceptance> = {}): Acceptance => ({
  version,
  digest: digest!,
  option: 'recommended',
  addOns: [],
  name: 'Camila Prueba',
  ip: '10.0.0.1',
  ...changes,
})

/** A user sends a draft, and its customer accepts Esencial. */
export async function agreeOn(by: Person, customer: Person, draft: Quote) {
  const sent = await sendDraft(fixture, by, draft)
  return acceptQuote(db, customer.actor, sent.id, wishOf(sent, { option: 'essential' }), new Date())
}

/** What is asked for now is paid in cash, or a part of it. */
export const payCash = (amount: number) =>
  transaction(db, async (tx) => {
    const [demand] = await tx.select().from(payments).where(eq(payments.state, 'pending'))
    const { id: paymentId, projectId } = demand!
    const came = { method: 'cash' as const, paidAt: new Date(), actorId: null }
    return recordPayment(tx, { projectId, paymentId, amount, ...came }, new Date())
  })

export const projectOf = async ({ projectId: id }: Pick<Quote, 'projectId'>) =>
  (await rowWhere(projects, { id }))!

/** "deposit pending 145000", of everything in the fixture that was asked for. */
export const askedIn = async (): Promise<string[]> =>
  (await db.select().from(payments).orderBy(payments.createdAt)).map(
    ({ amount, concept, state }) => `${concept} ${state} ${amount}`,
  )

/** The next version of a quote, as a draft. */
export const storeNext = (
  { appointmentId, customerId, folio, id, projectId, revision }: Quote,
  maker: Person,
  input: Stored = {},
) =>
  storeDraft(fixture, { id: appointmentId, customerId, projectId }, maker, {
    folio,
    revision: revision + 1,
    replacesId: id,
    ...input,
  })

export const quoteOf = async ({ id }: Pick<Quote, 'id'>): Promise<Quote> => (await rowWhere(quotes, { id }))!

/** The quote that a step sent. */
export let sent: Quote

/** A step: the analyst sends the customer a quote. */
export async function sendOne(input: Stored = {}) {
  const { analyst: maker } = people
  sent = await storeSent({ customer, technician, maker }, input)
}

/** An installation of a quote, now and by the technician unless told otherwise. */
export const installationOf = (
  { address, projectId }: Quote,
  startsAt = new Date(),
  input: Partial<Visit> = {},
) =>
  storeVisit(fixture, customer, { projectId, addressId: '', address } as never, startsAt, {
    service: 'installation',
    assigneeId: technician.id,
    ...input,
  })

/** The form of the builder of a visit, as the analyst's page shows it. */
export async function builderForm(visitId: string): Promise<Record<string, string>> {
  const { building } = (await builderFor(db, analyst.actor, visitId, new Date()))!
  return { ...fieldsOf(building!.typed), version: String(building!.draft?.version ?? 0) }
}
