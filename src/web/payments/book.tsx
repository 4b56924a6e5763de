import { BookOpen, Download } from 'lucide-react'
import { Link, Form as SearchForm } from 'react-router'
import { months, yearsForFilter } from '../../domain/options.ts'
import { conceptLabels, conceptOf, methodLabels, paymentStateFacts } from '../../domain/payment.ts'
import type { LedgerTotals, PaymentFilters } from '../../domain/payment-list.ts'
import { money, shortDate, thousands } from '../../domain/shared/format.ts'
import type { BookedPayment } from '../../server/payments/book.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FilterDetails } from '../ui/filter-details.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'
import { BookTotals } from './book-totals.tsx'
import { bookQuery, officePath, partPath } from './office-path.ts'
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
        {exports && rows.length > 0 && (
          <a className={buttonClass('ghost')} href={`${officePath}.csv${bookQuery(filters)}`} download>
            <Download aria-hidden className="size-5" />
            Exportar CSV
          </a>
        )}
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

const choices = <Key extends string>(table: Readonly<Record<Key, string | { label: string }>>) =>
  (Object.entries(table) as [Key, string | { label: string }][]).map(([value, words]) => ({
    ...{ value, label: typeof words === 'string' ? words : words.label },
  }))
const all = { optional: 'unsaid', placeholder: 'Todos' } as const

type BookFilterBarProps = Pick<BookProps, 'filters' | 'years'>

/** What narrows the ledger: kept in the address, sent as a plain form. */
function BookFilterBar({ filters, years }: BookFilterBarProps) {
  const { text, ...chosen } = filters
  const yearChoices = yearsForFilter(years).map((year) => ({ value: String(year), label: String(year) }))
  return (
    // Another address is another form: a filter taken off elsewhere must not stay in its box.
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={officePath}
      role="search"
      className="grid items-end gap-3"
    >
      <input type="hidden" name="parte" value="libro" />
      <SearchBox placeholder="Folio, nombre o clave de rastreo" value={text} />
      <FilterDetails count={Object.keys(chosen).length} path={partPath('libro')}>
        <Select {...all} label="Mes" name="month" options={months} defaultValue={filters.month} />
        <Select {...all} label="Año" name="year" options={yearChoices} defaultValue={filters.year} />
        <Select
          {...all}
          label="Método"
          name="method"
          options={choices(methodLabels)}
          defaultValue={filters.method}
        />
        <Select
          {...all}
          label="Concepto"
          name="concept"
          options={choices(conceptLabels)}
          defaultValue={filters.concept}
        />
        <Select
          {...all}
          label="Estado"
          name="state"
          options={choices(paymentStateFacts)}
          defaultValue={filters.state}
        />
      </FilterDetails>
    </SearchForm>
  )
}
