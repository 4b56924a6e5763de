import { exportsLists } from '../../access/rules/actor.ts'
import { yearsForFilter } from '../../appointments/rules/appointment.ts'
import { FilterChips } from '../../kit/list/filter-bar.tsx'
import { listQuery, readList } from '../../kit/list/filters.ts'
import { ListBody, type ListColumn, ListCount } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, signedIn } from '../../kit/request.ts'
import { CustomerCell } from '../../projects/screens/customer-cell.tsx'
import { shortFolio } from '../../shared/columns.ts'
import { dayRanges } from '../../shared/day-range.ts'
import { dayIn, money } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { viewsOf } from '../../users/saved-views.ts'
import { type LedgerListRow, listPayments } from '../queries.ts'
import { conceptOf, methodLabels } from '../rules/payment.ts'
import {
  type LedgerTotals,
  type MoneyFigure,
  moneyFigures,
  type PaymentFilters,
} from '../rules/receivable.ts'
import type { Route } from './+types/ledger.ts'
import { PaymentBadge } from './payment-badge.tsx'
import { paymentList } from './payment-lists.ts'

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    const { actor, now, db } = signedIn(context)
    const { after, asked, page } = readList(paymentList, url, now)
    const [payments, saved] = await Promise.all([
      listPayments(db, actor, asked, now, after),
      viewsOf(db, actor, 'payments'),
    ])
    return {
      ...page(payments),
      total: payments.totals.count,
      now,
      saved,
      exports: exportsLists(actor),
    }
  })

/** Every payment that was requested or made, with the sums of those under the filters. */
export default function Ledger({ loaderData }: Route.ComponentProps) {
  const { exports, filters, rows, totals, years } = loaderData
  return (
    <ListBody
      list={paymentList}
      loaded={loaderData}
      chips={<FilterChips label="Día del pago" path={paymentList.path} filters={filters} chips={dayChips} />}
      offers={{ year: yearsForFilter(years) }}
      columns={columns}
      ticks={exports ? { label: ({ folio }) => folio } : null}
      otherwise={
        <LinkButton variant="ghost" to="/admin/cotizations">
          Ver cotizaciones
        </LinkButton>
      }
    >
      <ListCount list={paymentList} loaded={loaderData} />
      {rows.length > 0 && <LedgerSums totals={totals} filters={filters} />}
    </ListBody>
  )
}

const columns: readonly ListColumn<LedgerListRow, Route.ComponentProps['loaderData']>[] = [
  { header: 'Cliente', main: true, cell: (row) => <CustomerCell row={row} /> },
  {
    header: 'Pago',
    whole: true,
    cell: (row, { now }) => (
      <>
        <Link to={row.to} prefetch="intent" title={row.folio} className={rowLinkClass}>
          {shortFolio(row.folio, now)}
        </Link>
        <SecondLine>{conceptOf(row)}</SecondLine>
      </>
    ),
  },
  { header: 'Fecha', whole: true, sorts: ['descending'], cell: ({ at }, { now }) => dayIn(at, now) },
  { header: 'Método', from: 'wide', cell: ({ method }) => method && methodLabels[method] },
  { header: 'Estado', whole: true, cell: (row) => <PaymentBadge {...row} /> },
  {
    header: 'Cantidad',
    numeric: true,
    sorts: ['descending', 'amount'],
    cell: ({ amount }) => money(amount),
  },
]

const dayChips = (['hoy', 'ayer', 'semana'] as const).map((range) => ({
  label: dayRanges[range].label,
  sets: { range },
}))

type LedgerSumsProps = { totals: LedgerTotals; filters: PaymentFilters }

/** The sums of the rows of the ledger, of all pages; each leads to those that it counts. */
const LedgerSums = ({ filters, totals }: LedgerSumsProps) => (
  <Card title="En total">
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
      {(Object.keys(moneyFigures) as MoneyFigure[]).map((figure) => (
        <div key={figure} className="grid content-start gap-0.5">
          <dt className="text-sm text-mute">{moneyFigures[figure].label}</dt>
          <dd className="font-semibold tabular-nums lg:text-lg">
            <Link to={paymentList.path + listQuery({ ...filters, figure })}>{money(totals[figure])}</Link>
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)
