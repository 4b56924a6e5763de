import type { Actor } from '../../domain/access/actor.ts'
import type { Modules } from '../../domain/access/routes.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { conceptLabels, refundStateFacts } from '../../domain/payments/payment.ts'
import { sheetLabels } from '../../domain/reports/report.ts'
import { money, relative } from '../../domain/shared/format.ts'
import type { Tone } from '../../domain/shared/state-machine.ts'
import { proofsToReview, refundsToSettle } from '../../server/payments/waiting.ts'
import type { Db } from '../../server/platform/database/database.ts'
import { listToQuote } from '../../server/quotes/to-quote.ts'
import { returnedSheets, sheetsToReview } from '../../server/reports/lists.ts'

/** One thing that waits at somebody's desk; the whole of it stands at `to`. */
export type AtDesk = {
  id: string
  to: string
  title: string
  folio: string
  since: string
  note: string | null
  badge: { label: string; tone: Tone } | null
}

/** What waits at somebody's desk, each list with its figure; null where it is not theirs. */
export async function loadDesk(db: Db, actor: Actor, now: Date, on: Modules) {
  const [toQuote, reports, proofs, refunds, returned] = await Promise.all([
    listToQuote(db, actor),
    sheetsToReview(db, actor),
    proofsToReview(db, actor),
    refundsToSettle(db, actor),
    returnedSheets(db, actor),
  ])
  return {
    figures: [
      ...(reports ? [figure('Por cotizar', '/admin/cotizations#por-cotizar', toQuote.total)] : []),
      ...(reports ? [figure('Reportes por revisar', '#reportes', reports.total)] : []),
      ...(proofs
        ? [
            figure(
              'Comprobantes por revisar',
              on.has('payments') ? '/admin/payments' : '#comprobantes',
              proofs.total,
            ),
          ]
        : []),
      ...(refunds ? [figure('Reembolsos por atender', '#reembolsos', refunds.total)] : []),
    ],
    toReview: reports?.rows.map((row) => reportAtDesk(row, now)) ?? null,
    returned: returned?.rows.map((row) => returnedAtDesk(row, now)) ?? null,
    proofs:
      proofs?.rows.map((row) => moneyAtDesk(row, { note: conceptLabels[row.concept], badge: null }, now)) ??
      null,
    refunds:
      refunds?.rows.map((row) => moneyAtDesk(row, { note: null, badge: refundStateFacts[row.state] }, now)) ??
      null,
  }
}

/** A figure, and the list that it counts. */
export const figure = (label: string, to: string, total: number) => ({
  ...{ label, to, total },
  ...{ isMore: false, urgent: false },
})

type Sheet = NonNullable<Awaited<ReturnType<typeof sheetsToReview>>>['rows'][number]

const reportAtDesk = (row: Sheet, now: Date): AtDesk => ({
  ...sheetAtDesk(row, row.submittedAt, now),
  note: row.technician,
  badge: row.returnReason ? { label: 'Corregido', tone: 'wait' } : null,
})

const returnedAtDesk = (row: Sheet, now: Date): AtDesk => ({
  ...sheetAtDesk(row, row.reviewedAt, now),
  ...{ note: row.returnReason, badge: null },
})

const sheetAtDesk = (row: Sheet, since: Date | null, now: Date) => ({
  ...{ id: row.id, folio: row.folio, to: appointmentPath('done', row) },
  title: `${sheetLabels[row.kind]} · ${row.customer}`,
  since: relative(since ?? now, now),
})

type Money = Pick<AtDesk, 'id' | 'to' | 'folio'> & { amount: number; customer: string; since: Date | null }

const moneyAtDesk = (row: Money, about: Pick<AtDesk, 'note' | 'badge'>, now: Date): AtDesk => ({
  ...{ id: row.id, to: row.to, folio: row.folio, ...about },
  title: `${money(row.amount)} · ${row.customer}`,
  since: relative(row.since ?? now, now),
})
