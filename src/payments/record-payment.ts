import { and, asc, eq, exists, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { events } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { lockProject } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { syncCharges } from './apply-ledger.ts'
import { addToCharge } from './charges.ts'
import { insertPayment, lockPayment, type NewPayment, type PaymentRow, updatePayment } from './rows.ts'
import { split } from './rules/ledger.ts'
import type { PaymentMethod } from './rules/payment.ts'
import { assertFreeKey } from './tracking-keys.ts'

/** A received payment. The caller checks who may record it. */
export type IncomingPayment = {
  projectId: string
  /** The charge that it answers; null for none. */
  paymentId: string | null
  /** Centavos. */
  amount: number
  method: PaymentMethod
  paidAt: Date
  /** When it counts, where it corrects a row of a month that is over. */
  countsAt?: Date | null
  /** Null for a provider, or the system. */
  actorId: string | null
  /** Generated with the form: sent twice, it is one payment. */
  requestKey?: string
  /** The provider's reference: a row that has it already is this payment. */
  cardReference?: string | null
  cardFunding?: string | null
  bank?: string | null
  trackingKey?: string | null
  note?: string | null
  /** It confirms the proof that the customer sent. */
  reviewed?: boolean
  /** Another e-mail of this event says so. */
  isMailed?: boolean
}

/** The row of a payment, and whether it was recorded before. */
type RecordedPayment = { row: PaymentRow; already: boolean }

/**
 * Records a received payment: less than the charge leaves the rest pending, more goes to the balance, and a double or late
 * payment is recorded as well. Then charges, the deposit and refunds follow from the ledger.
 */
export async function recordPayment(tx: Tx, taking: IncomingPayment, now: Date): Promise<RecordedPayment> {
  const project = await lockProject(tx, taking.projectId)
  const known = await knownPayment(tx, taking)
  if (known) return { row: known, already: true }
  const demand = taking.paymentId === null ? null : await lockPayment(tx, taking.paymentId)
  if (demand && demand.projectId !== project.id) refuse('not-found')
  const asked = demand && pays(demand, taking) ? demand : null
  const { bank = null, trackingKey } = taking
  if (trackingKey) await assertFreeKey(tx, { bank, trackingKey, exceptId: asked?.id ?? null, toOffice: true })
  const row = asked
    ? await payDemand(tx, asked, taking, now)
    : await payApart(tx, project, demand, taking, now)
  await traced(tx, row, taking, demand?.state ?? null)
  // The same e-mail says that the installation can be booked by now.
  if (!taking.isMailed)
    await enqueue(tx, 'letter', { letter: 'payment_received', paymentId: row.id, to: 'customer' })
  await syncCharges(tx, project.id, { reason: 'Se recibió más de lo que se debía.', isMailed: true }, now)
  return { row, already: false }
}

/** Whether the form of a payment was processed before; `recordPayment` compares its content. */
export const isRecorded = async (
  tx: Tx,
  { projectId, requestKey }: Pick<IncomingPayment, 'projectId'> & { requestKey: string },
) => (await bookedBy(tx, projectId, recordedWith(tx, requestKey))).length > 0

const recordedWith = (tx: Tx, requestKey: string) => {
  const told = and(eq(events.entity, 'payment'), eq(events.entityId, payments.id), eq(events.name, 'pay'))
  return exists(
    tx
      .select()
      .from(events)
      .where(and(told, sql`${events.data} ->> 'requestKey' = ${requestKey}`)),
  )
}

const bookedBy = (tx: Tx, projectId: string, which: SQL | undefined) =>
  tx
    .select()
    .from(payments)
    .where(and(eq(payments.projectId, projectId), which))
    .orderBy(asc(payments.createdAt), asc(payments.id))

async function knownPayment(tx: Tx, taking: IncomingPayment): Promise<PaymentRow | null> {
  const { cardReference, projectId, requestKey } = taking
  if (!cardReference && !requestKey) return null
  const same = cardReference ? eq(payments.cardReference, cardReference) : recordedWith(tx, requestKey!)
  const known = await bookedBy(tx, projectId, same)
  if (!cardReference && known.length > 0) assertSame(known, taking)
  return known[0] ?? null
}

/** Refuses a processed form that was changed and sent again: another payment needs a new form. */
function assertSame(known: readonly PaymentRow[], { amount, method }: IncomingPayment): void {
  const before = known.reduce((sum, row) => sum + row.amount, 0)
  if (before !== amount || known[0]?.method !== method)
    refuse(
      'already-exists',
      'Con este formulario ya registraste otro pago. Ábrelo de nuevo para registrar más.',
    )
}

/** Whether a payment settles its charge's row: not one that is paid, nor one whose proof is in review. */
const pays = ({ state }: PaymentRow, { reviewed = false }: IncomingPayment) =>
  state !== 'paid' && (state !== 'in_review' || reviewed)

const written = (taking: IncomingPayment, now: Date) => ({
  state: 'paid' as const,
  method: taking.method,
  paidAt: taking.paidAt,
  ...(taking.countsAt && { countsAt: taking.countsAt }),
  recordedBy: taking.actorId,
  ...(taking.bank && { bank: taking.bank }),
  ...(taking.trackingKey && { trackingKey: taking.trackingKey }),
  ...(taking.cardReference && {
    cardReference: taking.cardReference,
    cardFunding: taking.cardFunding ?? null,
  }),
  ...(taking.note && { note: taking.note }),
  ...(taking.reviewed && { reviewedBy: taking.actorId, reviewedAt: now }),
  rejectedReason: null,
})

async function payDemand(
  tx: Tx,
  demand: PaymentRow,
  taking: IncomingPayment,
  now: Date,
): Promise<PaymentRow> {
  const { excess, paid, rest } = split(demand.amount, taking.amount)
  const { appointmentId, concept, customerId, dueAt, expiresAt, feeOutcome, id, projectId, quoteId } = demand
  const row = await updatePayment(tx, demand, { ...written(taking, now), amount: paid })
  const follows = { projectId, customerId, quoteId, followsId: id }
  const asked = { appointmentId, concept, dueAt, expiresAt, feeOutcome, amount: rest }
  // Of a fee that is given back nothing more is asked for.
  const isAsked = demand.state !== 'cancelled' && feeOutcome !== 'returned'
  if (rest > 0 && isAsked) await addToCharge(tx, { ...follows, ...asked }, now)
  if (excess > 0) await payExcess(tx, { ...follows, amount: excess }, taking, now)
  return row
}

/** An excess goes to the balance, in a row of its own; the tracking key and the card reference stay with the first row. */
async function payExcess(tx: Tx, row: Omit<NewPayment, 'concept'>, taking: IncomingPayment, now: Date) {
  const { bank, cardReference, trackingKey, ...plain } = taking
  const made = await insertPayment(tx, { ...row, ...written(plain, now), concept: 'balance' }, now)
  await traced(tx, made, taking, null)
}

/** Records money without an open charge. */
async function payApart(
  tx: Tx,
  { customerId, id: projectId }: { customerId: string; id: string },
  demand: PaymentRow | null,
  taking: IncomingPayment,
  now: Date,
): Promise<PaymentRow> {
  const concept =
    demand && demand.state === 'in_review' && demand.concept !== 'visit_fee' ? demand.concept : 'balance'
  const follows = { quoteId: demand?.quoteId ?? null, followsId: demand?.id ?? null }
  const row = { projectId, customerId, ...follows, ...written(taking, now), concept, amount: taking.amount }
  return insertPayment(tx, row, now)
}

const traced = (
  tx: Tx,
  row: PaymentRow,
  { actorId, method, requestKey }: IncomingPayment,
  fromState: PaymentRow['state'] | null,
) =>
  record(tx, {
    entity: 'payment',
    entityId: row.id,
    actorId,
    name: 'pay',
    fromState,
    toState: 'paid',
    data: { amount: row.amount, method, ...(requestKey && { requestKey }) },
  })
