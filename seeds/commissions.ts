import { randomUUID } from 'node:crypto'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../src/domain/calendar.ts'
import { approvableFrom, type CommissionTerms, commissionOf } from '../src/domain/commission.ts'
import { optionOf } from '../src/domain/quote-content.ts'
import { totalsOfOption } from '../src/domain/quote-totals.ts'
import { commissionPayouts, commissions } from '../src/server/database/ally-schema.ts'
import type { Tx } from '../src/server/database/database.ts'
import { documents } from '../src/server/database/money-schema.ts'
import { type Drive, paperKey } from '../src/server/files/drive.ts'
import { demoPaper, paperOf, type Traced } from './paper.ts'
import type { WrittenDeal } from './stories.ts'

/** A deal of an agency's client, with the ally who brought them. */
export type EarnedDeal = WrittenDeal & { allyId: string }

type Writing = { agencyId: string; terms: CommissionTerms; managerId: string; now: Date }
type Row = typeof commissions.$inferInsert & { id: string; earnedAt: Date; approvedAt: Date | null }
/** A row, and the place in the list of the customer it is of. */
type Earned = { of: number; row: Row }

/** By the customer's place in the list: those that one transfer paid, and what was taken off one of them before. */
const paidOut: ReadonlySet<number> = new Set([27, 21, 17])
const adjusted = { of: 21, amount: -150_00, reason: 'Se devolvió al cliente cable que no se usó.' }
const daysUntilPaid = 5

/** Writes what an agency earned by its clients' installations, with one transfer and its paper; answers the history. */
export async function writeCommissions(
  tx: Tx,
  deals: readonly EarnedDeal[],
  writing: Writing,
  drive?: Drive,
): Promise<Traced[]> {
  const earned = deals.flatMap((deal) => earnedBy(deal, writing))
  const taken = earned.filter(({ of }) => of === adjusted.of).map((one) => adjustmentOf(one, writing))
  const payout = payoutOf(
    [...earned, ...taken].filter(({ of }) => paidOut.has(of)),
    writing,
  )
  if (drive) await drive.put(paperKey(payout.paper), demoPaper, payout.paper.type)
  await tx.insert(documents).values(payout.paper)
  await tx.insert(commissionPayouts).values(payout.row)
  for (const some of [earned, taken])
    await tx.insert(commissions).values(
      some.map(({ of, row }) => ({
        ...row,
        ...(paidOut.has(of)
          ? { state: 'paid' as const, payoutId: payout.row.id }
          : { state: row.approvedAt ? ('approved' as const) : ('pending' as const) }),
      })),
    )
  return [...[...earned, ...taken].flatMap(({ row }) => trailOf(row)), payout.event]
}

/** What an installation that is done brought; approved on the first morning on which it may be. */
function earnedBy(deal: EarnedDeal, { agencyId, now, terms }: Writing): Earned[] {
  const { allyId, installationId, installedAt, of, projectId, quote } = deal
  const option = optionOf(quote.content, quote.acceptedOption ?? '')
  if (installedAt === null || !installationId || !option) return []
  const basis = totalsOfOption(option, quote.acceptedAddOns).net
  const earnedAt = toDate(installedAt)
  const approvable = toDate(minuteAt(approvableFrom(earnedAt), '09:00'))
  const approvedAt = approvable <= now ? approvable : null
  const row: Row = {
    ...{ id: randomUUID(), kind: 'commission', agencyId, allyId, projectId, quoteId: quote.id },
    ...{ appointmentId: installationId, termsKind: terms.kind, termsValue: terms.value, basis },
    ...{ amount: commissionOf(terms, basis), earnedAt, approvedAt },
    ...{ createdAt: earnedAt, updatedAt: approvedAt ?? earnedAt },
  }
  return [{ of, row }]
}

/** Made on the day after its commission was approved. */
function adjustmentOf({ of, row }: Earned, { managerId }: Writing): Earned {
  const at = toDate(toMinutes(row.approvedAt ?? row.earnedAt) + 1440)
  const { amount, reason } = adjusted
  return {
    of,
    row: {
      ...{ ...row, id: randomUUID(), kind: 'adjustment', adjustsId: row.id, basis: 0, amount, reason },
      ...{ earnedAt: at, approvedAt: at, createdAt: at, updatedAt: at, madeBy: managerId },
    },
  }
}

/** The transfer of what was approved, some days after the last of it was. */
function payoutOf(rows: readonly Earned[], { agencyId, managerId }: Writing) {
  const last = Math.max(...rows.map(({ row }) => toMinutes(row.approvedAt ?? row.earnedAt)))
  const paidOn = addDays(localDate(last), daysUntilPaid)
  const at = toDate(minuteAt(paidOn, '12:30'))
  const paper = paperOf({ agencyId }, 'commission_proof', managerId, at)
  const amount = rows.reduce((sum, { row }) => sum + row.amount, 0)
  const id = randomUUID()
  return {
    paper,
    row: {
      ...{ id, agencyId, amount, paidOn, reference: 'DEMO COMISIONES', proofId: paper.id },
      ...{ paidBy: managerId, requestKey: randomUUID(), createdAt: at },
    },
    event: {
      ...{ entity: 'commission_payout', entityId: id, actorId: managerId, name: 'pay', toState: 'paid', at },
      data: { agencyId, amount, rows: rows.length },
    },
  }
}

function trailOf({ adjustsId, agencyId, amount, approvedAt, earnedAt, id, madeBy, reason }: Row): Traced[] {
  const about = { entity: 'commission', entityId: id, data: { agencyId, amount } }
  if (adjustsId) {
    const data = { ...about.data, adjusts: adjustsId }
    return [{ ...about, data, actorId: madeBy, name: 'adjust', toState: 'approved', reason, at: earnedAt }]
  }
  const approval = { ...about, actorId: null, name: 'approve', fromState: 'pending', toState: 'approved' }
  return [
    { ...about, actorId: null, name: 'earn', toState: 'pending', at: earnedAt },
    ...(approvedAt ? [{ ...approval, at: approvedAt }] : []),
  ]
}
