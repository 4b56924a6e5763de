import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refundMachine } from '../../domain/payments/payment.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { assertPassword } from '../accounts/password.ts'
import { attach, keepPapers, takeDocument } from '../documents/intake.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { giveBack } from './apply-ledger.ts'
import { ledgerFactsOf, lockProject } from './payments-rows.ts'
import { insertRefund, lockOpenRefund, type RefundRow } from './propose-refund.ts'
import {
  changeRefund,
  getRefund,
  notifyAccountChanged,
  traceRefund,
  type VersionedRefund,
  writeRefund,
} from './refund-rows.ts'

type Account = { clabe: string; beneficiary: string }
/** An account as its customer says it, with what shows that it is they. */
type AccountForm = Account & { currentPassword: string }

/**
 * Asks for what there is too much of: its customer, who says with their password where to, or the manager for them. One is
 * open at a time; asked again it is the same.
 */
export async function requestRefund(
  db: Db,
  actor: Actor,
  projectId: string,
  { reason, told }: { reason: string; told?: AccountForm },
  now: Date,
): Promise<void> {
  if (actor.role !== 'customer' && actor.kind !== 'manager') refuse('permission-denied')
  if (told) {
    await assertOwn(db, actor, projectId)
    await assertPassword(db, actor, told.currentPassword, now)
  }
  const { customerId } = await transaction(db, async (tx) => {
    const project = await lockProject(tx, projectId)
    if (actor.role === 'customer' && project.customerId !== actor.id) refuse('not-found')
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

/** A customer says with their password which account a refund goes to, and is written to about it. */
export async function submitRefundAccount(
  db: Db,
  actor: Actor,
  wish: VersionedRefund & AccountForm,
  now: Date,
): Promise<void> {
  const seen = await getRefund(db, actor, wish.refundId)
  if (actor.id !== seen.customerId) refuse('permission-denied')
  await assertPassword(db, actor, wish.currentPassword, now)
  await changeRefund(db, actor, wish.refundId, async (tx, held) => {
    const { beneficiary, clabe, version } = wish
    if (held.clabe === clabe && held.beneficiary === beneficiary) return
    if (held.state !== 'requested')
      refuse('failed-precondition', 'Este reembolso ya está en camino. Pide ayuda para cambiar la cuenta.')
    if (held.version !== version) refuse('aborted')
    await writeRefund(tx, held, { clabe, beneficiary, accountAt: now })
    await traceRefund(tx, actor, held, 'tell_account', 'requested', {})
    await notifyAccountChanged(tx, held)
  })
}

export type PayingBack = VersionedRefund & { paidOn: Date; file: File | null }

/** The manager transferred an approved refund, with the bank's paper. One by card is paid by the cards' provider alone. */
export async function payRefund(
  db: Db,
  drive: Drive,
  actor: Actor,
  wish: PayingBack,
  now: Date,
): Promise<void> {
  const seen = await getRefund(db, actor, wish.refundId)
  if (isPaidBy(seen, wish)) return
  refundMachine.next('pay', actor, seen)
  if (seen.method !== 'spei')
    refuse('failed-precondition', 'Este reembolso va a su tarjeta: se registra solo.')
  const chosen = 'Elige el comprobante de la transferencia.'
  const file = wish.file ?? refuse('invalid-argument', undefined, { errors: { file: chosen } })
  if (seen.version !== wish.version) refuse('aborted')
  const { customerId, projectId } = seen
  const taken = await takeDocument(db, drive, actor, { file, purpose: 'refund_proof', customerId, projectId })
  const change = () =>
    changeRefund(db, actor, wish.refundId, async (tx, held) => {
      if (isPaidBy(held, wish)) return
      refundMachine.next('pay', actor, held)
      if (held.version !== wish.version) refuse('aborted')
      const proofId = await attach(tx, taken)
      await giveBack(tx, held, { method: 'spei', paidAt: wish.paidOn, actorId: actor.id, proofId }, now)
    })
  await keepPapers({ db, drive }, [taken], now, change)
}

const isPaidBy = ({ state, version }: RefundRow, wish: VersionedRefund) =>
  state === 'paid' && version === wish.version + 1
