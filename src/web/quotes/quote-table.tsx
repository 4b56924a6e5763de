import {
  isOpenQuote,
  mostDiscountShare,
  type QuoteReading,
  type QuoteState,
  quoteFiltersFor,
  quoteStateFacts,
  quoteStates,
} from '../../domain/quotes/quote.ts'
import { money, shortDate } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ListedQuote, PricedQuote } from '../../server/quotes/list.ts'
import { aMonth, anId, aYear, oneOf, readFilters, searched } from '../lib/lists.tsx'
import { CustomerLink } from '../projects/customer-link.tsx'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { Link } from '../ui/link.tsx'

/** What every reader of the list is shown of a quote. */
type Row = Pick<ListedQuote, 'id' | 'folio' | 'revision' | 'kind' | 'state' | 'createdAt' | 'sentAt'>

const quote: Column<Row> = {
  header: 'Cotización',
  main: true,
  cell: ({ id, folio, kind, revision }) => (
    <Link to={`${quotesPath}/detail-quote/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
      <span className="whitespace-nowrap">{folio || 'Cotización'}</span>
      <span className="block text-sm font-normal text-mute">
        {kind === 'extra_work' ? 'Trabajo adicional' : `Versión ${revision}`}
      </span>
    </Link>
  ),
}

const customer: Column<Pick<ListedQuote, 'customer' | 'customerId' | 'municipality'>> = {
  header: 'Cliente',
  cell: ({ customer: name, customerId, municipality }) => (
    <>
      <CustomerLink id={customerId}>{name}</CustomerLink>
      {municipality && (
        // Beside a long name it would be cut within its words.
        <span className="block text-sm wrap-normal text-mute">{municipalityLabel(municipality)}</span>
      )}
    </>
  ),
}
const state: Column<Row> = { header: 'Estado', cell: (row) => <QuoteBadge state={row.state} /> }

/** When it was sent and, as long as it can be accepted, until when. */
const sent: Column<Row & { validUntil?: Date | null }> = {
  header: 'Enviada',
  cell: (row) =>
    row.sentAt && (
      <span className="whitespace-nowrap">
        {shortDate(row.sentAt)}
        {row.validUntil && isOpenQuote(row.state) && (
          <span className="block text-sm text-mute">Vence {shortDate(row.validUntil)}</span>
        )}
      </span>
    ),
}

const priced: readonly Column<PricedQuote>[] = [
  quote,
  customer,
  { header: 'Analista', cell: ({ maker }) => maker },
  sent,
  state,
  { header: 'Total con IVA', numeric: true, cell: worthOf },
]

/** What was accepted; until then what its options cost. */
function worthOf(quote: PricedQuote) {
  const { acceptedTotal, highestTotal, lowestTotal } = quote
  const low = lowWords(quote)
  const [from, to] = acceptedTotal === null ? [lowestTotal, highestTotal] : [acceptedTotal, acceptedTotal]
  return (
    <span className="tabular-nums">
      <span className="whitespace-nowrap">{money(from)}</span>
      {to !== from && <span className="block whitespace-nowrap">a {money(to)}</span>}
      {low && <span className="block text-sm text-bad">{low}</span>}
    </span>
  )
}

/** How far it is below what it should cost; a draft of these is the manager's to send. */
export function lowWords({
  belowCost,
  belowList,
  state,
}: Pick<PricedQuote, 'belowCost' | 'belowList' | 'state'>) {
  if (!belowCost && belowList <= mostDiscountShare) return null
  const low = belowCost ? 'Debajo del costo' : `${Math.floor(belowList / 100)} % debajo de lista`
  return state === 'draft' ? `${low}: la envía la gerencia` : low
}

export const QuoteBadge = ({ state: name }: { state: QuoteState }) => (
  <Badge tone={quoteStateFacts[name].tone}>{quoteStateFacts[name].label}</Badge>
)

const caption = 'Cotizaciones'

/** Quotes with their amounts, as a table on a desk and as cards on a phone. */
export const PricedQuoteTable = ({ rows }: { rows: readonly PricedQuote[] }) => (
  <DataTable caption={caption} columns={priced} rows={rows} rowKey={({ id }) => id} />
)

/** Quotes for those who read no amounts. */
export const QuoteTable = ({ rows }: { rows: readonly ListedQuote[] }) => (
  <DataTable caption={caption} columns={[quote, customer, sent, state]} rows={rows} rowKey={({ id }) => id} />
)

export const quotesPath = '/admin/cotizations'

const filterSchema = {
  month: aMonth,
  year: aYear,
  state: oneOf(quoteStates),
  analyst: anId,
  agency: anId,
  text: searched(),
}

/** The filters of an address that count for a reader, and the place in the list. */
export function quoteFiltersOf(url: URL, reading: QuoteReading) {
  const { after, filters } = readFilters(filterSchema, url)
  return { filters: quoteFiltersFor(reading, filters), after }
}
