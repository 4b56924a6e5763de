import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { Actor } from '../src/access/rules/actor.ts'
import { reportFault } from '../src/appointments/faults.ts'
import { confirmProof, recordOfficePayment, sendProof } from '../src/payments/proofs.ts'
import { approveRefund, payRefund } from '../src/payments/refunds.ts'
import { appointments } from '../src/platform/database/schema/appointments.ts'
import { payments, type quotes, refunds } from '../src/platform/database/schema/payments.ts'
import { acceptQuote } from '../src/quotes/accept.ts'
import { askChanges, cancelQuote, rejectQuote } from '../src/quotes/answers.ts'
import { activeCatalogue } from '../src/quotes/catalogue.ts'
import { noteViewed } from '../src/quotes/detail.ts'
import { saveDraft } from '../src/quotes/drafts.ts'
import type { QuoteContent, QuoteOption } from '../src/quotes/rules/content.ts'
import { proposeOptions } from '../src/quotes/rules/proposal.ts'
import { sendQuote } from '../src/quotes/send.ts'
import { defaultSettings } from '../src/settings/rules/settings-schema.ts'
import { addDays, localDate, toDate } from '../src/shared/calendar.ts'
import type { DemoVersion, PlannedDeal } from './deals.ts'
import { paperFile } from './files.ts'
import type { Past, Stage, Story } from './past.ts'
import { network } from './people.ts'
import { reportOf } from './reports.ts'

type QuoteRow = typeof quotes.$inferSelect

const terms = defaultSettings.quotes
/** The option that customers of the demo world accept. */
const chosen = 'recommended'
/** It belongs to no account; its check digit is valid. */
const clabe = '012180009876543215'

/** A deal with the ids of its rows, as they are once its visit is done. */
type Deal = PlannedDeal & { visitId: string; projectId: string }
type DealStage = Stage & { customer: Actor }

/** The course of a deal, from its quote to its last payment, by the same commands that screens call. */
export async function* dealStory(planned: PlannedDeal, stage: Stage): Story {
  const { customer, deal, installed, visitStart } = planned
  const { balance, deposit, refund, versions } = deal
  const own = { ...stage, customer: stage.actor(customer.email) }
  yield toDate(visitStart + versions[0]!.made)
  const theirs = and(
    eq(appointments.customerId, own.customer.id),
    eq(appointments.service, 'technical_visit'),
  )
  const [visit] = await stage.past.db.select().from(appointments).where(theirs)
  const rooted = { ...planned, visitId: visit!.id, projectId: visit!.projectId }
  let quote: QuoteRow | null = null
  for (const version of versions) quote = yield* versionStory(rooted, version, quote !== null, own)
  if (deposit) yield* paymentStory(rooted, 'deposit', deposit, minutesAfter(visitStart), own)
  if (refund) yield* refundStory(rooted, quote!, own)
  if (!balance || installed === null) return
  const { after: paid, method } = balance
  const paying = { method, paid, ...(method === 'spei' && { proof: paid - 90 }) }
  yield* paymentStory(rooted, 'balance', paying, minutesAfter(installed), own)
}

const minutesAfter = (start: number) => (later: number) => toDate(start + later)

async function* versionStory(
  deal: Deal,
  version: DemoVersion,
  isRevised: boolean,
  stage: DealStage,
): Story<QuoteRow> {
  const { analyst, customer, past } = stage
  const at = minutesAfter(deal.visitStart)
  const { made, sent = made, viewed } = version
  yield at(made)
  const content = await contentOf(deal, isRevised, sent, past)
  const draft = await saveDraft(past.db, analyst, deal.visitId, { version: 0, content }, at(made))
  if (version.sent === undefined) return draft
  yield at(sent)
  const quote = await sendQuote(past.db, analyst, draft.id, draft.version, at(sent))
  if (viewed !== undefined) {
    yield at(viewed)
    await noteViewed(past.db, customer, quote.id, at(viewed))
  }
  return yield* answerStory(deal, version, quote, stage)
}

async function* answerStory(
  { customer: person, visitStart }: Deal,
  { answered, reason = '', state }: DemoVersion,
  quote: QuoteRow,
  { customer, past: { db } }: DealStage,
): Story<QuoteRow> {
  if (answered === undefined) return quote
  const at = toDate(visitStart + answered)
  const { digest, id, version } = quote
  yield at
  if (state === 'rejected') return rejectQuote(db, customer, id, { version, reason }, at)
  if (state === 'superseded') return askChanges(db, customer, id, { version, reason }, at)
  const signed = { name: `${person.name} ${person.lastname}`, ip: network }
  const wish = { version, digest: digest!, option: chosen, addOns: [], ...signed }
  return acceptQuote(db, customer, id, wish, at)
}

