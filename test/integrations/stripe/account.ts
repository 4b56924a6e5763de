import { randomBytes } from 'node:crypto'
import { at, type Params, textsAt } from './form.ts'
import type { Charge, Dispute, Event, Intent, Refund, Session, Way } from './objects.ts'

export type Account = ReturnType<typeof openAccount>

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
const seconds = () => Math.floor(Date.now() / 1000)

/** What Stripe would keep of us, in memory. Whatever happens makes the events that Stripe makes; `tell` hears each. */
export function openAccount(origin: string, tell: (event: Event) => void) {
  const sessions = new Map<string, Session>()
  const intents = new Map<string, Intent>()
  const charges = new Map<string, Charge>()
  const refunds = new Map<string, Refund>()
  const events: Event[] = []

  /** What the object is at this moment: an event does not change with it later. */
  function happen(type: string, object: Event['data']['object']): Event {
    const event: Event = {
      id: newId('evt'),
      object: 'event',
      created: seconds(),
      data: { object: structuredClone(object) },
      type,
    }
    events.push(event)
    tell(event)
    return event
  }

  function makeSession(params: Params): Session {
    const id = newId('cs_test')
    const amount = Number(at(params, 'line_items.0.price_data.unit_amount'))
    const installments = at(params, 'payment_method_options.card.installments.enabled')
    const session: Session = {
      id,
      amount_total: amount * Number(at(params, 'line_items.0.quantity')),
      currency: at(params, 'line_items.0.price_data.currency')!,
      customer_email: at(params, 'customer_email') ?? null,
      expires_at: Number(at(params, 'expires_at') ?? seconds() + 86_400),
      metadata: textsAt(params, 'metadata'),
      payment_method_types: Object.values(textsAt(params, 'allowed_payment_method_types')),
      payment_method_options: { card: { installments: { enabled: installments === 'true' } } },
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
      success_url: at(params, 'success_url')!,
      cancel_url: at(params, 'cancel_url')!,
      url: `${origin}/c/pay/${id}`,
    }
    sessions.set(id, session)
    return session
  }

  function makeIntent(session: Session): Intent {
    const intent: Intent = {
      id: newId('pi'),
      currency: session.currency,
      amount: session.amount_total,
      amount_received: 0,
      latest_charge: null,
      next_action: null,
      metadata: session.metadata,
      status: 'requires_payment_method',
    }
    intents.set(intent.id, intent)
    session.payment_intent = intent.id
    return intent
  }

  function charge(intent: Intent, way: Way): Charge {
    const made: Charge = {
      id: newId('ch'),
      created: seconds(),
      amount: intent.amount,
      amount_refunded: 0,
      refunded: false,
      currency: intent.currency,
      metadata: intent.metadata,
      payment_intent: intent.id,
      payment_method_details: way === 'card' ? { type: way, card: { funding: 'credit' } } : { type: way },
    }
    charges.set(made.id, made)
    Object.assign(intent, { amount_received: intent.amount, latest_charge: made.id, status: 'succeeded' })
    happen('charge.succeeded', made)
    happen('payment_intent.succeeded', intent)
    return made
  }

  /** Someone paid at the page with a card. */
  function payByCard(session: Session): Event {
    charge(makeIntent(session), 'card')
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null })
    return happen('checkout.session.completed', session)
  }

  /** Someone asked for an OXXO voucher: the session is complete, and nothing is paid. */
  function takeVoucher(session: Session): Event {
    const hosted_voucher_url = `${origin}/voucher/${session.id}`
    const details = { hosted_voucher_url, expires_after: seconds() + 3 * 86_400 }
    const next_action = { type: 'oxxo_display_details', oxxo_display_details: details }
    Object.assign(makeIntent(session), { status: 'requires_action', next_action })
    Object.assign(session, { status: 'complete', url: null })
    return happen('checkout.session.completed', session)
  }

  /** The voucher was paid at a counter. */
  function payVoucher(session: Session): Event {
    charge(intents.get(session.payment_intent!)!, 'oxxo')
    session.payment_status = 'paid'
    return happen('checkout.session.async_payment_succeeded', session)
  }

  /** No one paid the voucher in time. */
  function loseVoucher(session: Session): Event {
    intents.get(session.payment_intent!)!.status = 'requires_payment_method'
    return happen('checkout.session.async_payment_failed', session)
  }

  function expire(session: Session): Event {
    Object.assign(session, { status: 'expired', url: null })
    return happen('checkout.session.expired', session)
  }

  function chargeOf(session: Session): Charge {
    return charges.get(intents.get(session.payment_intent!)!.latest_charge!)!
  }

  /** Gives money back, whoever asked for it: we by the API, or someone at Stripe's own pages. */
  function refund(of: Charge, amount: number, metadata: Record<string, string> = {}): Refund {
    const made: Refund = {
      id: newId('re'),
      created: seconds(),
      status: 'succeeded',
      amount,
      metadata,
      charge: of.id,
      payment_intent: of.payment_intent,
      currency: of.currency,
    }
    refunds.set(made.id, made)
    of.amount_refunded += amount
    of.refunded = of.amount_refunded === of.amount
    happen('refund.created', made)
    happen('charge.refunded', of)
    return made
  }

  /** The bank takes a refund back: it could not be given. */
  function failRefund(made: Refund): Event {
    made.status = 'failed'
    charges.get(made.charge)!.amount_refunded -= made.amount
    return happen('refund.failed', made)
  }

  /** The holder of the card tells the bank that the charge is not right. */
  function dispute(of: Charge): Event {
    const made: Dispute = {
      id: newId('dp'),
      amount: of.amount,
      charge: of.id,
      currency: of.currency,
      payment_intent: of.payment_intent,

      reason: 'fraudulent',
      evidence_details: { due_by: seconds() + 7 * 86_400 },
    }
    return happen('charge.dispute.created', made)
  }

  return {
    sessions,
    intents,
    charges,
    refunds,
    events,
    makeSession,
    payByCard,
    takeVoucher,
    payVoucher,
    loseVoucher,
    expire,
    chargeOf,
    refund,
    failRefund,
    dispute,
  }
}
