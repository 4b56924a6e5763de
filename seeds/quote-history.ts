import { toDate, toMinutes } from '../src/domain/calendar.ts'
import type { DemoVersion } from './deals.ts'
import type { QuoteRow, RootedDeal } from './quotes.ts'

type Step = { name: string; toState: string; at: number | undefined; by: 'makerId' | 'customerId' | null }

/** That its customer looked at it counts no version. */
export const writes = ({ name }: Step) => name !== 'view'

const answers: Partial<Record<DemoVersion['state'], readonly [name: string, toState: string]>> = {
  accepted: ['accept', 'accepted'],
  cancelled: ['accept', 'accepted'],
  rejected: ['reject', 'rejected'],
  superseded: ['askChanges', 'changes_requested'],
}

/** How a version came to be what it is, as the real changes would have told it. */
export function movesOf(version: DemoVersion): Step[] {
  const { answered, ended, sent, state, viewed } = version
  const [name = 'reject', toState = 'rejected'] = answers[state] ?? []
  const steps: Step[] = [
    { name: 'send', toState: 'sent', at: sent, by: 'makerId' },
    { name: 'view', toState: 'viewed', at: viewed, by: 'customerId' },
    { name, toState, at: answered, by: 'customerId' },
    {
      name: 'supersede',
      toState: 'superseded',
      at: state === 'superseded' ? ended : undefined,
      by: 'makerId',
    },
    { name: 'cancel', toState: 'cancelled', at: state === 'cancelled' ? ended : undefined, by: 'customerId' },
  ]
  const taken = steps.filter(({ at }) => at !== undefined)
  return state === 'expired'
    ? [...taken, { name: 'expire', toState: 'expired', at: undefined, by: null }]
    : taken
}

/** The history of a deal's versions. */
export function eventsOf(deal: RootedDeal, written: readonly QuoteRow[]) {
  return deal.deal.versions.flatMap((version, n) => {
    const { folio, id, revision, validUntil } = written[n]!
    const about = { entity: 'quote', entityId: id, reason: null, data: null }
    const made = toDate(deal.visitStart + version.made)
    const moves = movesOf(version)
    return [
      {
        ...about,
        actorId: deal.makerId,
        name: 'begin',
        fromState: null,
        toState: 'draft',
        at: made,
        data: { folio, revision },
      },
      ...moves.map(({ at, by, name, toState }, nth) => ({
        ...{ ...about, name, toState, fromState: moves[nth - 1]?.toState ?? 'draft' },
        actorId: by && deal[by],
        reason: ['askChanges', 'reject', 'cancel'].includes(name) ? (version.reason ?? null) : null,
        at: at === undefined ? lookedAt(validUntil!) : toDate(deal.visitStart + at),
      })),
    ]
  })
}

/** The jobs look every few minutes. */
export const lookedAt = (validUntil: Date) => toDate(toMinutes(validUntil) + 5)
