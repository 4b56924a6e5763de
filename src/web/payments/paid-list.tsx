import { FileText } from 'lucide-react'
import { conceptLabels, methodLabels } from '../../domain/payments/payment.ts'
import { money, shortDate } from '../../domain/shared/format.ts'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import type { OwnPayment } from './own-account.ts'
import { PaymentBadge } from './payment-badge.tsx'

/** What was paid, the newest first, each with its receipt; what was given back, with its proof elsewhere. Nothing while nothing was. */
export function PaidList({ payments }: { payments: readonly OwnPayment[] }) {
  const paid = payments
    .filter(({ paidAt, reversesId }) => paidAt !== null && reversesId === null)
    .toSorted((a, b) => Number(b.paidAt) - Number(a.paidAt))
  if (paid.length === 0) return null
  return (
    <Card title="Lo que has pagado">
      <ul className="grid gap-4">
        {paid.map(({ amount, concept, folio, id, method, paidAt, reversedAt, state }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-4 first:border-0 first:pt-0"
          >
            <span className="grid gap-0.5">
              <span className="font-medium">{conceptLabels[concept]}</span>
              <span className="text-sm text-mute">
                {paidAt && shortDate(paidAt)}
                {method && `, ${methodLabels[method]}`}. <span className="whitespace-nowrap">{folio}</span>
              </span>
            </span>
            <span className="flex items-center gap-3">
              <span className="font-semibold tabular-nums">{money(amount)}</span>
              {reversedAt && <PaymentBadge state={state} reversedAt={reversedAt} />}
              {amount > 0 && !reversedAt && (
                <a className={buttonClass('ghost')} href={`/papers/receipt/${id}.pdf`}>
                  <FileText aria-hidden className="size-5 shrink-0 text-brand" />
                  Recibo<span className="sr-only"> {folio}, PDF</span>
                </a>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
