import { type PaymentState, paymentStateFacts } from '../../domain/payment.ts'
import { type RefundState, refundStateFacts } from '../../domain/refund.ts'
import { Badge } from '../ui/badge.tsx'

/** The state of a payment. */
export function PaymentBadge({ state }: { state: PaymentState }) {
  const { label, tone } = paymentStateFacts[state]
  return <Badge tone={tone}>{label}</Badge>
}

/** The state of a refund. */
export function RefundBadge({ state }: { state: RefundState }) {
  const { label, tone } = refundStateFacts[state]
  return <Badge tone={tone}>{label}</Badge>
}
