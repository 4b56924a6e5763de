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

/** What Stripe may tell us of one, and when it is still news: what was paid stays paid, whatever is heard afterwards. */
const news = {
  wait: { from: ['opening', 'open'], to: 'waiting' },
  pay: { from: ['opening', 'open', 'waiting', 'failed', 'expired'], to: 'paid' },
  fail: { from: ['opening', 'open', 'waiting'], to: 'failed' },
  expire: { from: ['opening', 'open'], to: 'expired' },
} as const satisfies Record<string, { from: readonly CheckoutState[]; to: CheckoutState }>
export type CheckoutNews = keyof typeof news

/** The state that news leads to, or null where it is none: events come late, twice, and in any order. */
export function stateAfterNews(name: CheckoutNews, state: CheckoutState): CheckoutState | null {
  const { from, to } = news[name]
  return (from as readonly CheckoutState[]).includes(state) ? to : null
}
