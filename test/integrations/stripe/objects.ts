/** The objects of Stripe's API that we meet, with the fields that we read and those that give them their meaning. */
export type Session = {
  id: string
  object: 'checkout.session'
  amount_total: number
  currency: string
  created: number
  customer_email: string | null
  expires_at: number
  livemode: false
  metadata: Record<string, string>
  mode: 'payment'
  payment_intent: string | null
  payment_method_types: string[]
  payment_method_options: { card: { installments: { enabled: boolean } } }
  payment_status: 'unpaid' | 'paid'
  status: 'open' | 'complete' | 'expired'
  success_url: string
  cancel_url: string
  url: string | null
}

export type Intent = {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  created: number
  latest_charge: string | null
  metadata: Record<string, string>
  next_action: null | {
    type: string
    oxxo_display_details: { hosted_voucher_url: string; expires_after: number }
  }
  status: 'requires_payment_method' | 'requires_action' | 'succeeded'
}

export type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: string
  created: number
  metadata: Record<string, string>
  payment_intent: string
  payment_method_details: { type: 'card'; card: { funding: string } } | { type: 'oxxo' }
  refunded: boolean
  status: 'succeeded'
}

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  charge: string
  created: number
  currency: string
  metadata: Record<string, string>
  payment_intent: string
  status: 'pending' | 'succeeded' | 'failed'
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  charge: string
  created: number
  currency: string
  evidence_details: { due_by: number }
  payment_intent: string
  reason: string
  status: string
}

export type Event = {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: Session | Intent | Charge | Refund | Dispute }
  livemode: false
  type: string
}

export type Way = 'card' | 'oxxo'
