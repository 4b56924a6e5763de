import { and, eq, isNotNull } from 'drizzle-orm'
import { type Actor, isCustomer } from '../access/rules/actor.ts'
import { assertPassword } from '../accounts/password.ts'
import { attach, keepPapers, paperMissing, takeDocument } from '../documents/documents.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { lockProject } from '../projects/open-project.ts'
import { editedSettings } from '../settings/queries.ts'
import { refuse } from '../shared/refusal.ts'
import { giveBack, syncCharges } from './apply-ledger.ts'
import {
  changeRefund,
  getRefund,
  insertRefund,
  ledgerFactsOf,
  lockOpenRefund,
  notifyAccountChanged,
  type RefundRow,
  traceRefund,
  type VersionedRefund,
  writeRefund,
} from './rows.ts'
import { decidesRefunds, fullRefundUntil, grantedRefundStates, refundMachine } from './rules/payment.ts'

type Account = { clabe: string; beneficiary: string }

/** A customer's bank account, with their password. */
type AccountForm = Account & { currentPassword: string }

/**
 * Requests the refund of an excess: by the customer, with their account and password, or by the manager for them. One is
 * open at a time; the same form sent twice is one request.
 */
export async function requestRefund(
  db: Db,
  actor: Actor,
  projectId: string,
  { reason, told }: { reason: string; told?: AccountForm },
  now: Date,
): Promise<void> {
  if (!isCustomer(actor) && !decidesRefunds(actor)) refuse('permission-denied')
  if (told) {
    await assertOwn(db, actor, projectId)
    await assertPassword(db, actor, told.currentPassword, now)
  }
  const { customerId } = await transaction(db, async (tx) => {
    const project = await lockProject(tx, projectId)
    if (isCustomer(actor) && project.customerId !== actor.id) refuse('not-found')
    const open = await lockOpenRefund(tx, projectId)
    if (open?.reason === reason && open.requestedBy === actor.id) return project
    if (open) refuse('already-exists', `El reembolso ${open.folio} ya está en curso.`)
    const { ledger } = await ledgerFactsOf(tx, projectId)
    if (ledger.credit === 0)
      refuse(
        'failed-precondition',
        'No hay saldo a favor. Para devolver lo pagado, primero se cancela la cotización.',
      )
    const about = { projectId, customerId: project.customerId, requestedBy: actor.id }
    const account = told && { clabe: told.clabe, beneficiary: told.beneficiary, accountAt: now }
    const made = await insertRefund(tx, { ...about, ...account, amount: ledger.credit, reason }, now)
    if (account) await notifyAccountChanged(tx, made)
    return project
  })
  announce(db, { people: [customerId, projectId] })
}

async function assertOwn(db: Db, { id }: Actor, projectId: string): Promise<void> {
  const own = and(eq(projects.id, projectId), eq(projects.customerId, id))
  const [project] = await db.select({ id: projects.id }).from(projects).where(own)
  if (!project) refuse('not-found')
}

/** A customer sets the account of a refund, with their password, and is notified by e-mail. */
export async function submitRefundAccount(
  db: Db,
  actor: Actor,
  input: VersionedRefund & AccountForm,
  now: Date,
): Promise<void> {
  const seen = await getRefund(db, actor, input.refundId)
  if (actor.id !== seen.customerId) refuse('permission-denied')
  await assertPassword(db, actor, input.currentPassword, now)
  await changeRefund(db, actor, input.refundId, async (tx, held) => {
    const { beneficiary, clabe, version } = input
    if (held.clabe === clabe && held.beneficiary === beneficiary) return
    if (held.state !== 'requested')
      refuse('failed-precondition', 'Este reembolso ya está en camino. Pide ayuda para cambiar la cuenta.')
    await assertVersion(tx, actor, 'refund', held, version)
    await writeRefund(tx, held, { clabe, beneficiary, accountAt: now })
    await traceRefund(tx, actor, held, 'tell_account', 'requested', {})
    await notifyAccountChanged(tx, held)
  })
}

