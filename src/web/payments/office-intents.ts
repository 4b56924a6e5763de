const intents: readonly string[] = [
  ...['confirm-proof', 'reject-proof', 'record-payment'],
  ...['propose-refund', 'approve-refund', 'refuse-refund', 'pay-refund'],
]

/** Whether a form is about payments and refunds, and so the panel's. */
export const isOfficePayment = (intent: string) => intents.includes(intent)
