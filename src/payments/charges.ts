import { and, eq, inArray, isNull, ne, notInArray, sql } from 'drizzle-orm'
import { activeStates } from '../appointments/rules/appointment.ts'
import type { MoveName } from '../appointments/rules/transitions.ts'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { appointments, faults } from '../platform/database/schema/appointments.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { lockProject } from '../projects/open-project.ts'
import { depositGraceDays } from '../quotes/rules/quote.ts'
import { editedSettings } from '../settings/queries.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { money } from '../shared/format.ts'
import { refuse } from '../shared/refusal.ts'
import { cancelChargeRows, syncCharges } from './apply-ledger.ts'
import { insertPayment, ledgerFactsOf, type NewPayment, type PaymentRow, updatePayment } from './rows.ts'
import { chargeable, type FeeOutcome } from './rules/ledger.ts'
import { balanceDueDays, openPaymentStates, quoteConcepts, sentPaymentStates } from './rules/payment.ts'

type Accepted = Pick<
  typeof quotes.$inferSelect,
  'id' | 'kind' | 'projectId' | 'customerId' | 'acceptedTotal' | 'validUntil'
>

/**
 * Creates the charge of a quote just accepted: the deposit less earlier payments, such as a visit fee; or extra work as a
 * whole. Open charges of the project's other quotes are cancelled. The e-mail of the acceptance says how to pay it.
 */
export async function createDepositCharge(tx: Tx, quote: Accepted, now: Date): Promise<void> {
  await lockProject(tx, quote.projectId)
  const isExtra = quote.kind === 'extra_work'
  if (!isExtra) await replaceCharges(tx, quote, now)
  const { facts } = await ledgerFactsOf(tx, quote.projectId)
  const asked: Charge = isExtra
    ? { concept: 'extra_work', amount: quote.acceptedTotal ?? 0, dueAt: null, expiresAt: null }
    : { concept: 'deposit', amount: chargeable('deposit', facts), ...depositTimes(quote) }
  await createCharge(tx, quote, asked, now, { isMailed: true })
  const reason = 'Lo pagado es más que la nueva cotización.'
  await syncCharges(tx, quote.projectId, { reason, quoteId: quote.id, isMailed: true }, now)
}

/** Due on the quote's last day; it expires some days later. */
const depositTimes = ({ validUntil }: Pick<Accepted, 'validUntil'>) => ({
  dueAt: validUntil,
  expiresAt: validUntil && new Date(validUntil.getTime() + depositGraceDays * 24 * 3_600_000),
})

/** A visit fee that is paid or in review counts towards the quote; an open one is cancelled: the price includes it. */
async function replaceCharges(tx: Tx, { id, projectId }: Accepted, now: Date): Promise<void> {
  const ofProject = eq(payments.projectId, projectId)
  const fee = and(ofProject, eq(payments.concept, 'visit_fee'), sql`${payments.feeOutcome} is null`)
  await tx
    .update(payments)
    .set({ feeOutcome: 'credited', quoteId: id, version: sql`${payments.version} + 1` })
    .where(and(fee, sql`${payments.state} in (${listed(sentPaymentStates)})`))
  await cancelChargeRows(tx, and(fee, eq(payments.state, 'pending')), 'Va incluida en tu cotización.', now)
  const earlier = and(
    ofProject,
    ne(payments.quoteId, id),
    sql`${payments.concept} in (${listed(quoteConcepts)})`,
  )
  await cancelChargeRows(tx, and(earlier, eq(payments.state, 'pending')), 'Aceptaste otra versión.', now)
}

/**
 * Charges what is missing of the deposit after a payment of it was reversed, due as before and for some days at least.
 * Returns the charge, or null where nothing is missing.
 */
export async function reopenDepositCharge(tx: Tx, projectId: string, now: Date): Promise<PaymentRow | null> {
  const project = await lockProject(tx, projectId)
  const { accepted, facts } = await ledgerFactsOf(tx, projectId)
  const quote = accepted.find(({ kind }) => kind === 'installation')
  const amount = chargeable('deposit', facts)
  if (!quote || amount <= 0) return null
  const { dueAt, expiresAt } = depositTimes(quote)
  const soonest = new Date(now.getTime() + depositGraceDays * 24 * 3_600_000)
  const ends = expiresAt && expiresAt < soonest ? soonest : expiresAt
  const about = { projectId, customerId: project.customerId, quoteId: quote.id }
  return addToCharge(tx, { ...about, concept: 'deposit', amount, dueAt, expiresAt: ends }, now)
}

/**
 * Charges the balance of an installation that was handed over. Called again, it changes nothing. `isMailed`: another
 * e-mail of this event says so.
 */
