import { BookOpen } from 'lucide-react'
import { exportsLists } from '../../access/rules/actor.ts'
import { db } from '../../app/context.ts'
import { months } from '../../appointments/rules/appointment.ts'
import { ChosenBar, rowBoxes } from '../../kit/list/chosen-rows.tsx'
import { DayFields, FilterChips } from '../../kit/list/filter-chips.tsx'
import {
  choicesOf,
  ExportLinks,
  FilterBar,
  ListPages,
  listQuery,
  orderField,
  pageLinks,
  readFilters,
  sortedBy,
  yearChoices,
} from '../../kit/list/lists.tsx'
import { SavedViews } from '../../kit/list/saved-views.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, requireActor } from '../../kit/require-actor.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { dayRanges, withDays } from '../../shared/day-range.ts'
import { dayIn, money, thousands } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { type Column, DataTable, rowLinkClass } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { viewsOf } from '../../users/saved-views.ts'
import { type LedgerListRow, listPayments } from '../queries.ts'
import { conceptLabels, conceptOf, methodLabels, paymentStateFacts } from '../rules/payment.ts'
import {
  type LedgerTotals,
  type MoneyFigure,
  moneyFigures,
  type PaymentFilters,
} from '../rules/receivable.ts'
import type { Route } from './+types/ledger.ts'
import { officePath, paymentFilters, paymentPartPath } from './office-path.ts'
import { PaymentBadge } from './payment-badge.tsx'

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    const actor = requireActor(context)
    const now = new Date()
    const { after, filters, place } = readFilters(paymentFilters, url)
    const [{ next, ...page }, saved] = await Promise.all([
      listPayments(context.get(db), actor, withDays(filters, now), now, after),
      viewsOf(context.get(db), actor, 'payments'),
    ])
    return {
      ...page,
      now,
      filters,
      saved,
      exports: exportsLists(actor),
      pages: pageLinks(filters, place, next),
    }
  })

/** Every payment that was requested or made, with the sums of those under the filters. */
export default function Ledger({ loaderData }: Route.ComponentProps) {
  const { exports, filters, now, pages, rows, saved, totals, years } = loaderData
  return (
    <>
      <SavedViews list="payments" saved={saved} filters={filters} />
      <FilterChips label="Día del pago" path={paymentPartPath('libro')} filters={filters} chips={dayChips} />
      <LedgerFilterBar filters={filters} years={years} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-mute">
          {thousands(totals.count)} {totals.count === 1 ? 'pago' : 'pagos'}
        </p>
        {exports && rows.length > 0 && <ExportLinks to={`${officePath}.csv${listQuery(filters)}`} />}
      </div>
      {rows.length > 0 ? (
        <>
          <LedgerSums totals={totals} filters={filters} />
          <DataTable
            dense
            caption="Pagos"
            columns={columnsAt(now, rows, filters)}
            rows={rows}
            rowKey={({ id }) => id}
            boxes={exports ? rowBoxes<LedgerListRow>(({ folio }) => folio) : undefined}
          />
        </>
      ) : (
        <Nothing isNarrowed={Object.keys(filters).length > 0} />
      )}
      <ListPages pages={pages} rows={rows} count={{ total: totals.count, isMore: false }} />
      {exports && rows.length > 0 && <ChosenBar words={['marcado', 'marcados']} file={`${officePath}.csv`} />}
    </>
  )
}

const columnsAt = (
  now: Date,
  rows: readonly LedgerListRow[],
  filters: PaymentFilters,
): Column<LedgerListRow>[] => [
  {
    header: 'Pago',
    main: true,
    width: 9,
    cell: ({ folio, to }) => (
      <Link to={to} prefetch="intent" className={rowLinkClass}>
        {folio}
      </Link>
    ),
  },
  {
    header: 'Cliente',
    cell: ({ customer, customerId }) => <CustomerLink id={customerId}>{customer}</CustomerLink>,
  },
  ...(rows.some(({ home }) => home) ? [ofHome] : []),
  { header: 'Fecha', width: 7, sorting: sortedBy(filters, 'descending'), cell: ({ at }) => dayIn(at, now) },
  { header: 'Concepto', from: 'medium', cell: conceptOf },
  { header: 'Método', width: 9, from: 'wide', cell: ({ method }) => method && methodLabels[method] },
  { header: 'Estado', width: 9, cell: (row) => <PaymentBadge {...row} /> },
  {
    header: 'Cantidad',
    width: 8,
    numeric: true,
    sorting: sortedBy(filters, 'descending', 'amount'),
    cell: ({ amount }) => money(amount),
  },
]

const ofHome: Column<LedgerListRow> = {
  header: 'Domicilio',
  from: 'medium',
  cell: ({ home }) => home && <span title={home}>{home}</span>,
}

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={BookOpen}
    action={
      isNarrowed ? (
        <LinkButton variant="ghost" to={paymentPartPath('libro')}>
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

const dayChips = (['hoy', 'ayer', 'semana'] as const).map((range) => ({
  label: dayRanges[range].label,
  sets: { range },
}))

type LedgerFilterBarProps = { filters: PaymentFilters; years: readonly number[] }

const LedgerFilterBar = ({ filters, years }: LedgerFilterBarProps) => (
  <FilterBar
    path={paymentPartPath('libro')}
    filters={filters}
    kept={filters.range && { range: filters.range }}
    placeholder="Folio, nombre o clave de rastreo"
    fields={[
      { name: 'month', label: 'Mes', choices: months },
      { name: 'year', label: 'Año', choices: yearChoices(years) },
      { name: 'method', label: 'Método', choices: choicesOf(methodLabels) },
      { name: 'concept', label: 'Concepto', choices: choicesOf(conceptLabels) },
      { name: 'state', label: 'Estado', choices: choicesOf(paymentStateFacts) },
      { name: 'figure', label: 'Suma', choices: choicesOf(moneyFigures) },
      orderField('Más recientes primero', {
        reverse: 'Más antiguos primero',
        amount: 'Mayor cantidad primero',
        'amount-reverse': 'Menor cantidad primero',
      }),
    ]}
  >
    <DayFields filters={filters} />
  </FilterBar>
)

type LedgerSumsProps = { totals: LedgerTotals; filters: PaymentFilters }

/** The sums of the rows of the ledger, of all pages; each leads to those that it counts. */
const LedgerSums = ({ filters, totals }: LedgerSumsProps) => (
  <Card title="En total">
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
      {(Object.keys(moneyFigures) as MoneyFigure[]).map((figure) => (
        <div key={figure} className="grid content-start gap-0.5">
          <dt className="text-sm text-mute">{moneyFigures[figure].label}</dt>
          <dd className="font-semibold tabular-nums lg:text-lg">
            <Link to={paymentPartPath('libro') + listQuery({ ...filters, figure })}>
              {money(totals[figure])}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)
