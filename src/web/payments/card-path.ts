/** Where a payment is made by card, and what Stripe leads back to. No path of the specification: a part of /payments. */
export const cardPath = (paymentId: string) => `/payments/tarjeta/${paymentId}`
