import type { Actor } from '../src/domain/access/actor.ts'
import type { QuoteState } from '../src/domain/quotes/quote.ts'
import type { Answers } from '../src/domain/reports/report.ts'
import type { Drive } from '../src/server/platform/storage/drive.ts'
import type { DemoCustomer } from './customers.ts'
import type { Past } from './past.ts'

/** What became of one version of a quote; times are minutes after the visit it follows from began. */
export type DemoVersion = {
  state: QuoteState
  made: number
  sent?: number
  viewed?: number
  answered?: number
  /** When it was replaced or cancelled. */
  ended?: number
  /** What its customer said. */
  reason?: string
}

/** The same of what was asked for on acceptance: paid by transfer with a proof, or to the manager. */
type DemoDeposit = { method: 'spei' | 'cash'; proof?: number; paid?: number }

/** A quote with its versions, and what was paid. The balance is paid some minutes after the installation ended. */
export type DemoDeal = {
  versions: readonly DemoVersion[]
  deposit?: DemoDeposit
  balance?: { method: 'spei' | 'terminal'; after: number }
  /** When the refund of what was paid was approved and returned. */
  refund?: { approved: number; paid: number }
}

/** A deal with the rows it belongs to; times are epoch minutes. */
export type RootedDeal = {
  deal: DemoDeal
  /** The customer's place in the list. */
  of: number
  customer: DemoCustomer
  customerId: string
  projectId: string
  managerId: string
  visitId: string
  visitStart: number
  report: Answers
  /** The installation that followed; `end` is null while it is not done. */
  installation: { bookedAt: number; end: number | null; write: () => Promise<string> } | null
}

/** Who of the staff acts, where papers go, and up to when stories are told. */
export type Stage = { past: Past; drive: Drive; analyst: Actor; manager: Actor; now: Date }

/** The same with the customer whose deal it is. */
export type DealStage = Stage & { customer: Actor }

const hour = 60
const day = 24 * hour

const next = { made: 22 * hour, sent: 23 * hour, viewed: 25 * hour } as const
const accepted = { ...next, state: 'accepted', answered: 27 * hour } as const
const paidByTransfer = { method: 'spei', proof: 30 * hour, paid: 2 * day } as const

/** Accepted, paid and installed, as most of them end. */
const whole: DemoDeal = {
  versions: [accepted],
  deposit: paidByTransfer,
  balance: { method: 'spei', after: day },
}

/** By the customer's place in the list: those whose visit led to a quote, with what became of it. */
export const demoDeals: ReadonlyMap<number, DemoDeal> = new Map<number, DemoDeal>([
  // Ready to book the installation; of a visit of these days, so everything followed within hours.
  [
    8,
    {
      versions: [{ state: 'accepted', made: 3 * hour, sent: 200, viewed: 220, answered: 4 * hour }],
      deposit: { method: 'spei', proof: 270, paid: 5 * hour },
    },
  ],
  // The installation is booked.
  [9, { versions: [accepted], deposit: paidByTransfer }],
  [11, whole],
  [13, { ...whole, balance: { method: 'terminal', after: 10 } }],
  [17, { ...whole, deposit: { method: 'cash', paid: 2 * day } }],
  [21, whole],
  [27, { ...whole, balance: { method: 'terminal', after: 10 } }],
  // Cancelled in time, and everything given back.
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
  // The deposit is to be paid.
  [39, { versions: [accepted], deposit: { method: 'spei' } }],
  // Its proof waits for a review.
  [40, { versions: [accepted], deposit: { method: 'spei', proof: 5 * day } }],
  [
    41,
    {
      versions: [
        { ...next, state: 'rejected', answered: 4 * day, reason: 'Encontré una opción más económica.' },
      ],
    },
  ],
  // Its last day passed.
  [42, { versions: [{ ...next, state: 'expired' }] }],
  // Installed some days ago.
  [43, whole],
])
