import type { QuoteState } from '../src/quotes/rules/quote.ts'
import type { DemoCustomer } from './people.ts'

/** The outcome of one version of a quote; times are minutes after the start of its visit. */
export type DemoVersion = {
  state: QuoteState
  made: number
  sent?: number
  viewed?: number
  answered?: number
  /** When it was replaced or cancelled. */
  ended?: number
  /** The customer's reason. */
  reason?: string
}

/** The payment of the deposit after acceptance: by transfer with a proof, or in cash to the manager. */
type DemoDeposit = { method: 'spei' | 'cash'; proof?: number; paid?: number }

/** A quote with its versions and payments. The balance is paid some minutes after the installation ended. */
export type DemoDeal = {
  versions: readonly DemoVersion[]
  deposit?: DemoDeposit
  balance?: { method: 'spei' | 'terminal'; after: number }
  /** When the refund was approved and paid. */
  refund?: { approved: number; paid: number }
}

/** A deal with its moments, in epoch minutes: when its visit starts, and when its installation is done, if it is. */
export type PlannedDeal = {
  deal: DemoDeal
  /** The customer's position in the list. */
  of: number
  customer: DemoCustomer
  visitStart: number
  installed: number | null
}

const hour = 60
const day = 24 * hour

const next = { made: 22 * hour, sent: 23 * hour, viewed: 25 * hour } as const
const accepted = { ...next, state: 'accepted', answered: 27 * hour } as const
const paidByTransfer = { method: 'spei', proof: 30 * hour, paid: 2 * day } as const

/** Accepted, paid and installed, like most deals. */
const whole: DemoDeal = {
  versions: [accepted],
  deposit: paidByTransfer,
  balance: { method: 'spei', after: day },
}

/** Its deposit was not paid, and expired. */
export const unpaidDeal = 10

/** By the customer's position in the list: the visits that led to a quote, with its outcome. */
export const demoDeals: ReadonlyMap<number, DemoDeal> = new Map<number, DemoDeal>([
  // Ready to book the installation; the visit is recent, so every step followed within hours.
  [
    8,
    {
      versions: [{ state: 'accepted', made: 3 * hour, sent: 200, viewed: 220, answered: 4 * hour }],
      deposit: { method: 'spei', proof: 270, paid: 5 * hour },
    },
  ],
  // The installation is booked.
  [9, { versions: [accepted], deposit: paidByTransfer }],
  [unpaidDeal, { versions: [accepted], deposit: { method: 'spei' } }],
  [11, whole],
  [13, { ...whole, balance: { method: 'terminal', after: 10 } }],
  [17, { ...whole, deposit: { method: 'cash', paid: 2 * day } }],
  [21, whole],
  [27, { ...whole, balance: { method: 'terminal', after: 10 } }],
  // Cancelled in time, and fully refunded.
  [
    24,
    {
      versions: [
        { ...accepted, state: 'cancelled', ended: 4 * day, reason: 'Me cambio de casa el mes que viene.' },
      ],
      deposit: paidByTransfer,
      refund: { approved: 5 * day, paid: 6 * day },
    },
  ],
  [36, { versions: [{ state: 'draft', made: 22 * hour }] }],
  [37, { versions: [{ state: 'sent', made: next.made, sent: next.sent }] }],
  // The second version can be accepted.
  [
    38,
    {
      versions: [
        {
          ...next,
          state: 'superseded',
          answered: 29 * hour,
          ended: 50 * hour,
          reason: '¿Puede quedar sin el soporte del cable y con mantenimiento al año?',
        },
        { state: 'viewed', made: 2 * day, sent: 50 * hour, viewed: 3 * day },
      ],
    },
  ],
  // The deposit is due.
  [39, { versions: [accepted], deposit: { method: 'spei' } }],
  // Its proof waits for the review.
  [40, { versions: [accepted], deposit: { method: 'spei', proof: 5 * day } }],
  [
    41,
    {
      versions: [
        { ...next, state: 'rejected', answered: 4 * day, reason: 'Encontré una opción más económica.' },
      ],
    },
  ],
  // It expired.
  [42, { versions: [{ ...next, state: 'expired' }] }],
  // Installed some days ago.
  [43, whole],
])