async function contentOf(deal: Deal, isRevised: boolean, sent: number, { db }: Past) {
  const options = proposeOptions(reportOf(deal.of), await activeCatalogue(db))?.options ?? []
  const content: QuoteContent = {
    options: isRevised ? reworked(options) : options,
    depositPercent: terms.depositPercent,
    validUntil: addDays(localDate(deal.visitStart + sent), terms.validDays),
    warrantyMonths: terms.warrantyMonths,
    exclusions: terms.exclusions,
    refundTerms: terms.refundTerms,
    notes: '',
  }
  return content
}

/** The changes that the customer requested: no stand for the cable, and a discount. */
const reworked = (options: readonly QuoteOption[]): QuoteOption[] =>
  options.map((option, n) => ({
    ...option,
    lines: [
      ...option.lines.filter(({ description }) => !description.startsWith('Soporte')),
      {
        id: String(lastId(options) + 1 + n),
        kind: 'discount',
        description: 'Descuento por contratar este mes',
        amount: null,
        percent: 5_00,
      },
    ],
  }))

const lastId = (options: readonly QuoteOption[]) =>
  Math.max(...options.flatMap(({ addOns, lines }) => [...lines, ...addOns].map(({ id }) => Number(id))))

type Paying = { method: 'spei' | 'cash' | 'terminal'; proof?: number; paid?: number }

/** The requested amount is paid: by transfer with a proof that is reviewed, or to the manager. */
async function* paymentStory(
  { projectId }: Deal,
  concept: 'deposit' | 'balance',
  { method, paid, proof }: Paying,
  at: (later: number) => Date,
  { customer, drive, manager, past: { db } }: DealStage,
): Story {
  const asked = async () => {
    const open = and(eq(payments.projectId, projectId), inArray(payments.state, ['pending', 'in_review']))
    const [row] = await db
      .select()
      .from(payments)
      .where(and(open, eq(payments.concept, concept)))
    return { paymentId: row!.id, version: row!.version, amount: row!.amount }
  }
  if (proof !== undefined) {
    const sent = at(proof)
    yield sent
    const trackingKey = `DEMO${Math.round(sent.getTime() / 60_000)}`
    const paper = { bank: '012', trackingKey, file: paperFile() } as const
    await sendProof(db, drive, customer, { ...(await asked()), ...paper }, sent)
  }
  if (paid === undefined) return
  const paidOn = at(paid)
  yield paidOn
  const money = { ...(await asked()), paidOn, sure: null, again: null, sureKey: null }
  if (proof !== undefined) return confirmProof(db, manager, money, paidOn)
  const byHand = { bank: null, trackingKey: null, note: null, requestKey: randomUUID() }
  await recordOfficePayment(db, manager, { projectId, method, ...money, ...byHand }, paidOn)
}

/** The customer cancels in time, and all payments are refunded by transfer. */
async function* refundStory(deal: Deal, quote: QuoteRow, stage: DealStage): Story {
  const { customer, projectId } = deal
  const { drive, manager, past } = stage
  const at = minutesAfter(deal.visitStart)
  const { approved, paid } = deal.deal.refund!
  const { ended, reason = '' } = deal.deal.versions.at(-1)!
  yield at(ended!)
  await cancelQuote(past.db, stage.customer, quote.id, { version: quote.version, reason }, at(ended!))
  const proposed = async () => {
    const [row] = await past.db.select().from(refunds).where(eq(refunds.projectId, projectId))
    return { refundId: row!.id, version: row!.version }
  }
  yield at(approved)
  const account = { clabe, beneficiary: `${customer.name} ${customer.lastname}` }
  const wish = { ...(await proposed()), materials: 0, sourceId: null, ...account }
  await approveRefund(past.db, manager, wish, at(approved))
  yield at(paid)
  const transfer = { ...(await proposed()), paidOn: at(paid), file: paperFile() }
  await payRefund(past.db, drive, manager, transfer, at(paid))
}

const daysBroken = 1

/** The customer whose charger was installed last reports a fault. */
export async function* faultStory(deals: readonly PlannedDeal[], { actor, now, past: { db } }: Stage): Story {
  const { customer } = deals
    .filter(({ installed }) => installed !== null)
    .toSorted((a, b) => a.installed! - b.installed!)
    .at(-1)!
  const reported = new Date(now.getTime() - daysBroken * 86_400_000)
  yield reported
  const who = actor(customer.email)
  const theirs = and(eq(appointments.customerId, who.id), eq(appointments.service, 'installation'))
  const [installation] = await db.select().from(appointments).where(theirs)
  const description = 'El cargador se apaga solo a los diez minutos de empezar a cargar.'
  await reportFault(
    db,
    who,
    { appointmentId: installation!.id, faultId: randomUUID(), description },
    reported,
  )
}
