import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { fromEpochSeconds } from '../../../domain/shared/calendar.ts'
import { money } from '../../../domain/shared/format.ts'
import type { PaymentRow } from '../../payments/rows.ts'
import type { Tx } from '../../platform/database/database.ts'
import { payments } from '../../platform/database/schema/money-schema.ts'
import type { Noted } from './note.ts'
import { tellTheDesk } from './tell-the-desk.ts'

/** A customer told their bank that a charge is not right: somebody answers the bank at Stripe's pages, before its date. */
export async function noteDispute(tx: Tx, dispute: Stripe.Dispute): Promise<Noted> {
  const intent =
    typeof dispute.payment_intent === 'object' ? dispute.payment_intent?.id : dispute.payment_intent
  const payment = intent ? await paymentBy(tx, intent) : null
  if (!payment) return { outcome: 'unknown' }
  const due = dispute.evidence_details?.due_by
  await tellTheDesk(tx, payment, {
    subject: wordsOf(dispute, payment),
    reason: 'card_dispute',
    ...(due && { dueAt: fromEpochSeconds(due) }),
  })
  return { outcome: 'task', customerId: payment.customerId }
}

function wordsOf({ amount, status }: Stripe.Dispute, { folio }: PaymentRow): string {
  const of = `${money(amount)} del pago ${folio}`
  if (status === 'won') return `Contracargo ganado: nos quedamos con ${of}`
  if (status === 'lost') return `Contracargo perdido: el banco devolvió ${of}. Habla con el cliente`
  return `Contracargo de ${of}: responde en Stripe`
}

/** The payment that Stripe knows by a name. */
export async function paymentBy(tx: Tx, reference: string): Promise<PaymentRow | null> {
  const [payment] = await tx.select().from(payments).where(eq(payments.cardReference, reference))
  return payment ?? null
}