export async function createBalanceCharge(
  tx: Tx,
  projectId: string,
  now: Date,
  { isMailed }: { isMailed: boolean },
): Promise<void> {
  const project = await lockProject(tx, projectId)
  const { accepted, facts } = await ledgerFactsOf(tx, projectId)
  const quote = accepted.find(({ kind }) => kind === 'installation')
  if (!quote) return
  const dueAt = new Date(now.getTime() + balanceDueDays * 24 * 3_600_000)
  const about = { id: quote.id, projectId, customerId: project.customerId }
  await createCharge(
    tx,
    about,
    { concept: 'balance', amount: chargeable('balance', facts), dueAt, expiresAt: null },
    now,
    { isMailed },
  )
}

type Charge = Pick<NewPayment, 'concept' | 'amount' | 'dueAt' | 'expiresAt'>

async function createCharge(
  tx: Tx,
  { customerId, id: quoteId, projectId }: Pick<Accepted, 'id' | 'projectId' | 'customerId'>,
  asked: Charge,
  now: Date,
  { isMailed }: { isMailed: boolean },
): Promise<void> {
  if (asked.amount <= 0) return
  const row = await addToCharge(tx, { projectId, customerId, quoteId, ...asked }, now)
  if (!row) return
  await record(tx, {
    entity: 'payment',
    entityId: row.id,
    actorId: null,
    name: 'demand',
    toState: 'pending',
    data: { amount: row.amount },
  })
  if (!isMailed) await enqueue(tx, 'letter', { letter: 'payment_due', paymentId: row.id, to: 'customer' })
}

/** Charges an amount: it is added to the quote's open charge of that concept, unless its proof is in review. */
export async function addToCharge(tx: Tx, row: NewPayment, now: Date): Promise<PaymentRow | null> {
  const [open] = row.quoteId
    ? await tx
        .select()
        .from(payments)
        .where(and(eq(payments.quoteId, row.quoteId), eq(payments.concept, row.concept), isOpen))
        .for('update')
    : []
  if (!open) return insertPayment(tx, row, now)
  if (open.state === 'in_review') return null
  return updatePayment(tx, open, { amount: open.amount + row.amount })
}

const isOpen = sql`${payments.state} in (${listed(openPaymentStates)})`

/**
 * Ends the open charges of a quote that has ended; its payments become credit, and their refund is proposed: the e-mail
 * of its end says so.
 */
export async function cancelCharges(
  tx: Tx,
  quoteId: string,
  reason: string,
  now: Date,
  toState?: 'expired',
): Promise<void> {
  const ofQuote = and(eq(payments.quoteId, quoteId), eq(payments.state, 'pending'))
  const { rows } = await tx.$client.query<{ project_id: string }>(
    'select project_id from quotes where id = $1',
    [quoteId],
  )
  const projectId = rows[0]?.project_id ?? refuse('not-found')
  await lockProject(tx, projectId)
  await cancelChargeRows(tx, ofQuote, reason, now, toState)
  await syncCharges(tx, projectId, { reason, quoteId, isMailed: true }, now)
}

/** Proposes a project's excess as a refund, if there is any. */
export async function proposeRefund(
  tx: Tx,
  { projectId, ...why }: { projectId: string; reason: string; quoteId?: string },
  now: Date,
): Promise<void> {
  await lockProject(tx, projectId)
  await syncCharges(tx, projectId, why, now)
}

const undecided = and(
  eq(payments.concept, 'visit_fee'),
  isNull(payments.feeOutcome),
  inArray(payments.state, [...openPaymentStates, 'paid']),
)

/**
 * What a visit booked now would cost, IVA included, in centavos: zero under warranty, with a code for a free visit, once a
 * quote is accepted, and where the fee of an unfinished visit still counts.
 */
export async function visitFeeFor(
  db: Queryable,
  projectId: string | null,
  { visitFee }: Pick<Settings, 'visitFee'>,
): Promise<number> {
  if (visitFee.amount === 0 || projectId === null) return visitFee.amount
  const isFree =
    (await carriedFee(db, projectId)) ??
    ((await isPaidOtherwise(db, projectId)) || (await hasFreeVisit(db, projectId)))
  return isFree ? 0 : visitFee.amount
}

/** The fee of a visit that was not finished, and was not refunded. */
async function carriedFee(db: Queryable, projectId: string): Promise<PaymentRow | null> {
  const active = db
    .select({ id: appointments.id })
    .from(appointments)
    .where(and(eq(appointments.projectId, projectId), inArray(appointments.state, [...activeStates])))
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.projectId, projectId), undecided, notInArray(payments.appointmentId, active)))
    .limit(1)
  return row ?? null
}

