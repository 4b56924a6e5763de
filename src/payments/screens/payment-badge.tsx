import { Badge } from '../../ui/badge.tsx'
import { type PaymentState, type RefundState, refundStandingOf, standingOf } from '../rules/payment.ts'

type PaymentBadgeProps = { state: PaymentState; reversedAt?: Date | null; reversesId?: string | null }

/** The state of a payment; one that was booked by mistake, and its reversal, say so. */
export function PaymentBadge(payment: PaymentBadgeProps) {
  const { label, tone } = standingOf(payment)
  return <Badge tone={tone}>{label}</Badge>
}

/** The state of a refund; one whose money is no longer left over says so. */
export function RefundBadge(refund: { state: RefundState; isWithdrawn: boolean }) {
  const { label, tone } = refundStandingOf(refund)
  return <Badge tone={tone}>{label}</Badge>
}
