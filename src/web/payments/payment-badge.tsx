import {
  type PaymentState,
  paymentStateFacts,
  type RefundState,
  refundStateFacts,
} from '../../domain/payments/payment.ts'
import { Badge } from '../ui/badge.tsx'

type PaymentBadgeProps = { state: PaymentState; reversedAt?: Date | null; reversesId?: string | null }

/** The state of a payment; one that was booked by mistake, and its reversal, say so. */
export function PaymentBadge({ reversedAt, reversesId, state }: PaymentBadgeProps) {
  if (reversedAt) return <Badge tone="neutral">Corregido</Badge>
  if (reversesId) return <Badge tone="neutral">Corrección</Badge>
  const { label, tone } = paymentStateFacts[state]
  return <Badge tone={tone}>{label}</Badge>
}

/** The state of a refund. */
export function RefundBadge({ state }: { state: RefundState }) {
  const { label, tone } = refundStateFacts[state]
  return <Badge tone={tone}>{label}</Badge>
}
