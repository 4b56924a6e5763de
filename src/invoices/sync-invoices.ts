import { and, asc, eq, getTableColumns, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, type Mover, seesDeleted } from '../access/rules/actor.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { invoices, payments, quotes, refunds } from '../platform/database/schema/payments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { lockProject } from '../projects/open-project.ts'
import { centavosIn } from '../shared/money.ts'
import { refuse } from '../shared/refusal.ts'
import {
  amountIn,
  complementOf,
  creditNoteOf,
  partiesIn,
  shareCreditedBy,
  shareOfTransfers,
  shareToldBy,
} from './rules/cfdi.ts'
import type { Cfdi, IncomeCfdi } from './rules/cfdi-schema.ts'
import { type InvoiceMoveName, invoiceMachine, seesToInvoices } from './rules/invoice.ts'
import { formOfPayment, type PaymentForm } from './rules/sat-catalogues.ts'

/**
 * Asks for what follows from an issued invoice and was not asked for yet: of one in parts a complement for each payment, and
 * a credit note for what was given back. Its project is held. Answers how many.
 */
export async function enqueueInvoiceSync(tx: Tx, income: InvoiceRow): Promise<number> {
  if (income.kind !== 'income' || income.state !== 'issued' || !income.quoteId) return 0
  const [quote] = await tx.select().from(quotes).where(eq(quotes.id, income.quoteId))
  const { received, returned } = await movementsOf(tx, quote!)
  const living = (await tx
    .select()
    .from(invoices)
    .where(and(eq(invoices.projectId, income.projectId), ne(invoices.state, 'cancelled')))
    .orderBy(invoices.createdAt, invoices.id)) as InvoiceRow[]
  const asked = living.filter(({ relatesToId }) => relatesToId === income.id)
  const isAsked = ({ id }: Movement) => living.some(({ paymentId }) => paymentId === id)
  const made = [
    ...complements(
      income,
      asked,
      received.filter((one) => !isAsked(one)),
    ),
    ...creditNotes(
      income,
      asked,
      withoutExcess(income, received, returned).filter((one) => !isAsked(one)),
      quote!.folio,
    ),
  ]
  for (const one of made) await insertInvoice(tx, one)
  return made.length
}

type Made = Parameters<typeof insertInvoice>[1]
const following = ({ customerId, id, projectId, quoteId }: InvoiceRow) => ({
  projectId,
  customerId,
  quoteId,
  relatesToId: id,
})

/** In the order of the payments, each after those before it. */
function complements(
  income: InvoiceRow,
  asked: readonly InvoiceRow[],
  payments: readonly Movement[],
): Made[] {
  const request = income.request as IncomeCfdi
  if (request.MetodoPago !== 'PPD') return []
  const told = asked.flatMap((one) => (one.request.TipoDeComprobante === 'P' ? [one.request] : []))
  const before = told.map((one) => shareToldBy(one)!)
  let installment = Math.max(
    0,
    ...told.map(({ Pagos }) => Number(Pagos.Pago[0]!.DoctoRelacionado[0]!.NumParcialidad)),
  )
  return payments.flatMap(({ amount, at: paidAt, form, id }) => {
    const invoice = { uuid: income.uuid!, whole: wholeOf(request), before, installment: installment + 1 }
    const complement = complementOf(partiesIn(request), invoice, { amount, form, paidAt })
    if (!complement) return []
    installment += 1
    before.push(shareToldBy(complement)!)
    const total = centavosIn(amountIn(complement))!
    return [{ ...following(income), paymentId: id, kind: 'payment' as const, request: complement, total }]
  })
}

function creditNotes(
  income: InvoiceRow,
  asked: readonly InvoiceRow[],
  refunds: readonly Movement[],
  folio: string,
): Made[] {
  const request = income.request as IncomeCfdi
  const before = asked.flatMap((one) => shareCreditedBy(one.request) ?? [])
  return refunds.flatMap(({ amount, form, id }) => {
    const invoice = { uuid: income.uuid!, whole: wholeOf(request), before }
    // Work that is not done is nothing that comes back: 01. Where a charger does, the office says so.
    const given = { amount, form, relation: '01', about: `Devolución de la cotización ${folio}` } as const
    const note = creditNoteOf(partiesIn(request), invoice, given)
    if (!note) return []
    before.push(shareCreditedBy(note)!)
    const total = centavosIn(amountIn(note))!
    return [{ ...following(income), paymentId: id, kind: 'credit_note' as const, request: note, total }]
  })
}

const wholeOf = ({ Impuestos }: IncomeCfdi) => shareOfTransfers(Impuestos.Traslados)

