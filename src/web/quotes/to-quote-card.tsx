import { relative, thousands } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ToQuote } from '../../server/quotes/to-quote.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { listPath } from './list-query.ts'

type ToQuoteCardProps = { total: number; rows: readonly ToQuote[]; now: Date }

/** Where a new quote begins: approved reports that nobody has quoted yet. Nothing while none waits. */
export function ToQuoteCard({ total, rows, now }: ToQuoteCardProps) {
  if (rows.length === 0) return null
  return (
    <Card id="por-cotizar" className="scroll-mt-4" title={`Por cotizar (${thousands(total)})`}>
      <ul className="grid divide-y divide-line">
        {rows.map((row) => (
          <li
            key={row.appointmentId}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
          >
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{row.customer}</p>
              <p className="text-sm text-mute">
                {row.folio}
                {row.municipality && `, ${municipalityLabel(row.municipality)}`}. Reporte aprobado{' '}
                {relative(row.approvedAt, now)}.
              </p>
            </div>
            <LinkButton to={`${listPath}/add-quote/${row.appointmentId}`} aria-label={`Cotizar ${row.folio}`}>
              Cotizar
            </LinkButton>
          </li>
        ))}
      </ul>
      {total > rows.length && (
        <p className="text-sm text-mute">Y {thousands(total - rows.length)} más, de reportes más nuevos.</p>
      )}
    </Card>
  )
}
