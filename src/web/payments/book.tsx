import { BookOpen } from 'lucide-react'
import { Link } from 'react-router'
import { months } from '../../domain/appointments/appointment.ts'
import {
  conceptLabels,
  conceptOf,
  type LedgerTotals,
  methodLabels,
  type PaymentFilters,
  paymentStateFacts,
} from '../../domain/payments/payment.ts'
import { money, shortDate, thousands } from '../../domain/shared/format.ts'
import type { BookedPayment } from '../../server/payments/book.ts'
import { choicesOf, ExportLink, FilterBar, yearChoices } from '../lib/lists.tsx'
import { LinkButton } from '../ui/button.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { BookTotals } from './book-totals.tsx'
import { bookQuery, ledgerPart, officePath, partPath } from './office-path.ts'
import { PaymentBadge } from './payment-badge.tsx'

type BookProps = {
  rows: readonly BookedPayment[]
  totals: LedgerTotals
  years: readonly number[]
  filters: PaymentFilters
  /** Whether whoever looks may have it as a file. */
  exports: boolean
  first: string | null
  next: string | null
}

/** Every payment that was asked for or made, with what those under the filters come to. */
export function Book({ rows, totals, years, filters, exports, first, next }: BookProps) {
  return (
    <>
      <BookFilterBar filters={filters} years={years} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-mute">
          {thousands(totals.count)} {totals.count === 1 ? 'pago' : 'pagos'}
        </p>
        {exports && rows.length > 0 && <ExportLink to={`${officePath}.csv${bookQuery(filters)}`} />}
      </div>
      {rows.length > 0 ? (
        <>
          <BookTotals totals={totals} />
          <DataTable caption="Pagos" columns={columns} rows={rows} rowKey={({ id }) => id} />
        </>
      ) : (
        <Nothing isNarrowed={Object.keys(filters).length > 0} />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}

const columns: Column<BookedPayment>[] = [
  {
    header: 'Pago',
    main: true,
    cell: ({ customer, folio, to }) => (
      <>
        <Link to={to} prefetch="intent" className={rowLinkClass}>
          {folio}
        </Link>
        <span className="block text-sm text-mute">{customer}</span>
      </>
    ),
  },
  { header: 'Fecha', cell: ({ at }) => <span className="whitespace-nowrap">{shortDate(at)}</span> },
  { header: 'Concepto', cell: conceptOf },
  { header: 'Método', cell: ({ method }) => method && methodLabels[method] },
  { header: 'Estado', cell: (row) => <PaymentBadge {...row} /> },
  { header: 'Cantidad', numeric: true, cell: ({ amount }) => money(amount) },
]

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={BookOpen}
    action={
      isNarrowed ? (
        <LinkButton variant="ghost" to={partPath('libro')}>
          Ver todos
        </LinkButton>
      ) : (
        <LinkButton variant="ghost" to="/admin/cotizations">
          Ver cotizaciones
        </LinkButton>
      )
    }
  >
    {isNarrowed
      ? 'No hay pagos con estos filtros.'
      : 'Todavía no hay pagos. El primero aparece cuando un cliente acepta su cotización.'}
  </EmptyState>
)

type BookFilterBarProps = Pick<BookProps, 'filters' | 'years'>

const BookFilterBar = ({ filters, years }: BookFilterBarProps) => (
  <FilterBar
    path={partPath('libro')}
    action={officePath}
    filters={filters}
    kept={ledgerPart}
    placeholder="Folio, nombre o clave de rastreo"
    fields={[
      { name: 'month', label: 'Mes', choices: months },
      { name: 'year', label: 'Año', choices: yearChoices(years) },
      { name: 'method', label: 'Método', choices: choicesOf(methodLabels) },
      { name: 'concept', label: 'Concepto', choices: choicesOf(conceptLabels) },
      { name: 'state', label: 'Estado', choices: choicesOf(paymentStateFacts) },
    ]}
  />
)