/** What was paid beyond the invoice is no part of it, and giving it back takes nothing from it: the first refunds are of that. */
function withoutExcess({ total }: InvoiceRow, received: readonly Movement[], returned: readonly Movement[]) {
  let excess = Math.max(0, received.reduce((sum, { amount }) => sum + amount, 0) - total)
  return returned.flatMap((one) => {
    const ofExcess = Math.min(excess, one.amount)
    excess -= ofExcess
    return one.amount > ofExcess ? [{ ...one, amount: one.amount - ofExcess }] : []
  })
}

/** Asks for what followed since, of every invoice of a project in which money moved lately; answers how many. */
export async function syncInvoices(db: Db): Promise<number> {
  const moved = await db
    .select({ id: invoices.id })
    .from(invoices)
    .where(
      sql`${invoices.kind} = 'income' and ${invoices.state} = 'issued' and exists (
        select from payments paid where paid.project_id = ${invoices.projectId} and paid.state = 'paid'
          and paid.reversed_at is null and paid.reverses_id is null
          and paid.updated_at > now() - interval '60 days'
          and (paid.amount < 0 or ${invoices.request} ->> 'MetodoPago' = 'PPD')
          and not exists (select from invoices own where own.payment_id = paid.id and own.state <> 'cancelled'))`,
    )
  let count = 0
  for (const { id } of moved) {
    // One that fails must not keep the others waiting; the next round takes it up again.
    const followed = await transaction(db, async (tx) => {
      const income = await lockInvoice(tx, 'system', id)
      return { made: await enqueueInvoiceSync(tx, income), customerId: income.customerId }
    }).catch((err) => {
      log.error({ err, invoice: id }, 'follow-up of an invoice not requested')
      return null
    })
    if (!followed || followed.made === 0) continue
    announce(db, { people: [followed.customerId] })
    count += followed.made
  }
  return count
}

export type InvoiceRow = Omit<typeof invoices.$inferSelect, 'request'> & { request: Cfdi }
type NewInvoice = Omit<typeof invoices.$inferInsert, 'request' | 'state'> & { request: Cfdi }

/** An invoice held until the transaction ends, its project before it. For actors who may not see it, it does not exist. */
export async function lockInvoice(tx: Tx, mover: Mover, id: string): Promise<InvoiceRow> {
  if (!isId(id)) refuse('not-found')
  const seen = mover === 'system' ? undefined : visibleInvoices(mover)
  const found = and(eq(invoices.id, id), seen)
  const [row] = await tx.select({ projectId: invoices.projectId }).from(invoices).where(found)
  if (!row) return refuse('not-found')
  await lockProject(tx, row.projectId)
  const [held] = await tx.select().from(invoices).where(found).for('update')
  return (held as InvoiceRow | undefined) ?? refuse('not-found')
}

/**
 * Requests an invoice: the row, the letter to those who manage invoices, and the job that stamps it where a stamping
 * service is set up.
 */
export async function insertInvoice(tx: Tx, row: NewInvoice): Promise<void> {
  const [made] = await tx.insert(invoices).values(row).returning({ id: invoices.id })
  const invoiceId = made!.id
  await record(tx, {
    entity: 'invoice',
    entityId: invoiceId,
    actorId: row.requestedBy ?? null,
    name: 'request',
    toState: 'requested',
    data: { kind: row.kind, total: row.total },
  })
  await enqueue(tx, 'letter', { letter: 'invoice_requested', invoiceId, to: 'managers' })
  await enqueue(tx, 'stamp-invoice', { invoiceId })
}

/** Every change of an invoice's state passes here: ask the rules, write, leave a trace. */
export async function moveInvoice(
  tx: Tx,
  mover: Mover,
  { id, state, version }: InvoiceRow,
  name: InvoiceMoveName,
  set: Partial<typeof invoices.$inferInsert>,
): Promise<InvoiceRow> {
  const to = invoiceMachine.next(name, mover, { state })
  const [moved] = await tx
    .update(invoices)
    .set({ ...set, state: to, version: version + 1 })
    .where(eq(invoices.id, id))
    .returning()
  await record(tx, {
    entity: 'invoice',
    entityId: id,
    actorId: mover === 'system' ? null : mover.id,
    name,
    fromState: state,
    toState: to,
    reason: set.cancelReason ?? null,
  })
  return moved as InvoiceRow
}

/** The invoices an actor may see. For everyone else they do not exist. */
export const visibleInvoices = (actor: Actor): SQL | undefined =>
  isCustomer(actor)
    ? eq(invoices.customerId, actor.id)
    : seesToInvoices(actor)
      ? seesDeleted(actor)
        ? undefined
        : isNotDeleted(invoices.customerId)
      : sql`false`

