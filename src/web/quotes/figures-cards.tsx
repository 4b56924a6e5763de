import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { MonthFigures, QuoteFilters } from '../../domain/quotes/quote.ts'
import { money, monthAndYear, thousands } from '../../domain/shared/format.ts'
import type { QuoteFigures, StateFigures } from '../../server/quotes/figures.ts'
import { listQuery } from '../lib/lists.tsx'
import { Card } from '../ui/card.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { useHydrated } from '../ui/hydrated.ts'
import { listPath } from './list-query.ts'
import { QuoteBadge } from './quote-table.tsx'

// Large, and wanted at the end of this screen only. Where it can't be loaded, its table says the same.
const MonthChart = lazy(() => import('./month-chart.tsx').catch(() => ({ default: () => null })))

type FiguresCardsProps = { figures: QuoteFigures; filters: QuoteFilters }

/** What the quotes come to: by state under the list's filters, and by month. */
export const FiguresCards = ({ figures: { states, months }, filters }: FiguresCardsProps) => (
  <div className="grid items-start gap-4 xl:grid-cols-[2fr_3fr]">
    <StatesCard states={states} filters={filters} />
    <MonthsCard months={withoutEmptyStart(months)} />
  </div>
)

const amount = (centavos: number) => <span className="whitespace-nowrap tabular-nums">{money(centavos)}</span>

function StatesCard({ states, filters }: { states: readonly StateFigures[]; filters: QuoteFilters }) {
  if (states.length === 0) return null
  const columns: Column<StateFigures>[] = [
    {
      header: 'Estado',
      main: true,
      cell: ({ state }) => (
        <Link to={`${listPath}${listQuery({ ...filters, state })}`} className={rowLinkClass}>
          <QuoteBadge state={state} />
        </Link>
      ),
    },
    { header: 'Cotizaciones', numeric: true, cell: ({ count }) => thousands(count) },
    { header: 'Importe', numeric: true, cell: ({ total }) => amount(total) },
  ]
  return (
    <Card title="Por estado">
      <p className="text-sm text-mute">Con IVA. Lo aceptado, o la opción de menor precio.</p>
      <DataTable
        caption="Cotizaciones por estado"
        columns={columns}
        rows={states}
        rowKey={({ state }) => state}
      />
    </Card>
  )
}

const monthColumns: readonly Column<MonthFigures>[] = [
  {
    header: 'Mes',
    main: true,
    cell: ({ month }) => <span className="whitespace-nowrap">{monthAndYear(`${month}-01`)}</span>,
  },
  { header: 'Cotizado', numeric: true, cell: ({ quoted }) => amount(quoted) },
  { header: 'Aceptado', numeric: true, cell: ({ accepted }) => amount(accepted) },
  { header: 'Pagado', numeric: true, cell: ({ paid }) => amount(paid) },
]

function MonthsCard({ months }: { months: readonly MonthFigures[] }) {
  const isReady = useHydrated()
  return (
    <Card title="Por mes">
      <p className="text-sm text-mute">
        Con IVA: lo que se envió, lo aceptado que sigue en pie y lo que entró menos lo devuelto.
      </p>
      {/* Its place is kept only where a chart will come. */}
      <div className="hidden h-72 [@media(scripting:enabled)]:block">
        {isReady && (
          <Suspense fallback={null}>
            <MonthChart months={months} />
          </Suspense>
        )}
      </div>
      <DataTable
        caption="Cotizado, aceptado y pagado por mes"
        columns={monthColumns}
        rows={months.toReversed()}
        rowKey={({ month }) => month}
      />
    </Card>
  )
}

/** From the first month with something on; the last one always stands. */
function withoutEmptyStart(months: readonly MonthFigures[]) {
  const first = months.findIndex(({ quoted, accepted, paid }) => quoted || accepted || paid)
  return first < 0 ? months.slice(-1) : months.slice(first)
}
