import { FileText, TriangleAlert } from 'lucide-react'
import { aMonth, anId, aYear, choiceFilter, dayFilters, orders, searched } from '../../kit/list/filters.ts'
import type { List, ListColumn } from '../../kit/list/list-body.tsx'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { dayIn, money } from '../../shared/format.ts'
import { homeOrZone } from '../../shared/places.ts'
import { Badge } from '../../ui/badge.tsx'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { ListedQuote, PricedQuote } from '../list.ts'
import { isOpenQuote, lowWords, type QuoteState, quoteStateFacts } from '../rules/quote.ts'

export const quoteList = {
  path: '/admin/cotizations',
  title: 'Cotizaciones',
  words: ['cotización', 'cotizaciones'],
  saved: 'quotes',
  icon: FileText,
  empty: 'Todavía no hay cotizaciones. Cada una empieza con el reporte aprobado de una visita.',
  narrowed: 'No hay cotizaciones con estos filtros.',
  all: 'Ver todas',
  ticked: ['marcada', 'marcadas'],
  filters: {
    ...dayFilters,
    state: choiceFilter('Estado', quoteStateFacts),
    month: aMonth,
    year: aYear,
    order: orders('Más nuevas primero', {
      reverse: 'Más antiguas primero',
      sent: 'Enviadas más recientes',
      'sent-reverse': 'Enviadas más antiguas',
      end: 'Vencen primero',
      'end-reverse': 'Vencen al final',
      worth: 'Mayor cantidad primero',
      'worth-reverse': 'Menor cantidad primero',
    }),
    analyst: { ...anId, label: 'Analista' },
    agency: { ...anId, label: 'Concesionaria', all: 'Todas' },
    date: choiceFilter('Días de', { end: 'Vencimiento' }, 'Envío'),
    text: searched('Folio, nombre, correo o teléfono'),
  },
} satisfies List

/** Of those who read no amounts. */
export const ordersWithoutWorth = ['reverse', 'sent', 'sent-reverse', 'end', 'end-reverse']

/** What every reader of the list is shown of a quote. */
type Row = Pick<ListedQuote, 'id' | 'folio' | 'revision' | 'kind' | 'state' | 'createdAt' | 'sentAt'>

type Loaded = { now: Date }

const quote: ListColumn<Row, Loaded> = {
  header: 'Cotización',
  sorts: ['descending'],
  main: true,
  width: 11,
  cell: ({ id, folio, kind, revision }) => (
    <Link
      to={`${quoteList.path}/detail-quote/${id}`}
      prefetch="intent"
      discover="none"
      className={rowLinkClass}
    >
      {folio || 'Cotización'}
      <SecondLine>{kind === 'extra_work' ? 'Adicional' : revision > 1 && `v${revision}`}</SecondLine>
    </Link>
  ),
}
const customer: ListColumn<Pick<ListedQuote, 'customer' | 'customerId'>, Loaded> = {
  header: 'Cliente',
  cell: ({ customer: name, customerId }) => <CustomerLink id={customerId}>{name}</CustomerLink>,
}
const zone: ListColumn<Pick<ListedQuote, 'municipality'> & { home?: string | null }, Loaded> = {
  header: 'Zona',
  from: 'wide',
  cell: ({ home, municipality }) => homeOrZone(home, municipality),
}
const state: ListColumn<Row, Loaded> = {
  header: 'Estado',
  width: 8.5,
  cell: (row) => <QuoteBadge state={row.state} />,
}

/** When it was sent and, as long as it can be accepted, until when. */
const sentAt = (width: number): ListColumn<Row & { validUntil?: Date | null }, Loaded> => ({
  header: 'Enviada',
  sorts: ['descending', 'sent'],
  width,
  from: 'medium',
  cell: (row, { now }) =>
    row.sentAt && (
      <>
        {dayIn(row.sentAt, now)}
        {row.validUntil && isOpenQuote(row.state) && (
          <SecondLine>Vence {dayIn(row.validUntil, now)}</SecondLine>
        )}
      </>
    ),
})

/** Of those who read no amounts. */
export const quoteColumns: readonly ListColumn<ListedQuote, Loaded>[] = [
  quote,
  customer,
  zone,
  sentAt(8),
  state,
]

export const pricedColumns: readonly ListColumn<PricedQuote, Loaded>[] = [
  quote,
  customer,
  zone,
  { header: 'Analista', from: 'medium', cell: ({ maker }) => maker },
  sentAt(12),
  state,
  {
    header: 'Total con IVA',
    width: 12.5,
    numeric: true,
    sorts: ['descending', 'worth'],
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
