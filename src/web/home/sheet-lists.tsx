import { Link } from 'react-router'
import { appointmentPath } from '../../domain/appointment-path.ts'
import { sheetLabels } from '../../domain/sheet.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import type { Blocks } from './staff-loader.ts'

type Listed = NonNullable<Blocks['toReview']>[number]
type ListProps = { rows: readonly Listed[] | null }

/** What technicians sent and nobody read yet, the longest wait first. */
export function SheetsToReview({ rows }: ListProps) {
  if (!rows) return null
  return (
    <section id="reportes" className="grid scroll-mt-4 gap-4">
      <h2 className="text-lg font-semibold">Reportes por revisar</h2>
      {rows.length === 0 && <p className="text-mute">No hay reportes por revisar.</p>}
      {rows.length > 0 && (
        <Card>
          <SheetRows rows={rows}>
            {({ returnReason, technician }) => (
              <>
                {technician}
                {returnReason && (
                  <>
                    {' · '}
                    <Badge tone="wait">Corregido</Badge>
                  </>
                )}
              </>
            )}
          </SheetRows>
        </Card>
      )}
    </section>
  )
}

/** What came back to a technician, before everything else of the day. Nothing while nothing did. */
export function ReturnedSheets({ rows }: ListProps) {
  if (!rows || rows.length === 0) return null
  return (
    <Card title="Te devolvieron" className="border-wait">
      <SheetRows rows={rows}>{({ returnReason }) => returnReason}</SheetRows>
    </Card>
  )
}

const SheetRows = ({
  rows,
  children,
}: {
  rows: readonly Listed[]
  children: (row: Listed) => React.ReactNode
}) => (
  <ul className="grid gap-4">
    {rows.map((row) => (
      <li
        key={row.id}
        className="grid gap-0.5 wrap-anywhere not-first:border-t not-first:border-line not-first:pt-4"
      >
        <p className="flex flex-wrap items-baseline justify-between gap-x-6">
          <Link to={appointmentPath('done', row)} prefetch="intent" className="-my-2.5 py-2.5 font-semibold">
            {sheetLabels[row.kind]} · {row.customer}
          </Link>
          <span className="text-sm text-mute">{row.since}</span>
        </p>
        <p className="text-[0.9375rem] text-mute">{row.folio}</p>
        <p className="text-[0.9375rem]">{children(row)}</p>
      </li>
    ))}
  </ul>
)