async function isPaidOtherwise(db: Queryable, projectId: string): Promise<boolean> {
  const accepted = and(eq(quotes.projectId, projectId), eq(quotes.state, 'accepted'))
  const installed = eq(appointments.projectId, projectId)
  const [quote] = await db.select({ id: quotes.id }).from(quotes).where(accepted).limit(1)
  const [fault] = await db
    .select({ id: faults.id })
    .from(faults)
    .innerJoin(appointments, eq(appointments.id, faults.appointmentId))
    .where(and(installed, isNull(faults.closedAt)))
    .limit(1)
  return quote !== undefined || fault !== undefined
}

type Visit = { id: string; projectId: string; customerId: string; startsAt: Date }

/** Charges the fee of a visit being booked, whose e-mail says so. `shown` is the amount on the form; callers hear it from the staff member. */
export async function createFeeCharge(
  tx: Tx,
  visit: Visit,
  settings: Pick<Settings, 'visitFee'>,
  shown: number | undefined,
  now: Date,
): Promise<void> {
  if (settings.visitFee.amount === 0 && !shown) return
  const { customerId, id: appointmentId, projectId } = visit
  await lockProject(tx, projectId)
  const carried = await carriedFee(tx, projectId)
  if (carried) await updatePayment(tx, carried, { appointmentId, dueAt: visit.startsAt })
  const amount = carried ? 0 : await visitFeeFor(tx, projectId, settings)
  if (shown !== undefined && shown !== amount)
    refuse(
      'aborted',
      `El precio de la visita cambió: ahora es ${amount === 0 ? 'gratis' : money(amount)}. Revísalo y vuelve a agendar.`,
    )
  if (amount === 0) return
  const asked = { concept: 'visit_fee', amount, dueAt: visit.startsAt } as const
  const row = await insertPayment(tx, { projectId, customerId, appointmentId, ...asked }, now)
  await record(tx, {
    entity: 'payment',
    entityId: row.id,
    actorId: null,
    name: 'demand',
    toState: 'pending',
    data: { amount },
  })
}

type Ending = MoveName | 'notViable'
type Rule = (fee: Settings['visitFee']) => boolean
const givenBack: Rule = () => false

/** What becomes of the fee, by how its visit ended. That of an unfinished visit counts for the next one. */
const kept: Partial<Record<Ending, Rule>> = {
  cancel: givenBack,
  letGo: givenBack,
  callOff: givenBack,
  cancelLate: ({ keptOnLateCancel }) => keptOnLateCancel,
  noShow: ({ keptOnNoShow }) => keptOnNoShow,
  notViable: ({ keptOnNotViable }) => keptOnNotViable,
}

/** Whether a visit has a fee whose outcome is not decided. */
export const hasFee = async (tx: Tx, visitId: string): Promise<boolean> =>
  (await tx.$count(payments, and(eq(payments.appointmentId, visitId), undecided))) > 0

/**
 * Applies the end of a visit to its fee: a paid one is kept or refunded, an open one is cancelled. `isMailed`: the e-mail
 * of the end says so.
 */
export async function endFee(
  tx: Tx,
  { id, projectId }: Pick<Visit, 'id' | 'projectId'>,
  ending: Ending,
  now: Date,
  { isMailed = false } = {},
): Promise<void> {
  const rule = kept[ending]
  if (!rule || !(await hasFee(tx, id))) return
  const ofVisit = and(eq(payments.appointmentId, id), undecided)
  await lockProject(tx, projectId)
  const { settings } = await editedSettings(tx)
  const feeOutcome: FeeOutcome = rule(settings.visitFee) ? 'kept' : 'returned'
  await cancelChargeRows(tx, and(ofVisit, eq(payments.state, 'pending')), 'La visita ya no se hace.', now)
  const decided = await tx
    .update(payments)
    .set({ feeOutcome, version: sql`${payments.version} + 1` })
    .where(ofVisit)
    .returning({ id: payments.id })
  for (const row of decided)
    await record(tx, {
      entity: 'payment',
      entityId: row.id,
      actorId: null,
      name: 'end_fee',
      reason: ending,
      data: { feeOutcome },
    })
  const reason = 'Te devolvemos lo que pagaste por tu visita.'
  await syncCharges(tx, projectId, { reason, isMailed }, now)
}

/** Whether a customer's code makes the visits of a project free; a benefit is for one project. */
export async function hasFreeVisit(db: Queryable, projectId: string): Promise<boolean> {
  const isElsewhere = sql`exists (select from clients other where other.customer_id = ${projects.customerId}
    and other.benefit_project_id is not null and other.benefit_project_id <> ${projects.id})`
  const [given] = await db
    .select({ id: clients.id })
    .from(projects)
    .innerJoin(clients, and(eq(clients.customerId, projects.customerId), isNull(clients.endedAt)))
    .innerJoin(codes, eq(codes.id, clients.codeId))
    .where(and(eq(projects.id, projectId), eq(codes.benefitKind, 'free_visit'), sql`not ${isElsewhere}`))
  return given !== undefined
}