type PayingBack = VersionedRefund & { paidOn: Date; file: File | null }

/** The manager records the transfer of an approved refund, with its proof. The card provider pays those by card. */
export async function payRefund(
  db: Db,
  drive: Drive,
  actor: Actor,
  input: PayingBack,
  now: Date,
): Promise<void> {
  const seen = await getRefund(db, actor, input.refundId)
  if (isPaidBy(seen, input)) return
  refundMachine.next('pay', actor, seen)
  if (seen.method !== 'spei')
    refuse('failed-precondition', 'Este reembolso va a su tarjeta: se registra solo.')
  await assertVersion(db, actor, 'refund', seen, input.version)
  const file = input.file ?? paperMissing('refund_proof')
  const { customerId, projectId } = seen
  const taken = await takeDocument(db, drive, actor, { file, purpose: 'refund_proof', customerId, projectId })
  const change = () =>
    changeRefund(db, actor, input.refundId, async (tx, held) => {
      if (isPaidBy(held, input)) return
      refundMachine.next('pay', actor, held)
      await assertVersion(tx, actor, 'refund', held, input.version)
      const proofId = await attach(tx, taken)
      await giveBack(tx, held, { method: 'spei', paidAt: input.paidOn, actorId: actor.id, proofId }, now)
    })
  await keepPapers({ db, drive }, [taken], now, change)
}

const isPaidBy = ({ state, version }: RefundRow, input: VersionedRefund) =>
  state === 'paid' && version === input.version + 1

type Approving = VersionedRefund & {
  /** Materials bought for a cancelled quote, which are kept, in centavos. */
  materials: number
  /** The card payment to refund; null for a transfer. */
  sourceId: string | null
  clabe: string
  beneficiary: string
}

/** The manager approves a refund: the excess less materials bought, and its method. */
export const approveRefund = (db: Db, actor: Actor, input: Approving, now: Date): Promise<void> =>
  changeRefund(db, actor, input.refundId, async (tx, held) => {
    if (isApproved(held, actor, input)) return
    const state = refundMachine.next('approve', actor, held)
    await assertVersion(tx, actor, 'refund', held, input.version)
    const { credit } = (await ledgerFactsOf(tx, held.projectId)).ledger
    const amount = await amountOf(tx, held, input, credit)
    const way = input.sourceId
      ? await cardWay(tx, held, input.sourceId, amount)
      : { ...transferWay(held, input, now), amount }
    const decided = { decidedBy: actor.id, decidedAt: now, materials: input.materials }
    await writeRefund(tx, held, { ...way, ...decided, state })
    await traceRefund(tx, actor, held, 'approve', state, {
      amount: way.amount,
      materials: input.materials,
      method: way.method,
    })
    if (way.method === 'spei' && way.accountAt === now) await notifyAccountChanged(tx, held)
    await enqueue(tx, 'letter', { letter: 'refund_approved', refundId: held.id, to: 'customer' })
    if (way.method === 'card') await enqueue(tx, 'refund-card', { refundId: held.id })
  })

const isApproved = (
  { decidedBy, materials, sourceId, state, version }: RefundRow,
  { id }: Actor,
  input: Approving,
) =>
  (state === 'approved' || state === 'paid') &&
  [
    decidedBy === id,
    version > input.version,
    materials === input.materials,
    sourceId === input.sourceId,
  ].every(Boolean)

/** The full amount within the terms of the accepted quote. */
async function amountOf(
  tx: Tx,
  { quoteId }: RefundRow,
  { materials }: Approving,
  credit: number,
): Promise<number> {
  const wrong = (message: string) => refuse('invalid-argument', message, { errors: { materials: message } })
  const terms = materials > 0 ? await refundTermsOf(tx, quoteId) : null
  if (materials > 0 && !terms) wrong('Los materiales se descuentan solo de una cotización cancelada.')
  if (terms?.isWhole) wrong('Canceló dentro del plazo: se devuelve todo, sin descontar materiales.')
  if (credit === 0) refuse('failed-precondition', 'Ya no hay saldo a favor.')
  if (materials >= credit) wrong('Es todo lo pagado o más. Si no queda nada por devolver, di que no procede.')
  return credit - materials
}

