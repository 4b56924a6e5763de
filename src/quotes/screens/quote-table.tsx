import { TriangleAlert } from 'lucide-react'
import { dayFilters } from '../../kit/list/filter-chips.tsx'
import {
  aMonth,
  anId,
  aYear,
  oneOf,
  ordersBy,
  readFilters,
  searched,
  sortedBy,
} from '../../kit/list/lists.tsx'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { dayIn, money } from '../../shared/format.ts'
import { homeOrZone } from '../../shared/places.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Boxes, type Column, DataTable, rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { ListedQuote, PricedQuote } from '../list.ts'
import {
  isOpenQuote,
  lowWords,
  type QuoteFilters,
  type QuoteReading,
  type QuoteState,
  quoteFiltersFor,
  quoteStateFacts,
  quoteStates,
} from '../rules/quote.ts'

/** What every reader of the list is shown of a quote. */
type Row = Pick<ListedQuote, 'id' | 'folio' | 'revision' | 'kind' | 'state' | 'createdAt' | 'sentAt'>

const quoteBy = (filters: QuoteFilters): Column<Row> => ({
  header: 'Cotización',
  sorting: sortedBy(filters, 'descending'),
  main: true,
  width: 11,
  cell: ({ id, folio, kind, revision }) => (
    <Link to={`${quotesPath}/detail-quote/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
      {folio || 'Cotización'}
      <SecondLine>{kind === 'extra_work' ? 'Adicional' : revision > 1 && `v${revision}`}</SecondLine>
    </Link>
  ),
})

const customer: Column<Pick<ListedQuote, 'customer' | 'customerId'>> = {
  header: 'Cliente',
  cell: ({ customer: name, customerId }) => <CustomerLink id={customerId}>{name}</CustomerLink>,
}
const zone: Column<Pick<ListedQuote, 'municipality'> & { home?: string | null }> = {
  header: 'Zona',
  from: 'wide',
  cell: ({ home, municipality }) => homeOrZone(home, municipality),
}
const state: Column<Row> = { header: 'Estado', width: 8.5, cell: (row) => <QuoteBadge state={row.state} /> }

/** When it was sent and, as long as it can be accepted, until when. */
const sentAt = (
  now: Date,
  filters: QuoteFilters,
  width: number,
): Column<Row & { validUntil?: Date | null }> => ({
  header: 'Enviada',
  sorting: sortedBy(filters, 'descending', 'sent'),
  width,
  from: 'medium',
  cell: (row) =>
    row.sentAt && (
      <>
        {dayIn(row.sentAt, now)}
        {row.validUntil && isOpenQuote(row.state) && (
          <SecondLine>Vence {dayIn(row.validUntil, now)}</SecondLine>
        )}
      </>
    ),
})

const pricedAt = (now: Date, filters: QuoteFilters): readonly Column<PricedQuote>[] => [
  quoteBy(filters),
  customer,
  zone,
  { header: 'Analista', from: 'medium', cell: ({ maker }) => maker },
  sentAt(now, filters, 12),
  state,
  {
    header: 'Total con IVA',
    width: 12.5,
    numeric: true,
    sorting: sortedBy(filters, 'descending', 'worth'),
    cell: worthOf,
  },
]

/** What was accepted; until then what its options cost. */
function worthOf(quote: PricedQuote) {
  const { acceptedTotal, highestTotal, lowestTotal } = quote
  const low = lowWords(quote)
  const [from, to] = acceptedTotal === null ? [lowestTotal, highestTotal] : [acceptedTotal, acceptedTotal]
  return (
    <span className="tabular-nums" title={low ?? undefined}>
      {low && (
        <TriangleAlert aria-hidden className="mr-1 inline size-4 align-text-bottom text-bad max-lg:hidden" />
      )}
      {to === from ? money(from) : `${money(from)} a ${money(to)}`}
      {low && <span className="block text-sm text-bad lg:sr-only">{low}</span>}
    </span>
  )
}

export const QuoteBadge = ({ state: name }: { state: QuoteState }) => (
  <Badge tone={quoteStateFacts[name].tone}>{quoteStateFacts[name].label}</Badge>
)

const caption = 'Cotizaciones'

/** Quotes with their amounts, as a table on a desk and as cards on a phone. */
type QuoteTableProps<Row> = {
  now: Date
  rows: readonly Row[]
  filters: QuoteFilters
  boxes?: Boxes<Row> | undefined
}

export const PricedQuoteTable = ({ now, rows, filters, boxes }: QuoteTableProps<PricedQuote>) => (
  <DataTable
    dense
    caption={caption}
    columns={pricedAt(now, filters)}
    rows={rows}
    rowKey={({ id }) => id}
    boxes={boxes}
  />
)

/** Quotes for those who read no amounts. */
export const QuoteTable = ({ now, rows, filters }: QuoteTableProps<ListedQuote>) => (
  <DataTable
    dense
    caption={caption}
    columns={[quoteBy(filters), customer, zone, sentAt(now, filters, 8), state]}
    rows={rows}
    rowKey={({ id }) => id}
  />
)

export const quotesPath = '/admin/cotizations'

const filterSchema = {
  ...dayFilters,
  date: oneOf(['end']),
  month: aMonth,
  year: aYear,
  state: oneOf(quoteStates),
  analyst: anId,
  agency: anId,
  text: searched(),
  order: ordersBy('sent', 'end', 'worth'),
}

/** The filters of an address that count for a reader, and the place in the list. */
export function quoteFiltersOf(url: URL, reading: QuoteReading) {
  const { after, filters, place } = readFilters(filterSchema, url)
  return { filters: quoteFiltersFor(reading, filters), after, place }
}
