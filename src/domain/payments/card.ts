import { isSystem } from '../access/actor.ts'
import { machine, type TransitionOf } from '../shared/state-machine.ts'

/** What Stripe takes in Mexico, in centavos. */
const leastByCard = 10_00
const mostByOxxo = 10_000_00

/** Whether an amount can be charged to a card at all. */
export const takesCard = (amount: number) => amount >= leastByCard

/** Whether it can be paid in cash at an OXXO. */
export const takesOxxo = (amount: number) => takesCard(amount) && amount <= mostByOxxo

/** The months without interest that an amount is enough for: banks ask for $100 a month. */
export const monthsFor = (amount: number) => [3, 6, 9, 12].filter((months) => amount >= months * 100_00)

/** What became of a page of Stripe that a payment was begun on. */
export type CheckoutState = 'opening' | 'open' | 'waiting' | 'paid' | 'failed' | 'expired'

/** Its page at Stripe may still bring money. */
export const pendingCheckoutStates = ['open', 'waiting'] as const satisfies readonly CheckoutState[]
/** Nothing was paid on it yet. */
export const unpaidCheckoutStates = ['opening', ...pendingCheckoutStates] as const
/** Its page at Stripe still waits for somebody. */
export const openCheckoutStates = ['opening', 'open'] as const satisfies readonly CheckoutState[]

/** What Stripe may tell us of one, and when it is still news: what was paid stays paid, whatever is heard afterwards. */
export const checkoutMachine = /* @__PURE__ */ machine<{ state: CheckoutState }>()({
  wait: { from: openCheckoutStates, to: 'waiting', by: isSystem },
  pay: { from: [...unpaidCheckoutStates, 'failed', 'expired'], to: 'paid', by: isSystem },
  fail: { from: unpaidCheckoutStates, to: 'failed', by: isSystem },
  expire: { from: openCheckoutStates, to: 'expired', by: isSystem },
})
export type CheckoutNews = TransitionOf<typeof checkoutMachine>
