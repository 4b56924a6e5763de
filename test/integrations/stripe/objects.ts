/** The objects of Stripe's API with the fields that the application reads, and those that give them their meaning. */
export type Session = {
  id: string
  amount_total: number
  currency: string
  customer_email: string | null
  expires_at: number
  metadata: Record<string, string>
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
  amount: number
  amount_received: number
  currency: string
  latest_charge: string | null
  metadata: Record<string, string>
  next_action: object | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded'
}

export type Charge = {
  id: string
  amount: number
  amount_refunded: number
  currency: string
  created: number
  metadata: Record<string, string>
  payment_intent: string
  payment_method_details: { type: 'card'; card: { funding: string } } | { type: 'oxxo' }
  refunded: boolean
}

export type Refund = {
  id: string
  amount: number
  charge: string
  created: number
  currency: string
  metadata: Record<string, string>
  payment_intent: string
  status: 'succeeded' | 'failed'
}

export type Dispute = {
  id: string
  amount: number
  charge: string
  currency: string
  evidence_details: { due_by: number }
  payment_intent: string
  reason: string
}

export type Event = {
  id: string
  object: 'event'
  created: number
  data: { object: Session | Intent | Charge | Refund | Dispute }
  type: string
}

export type Way = 'card' | 'oxxo'
