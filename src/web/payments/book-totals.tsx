import type { LedgerTotals } from '../../domain/payments/payment.ts'
import { money } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'

/** What the rows of the ledger come to, all pages together. */
export function BookTotals({ totals: { ended, received, refunded, waiting } }: { totals: LedgerTotals }) {
  const figures = [
    { label: 'Recibido', amount: received },
    { label: 'Devuelto', amount: refunded },
    { label: 'Queda', amount: received + refunded },
    { label: 'Por cobrar', amount: waiting },
    { label: 'Vencido o cancelado', amount: ended },
  ]
  return (
    <Card title="En total">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-5">
        {figures.map(({ amount, label }) => (
          <div key={label} className="grid content-start gap-0.5">
            <dt className="text-sm text-mute">{label}</dt>
            <dd className="font-semibold tabular-nums lg:text-lg">{money(amount)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