type Quote = Pick<
  typeof quotes.$inferSelect,
  'acceptedAddOns' | 'acceptedOption' | 'content' | 'folio' | 'kind' | 'projectId'
>
type Movement = {
  id: string
  amount: number
  form: PaymentForm
  at: Date
  /** The row with which it came in as one payment: the deposit that more was paid than was asked for. */
  cameWith: string | null
}

/** What came in at once, whatever rows it became. */
export const paidAtOnce = (received: readonly Movement[]) =>
  received
    .filter(({ cameWith }) => cameWith === null)
    .map((one) => ({
      form: one.form,
      amount: received.reduce(
        (sum, { amount, cameWith }) => sum + (cameWith === one.id ? amount : 0),
        one.amount,
      ),
    }))

/**
 * What came in for a quote and what was given back of it, in centavos and in the order of the day. What was paid stays with
 * its project: of what came in before this quote was first accepted, what had been given back by then is left out.
 */
export async function movementsOf(db: Queryable, quote: Quote) {
  const [paid, since] = await Promise.all([paidRows(db, quote.projectId), firstAccepted(db, quote)])
  const rows = paid.filter(quote.kind === 'installation' ? isOfInstallation : isOf(quote))
  const movements = rows.map((row): Movement => {
    const { amount, cardFunding, id, method, paidAt } = row
    const first = rows.find((other) => isExcessOf(row, other))
    return { id, amount, at: paidAt!, form: formOfPayment(method!, cardFunding), cameWith: first?.id ?? null }
  })
  const before = movements.filter(({ at }) => at < since)
  const after = movements.filter(({ at }) => at >= since)
  return {
    received: [...leftOf(before), ...after.filter(({ amount }) => amount > 0)],
    returned: after.flatMap((one) => (one.amount < 0 ? [{ ...one, amount: -one.amount }] : [])),
  }
}

const paidRows = (db: Queryable, projectId: string) =>
  db
    .select({ ...getTableColumns(payments), folio: quotes.folio, kind: quotes.kind })
    .from(payments)
    .leftJoin(refunds, eq(refunds.id, payments.refundId))
    .leftJoin(quotes, eq(quotes.id, sql`coalesce(${payments.quoteId}, ${refunds.quoteId})`))
    .where(
      and(
        eq(payments.projectId, projectId),
        eq(payments.state, 'paid'),
        // A mistake and what took it back are no money.
        isNull(payments.reversedAt),
        isNull(payments.reversesId),
      ),
    )
    .orderBy(asc(payments.paidAt), asc(payments.id))
type PaidRow = Awaited<ReturnType<typeof paidRows>>[number]

/** A visit's fee that was credited is part of the installation's price. */
const isOfInstallation = ({ concept, feeOutcome, kind }: PaidRow) =>
  concept === 'deposit' ||
  concept === 'balance' ||
  (concept === 'visit_fee' && feeOutcome === 'credited') ||
  (concept === 'refund' && kind !== 'extra_work')
const isOf =
  (quote: Quote) =>
  ({ concept, folio }: PaidRow) =>
    folio === quote.folio && (concept === 'extra_work' || concept === 'refund')

/** Written by the same payment, beyond what the other asked for: it was never asked for, and has no proof of its own. */
const isExcessOf = (row: PaidRow, other: PaidRow) =>
  row.followsId === other.id &&
  row.version === 1 &&
  row.method === other.method &&
  row.paidAt?.getTime() === other.paidAt?.getTime() &&
  row.cardReference === null &&
  row.trackingKey === null

async function firstAccepted(db: Queryable, { folio }: Quote): Promise<Date> {
  const [first] = await db
    .select({ at: quotes.acceptedAt })
    .from(quotes)
    .where(and(eq(quotes.folio, folio), isNotNull(quotes.acceptedAt)))
    .orderBy(asc(quotes.acceptedAt))
    .limit(1)
  return first?.at ?? new Date(0)
}

/** What is left of payments after what was given back, which is taken from the latest. */
function leftOf(movements: readonly Movement[]): Movement[] {
  let returned = -movements.reduce((sum, { amount }) => sum + Math.min(0, amount), 0)
  const left = movements.toReversed().flatMap((one) => {
    const taken = Math.min(returned, Math.max(0, one.amount))
    returned -= taken
    return one.amount > taken ? [{ ...one, amount: one.amount - taken }] : []
  })
  return left.toReversed()
}