async function cardWay(tx: Tx, { projectId }: RefundRow, sourceId: string, amount: number) {
  const ofProject = and(eq(payments.projectId, projectId), eq(payments.id, sourceId))
  const [source] = await tx
    .select()
    .from(payments)
    .where(and(ofProject, eq(payments.method, 'card')))
  if (source?.state !== 'paid' || source.amount <= 0) refuse('not-found')
  const { rows } = await tx.$client.query<{ back: string }>(
    `select coalesce(sum(amount), 0) as back from refunds where source_id = $1 and state in (${literals(grantedRefundStates)})`,
    [sourceId],
  )
  const left = source.amount - Number(rows[0]?.back ?? 0)
  if (left <= 0) refuse('failed-precondition', 'Ese pago con tarjeta ya se devolvió completo.')
  return { method: 'card' as const, sourceId, amount: Math.min(amount, left) }
}

function transferWay(held: RefundRow, typed: Approving, now: Date) {
  const clabe = typed.clabe || held.clabe
  const beneficiary = typed.beneficiary || held.beneficiary
  const isAsTold = clabe === held.clabe && beneficiary === held.beneficiary
  if (clabe && beneficiary)
    return {
      method: 'spei' as const,
      sourceId: null,
      clabe,
      beneficiary,
      accountAt: isAsTold ? held.accountAt : now,
    }
  const missing = 'Falta la cuenta: escríbela, o espera a que el cliente la dé.'
  return refuse('failed-precondition', missing, { errors: { [clabe ? 'beneficiary' : 'clabe']: missing } })
}

/** The manager refuses a refund, with a reason. */
export const refuseRefund = (
  db: Db,
  actor: Actor,
  { reason, refundId, version }: VersionedRefund & { reason: string },
  now: Date,
): Promise<void> =>
  changeRefund(db, actor, refundId, async (tx, held) => {
    if (held.state === 'refused' && held.refusedReason === reason && held.decidedBy === actor.id) return
    const state = refundMachine.next('refuse', actor, held)
    await assertVersion(tx, actor, 'refund', held, version)
    await writeRefund(tx, held, { state, refusedReason: reason, decidedBy: actor.id, decidedAt: now })
    await traceRefund(tx, actor, held, 'refuse', state, {}, reason)
    await enqueue(tx, 'letter', { letter: 'refund_refused', refundId, to: 'customer' })
    // The amount is available again for what is owed.
    if (held.state === 'approved')
      await syncCharges(tx, held.projectId, { reason: held.reason, isMailed: true }, now)
  })

/** The refund terms of an ended quote: everything, or less materials bought. */
type RefundTerms = { isWhole: boolean; until: Date; endedAt: Date }

/**
 * The terms of a quote that was cancelled after it was accepted; null of any other. Everything is given back within the
 * working days that were promised, and before the installation began.
 */
export async function refundTermsOf(db: Queryable, quoteId: string | null): Promise<RefundTerms | null> {
  const [quote] = quoteId
    ? await db
        .select()
        .from(quotes)
        .where(and(eq(quotes.id, quoteId), eq(quotes.state, 'cancelled')))
    : []
  if (!quote?.acceptedAt || !quote.endedAt) return null
  const { settings } = await editedSettings(db)
  const until = fullRefundUntil(quote.acceptedAt, settings.holidays)
  const begun = and(
    eq(appointments.projectId, quote.projectId),
    eq(appointments.service, 'installation'),
    isNotNull(appointments.startedAt),
  )
  const [installation] = await db
    .select({ startedAt: appointments.startedAt })
    .from(appointments)
    .where(begun)
    .limit(1)
  return { isWhole: quote.endedAt < until && !installation, until, endedAt: quote.endedAt }
}
