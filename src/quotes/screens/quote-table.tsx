import { FileText, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ToQuote } from '../../customers/quote-figures.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import {
  aMonth,
  anId,
  anIdOr,
  aYear,
  aZone,
  choiceFilter,
  dayFilters,
  oneOf,
  orders,
  searched,
} from '../../kit/list/filters.ts'
import type { List, ListColumn } from '../../kit/list/list-body.tsx'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { dayIn, relative } from '../../shared/format.ts'
import { homeOrZone, municipalityLabel } from '../../shared/places.ts'
import { Badge } from '../../ui/badge.tsx'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { ListedQuote, PricedQuote } from '../list.ts'
import { isOpenQuote, lowWords, type QuoteState, quoteStateFacts, worthWords } from '../rules/quote.ts'
import { quotePartPath } from '../rules/quote-path.ts'
import { notTaken, type QuoteTab, quoteTabs } from '../rules/quote-tabs.ts'

const view = { ...oneOf(Object.keys(quoteTabs) as QuoteTab[]), isTab: true }
const agency = { ...anId, label: 'Concesionaria', all: 'Todas' }
const text = searched('Folio, nombre, correo o teléfono')

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
    view,
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
    agency,
    date: choiceFilter('Días de', { end: 'Vencimiento' }, 'Envío'),
    text,
  },
} satisfies List

/** The visits that wait for a quote, in tabs of the same page. */
export const toQuoteList = {
  ...quoteList,
  caption: 'Visitas por cotizar',
  words: ['visita', 'visitas'],
  empty: 'Nadie espera una cotización.',
  narrowed: 'No hay visitas con estos filtros.',
  filters: {
    view,
    zone: aZone,
    agency,
    analyst: { ...anIdOr(notTaken), label: 'La tiene', all: 'Cualquiera' },
    order: orders('Los que más esperan primero', {
      reverse: 'Los que menos esperan primero',
      zone: 'Por zona',
      'zone-reverse': 'Por zona, de la Z a la A',
      agency: 'Por concesionaria',
      'agency-reverse': 'Por concesionaria, de la Z a la A',
      taker: 'Por quién la tiene',
      'taker-reverse': 'Primero las que nadie tiene',
    }),
    text,
  },
} satisfies List

/** How the sums by month are narrowed. */
export const monthsList = {
  path: quoteList.path,
  filters: { view, year: aYear, analyst: quoteList.filters.analyst, agency },
}

/** Of those who read no amounts. */
export const ordersWithoutWorth = ['reverse', 'sent', 'sent-reverse', 'end', 'end-reverse']

/** What every reader of the list is shown of a quote. */
type Row = Pick<ListedQuote, 'id' | 'folio' | 'revision' | 'kind' | 'state' | 'createdAt' | 'sentAt'>

type Loaded = { now: Date }

const QuoteLink = ({ children, id }: { children: ReactNode; id: string }) => (
  <Link to={quotePartPath(id)} prefetch="intent" discover="none" className={rowLinkClass}>
    {children}
  </Link>
)

const versionWords = ({ kind, revision }: Pick<Row, 'kind' | 'revision'>) =>
  kind === 'extra_work' ? 'Adicional' : revision > 1 && `v${revision}`

const quote: ListColumn<Row, Loaded> = {
  header: 'Cotización',
  sorts: ['descending'],
  main: true,
  width: 11,
  cell: (row) => (
    <QuoteLink id={row.id}>
      {row.folio || 'Cotización'}
      <SecondLine>{versionWords(row)}</SecondLine>
    </QuoteLink>
  ),
}
const customer: ListColumn<Pick<ListedQuote, 'customer' | 'customerId'>, Loaded> = {
  header: 'Cliente',
  cell: ({ customer: name, customerId }) => <CustomerLink id={customerId}>{name}</CustomerLink>,
}
const zone: ListColumn<Pick<ListedQuote, 'municipality'> & { home?: string | null }, Loaded> = {
  header: 'Zona',
  from: 'wide',
  width: 9,
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
  {
    header: 'Cotización',
    sorts: ['descending'],
    main: true,
    cell: (row) => (
      <QuoteLink id={row.id}>
        {row.customer}
        <SecondLine>{[row.folio, versionWords(row)].filter(Boolean).join(' · ')}</SecondLine>
      </QuoteLink>
    ),
  },
  zone,
  { header: 'Analista', width: 9, from: 'medium', cell: ({ maker }) => maker },
  sentAt(10),
  state,
  {
    header: 'Total con IVA',
    width: 12.5,
    numeric: true,
    sorts: ['descending', 'worth'],
    cell: worthOf,
  },
]

/** The visits that wait for a quote: each leads to where it is written, and is taken here. */
export const toQuoteColumns: readonly ListColumn<ToQuote, Loaded>[] = [
  {
    header: 'Cliente',
    main: true,
    cell: ({ customer: name, folio, to }) => (
      <Link to={to} prefetch="intent" discover="none" className={rowLinkClass} title={name}>
        {name}
        <SecondLine>{folio}</SecondLine>
      </Link>
    ),
  },
  {
    header: 'Espera',
    sorts: ['ascending'],
    width: 11,
    cell: ({ since, why }, { now }) => (
      <>
        {relative(since, now)}
        <SecondLine>{why}</SecondLine>
      </>
    ),
  },
  {
    header: 'Zona',
    sorts: ['ascending', 'zone'],
    width: 8.5,
    cell: ({ municipality }) => municipality && municipalityLabel(municipality),
  },
  {
    header: 'Concesionaria',
    sorts: ['ascending', 'agency'],
    width: 10,
    from: 'wide',
    cell: ({ agency: name }) => name,
  },
  { header: 'Auto', width: 11, from: 'medium', cell: ({ car }) => car },
  {
    header: 'La tiene',
    sorts: ['ascending', 'taker'],
    width: 8.5,
    cell: ({ act, customer: name, id, isFree, taker, to }) =>
      isFree ? (
        <Form intent="take-quote" target={{ appointmentId: id }}>
          <Submit variant="ghost">
            Tomar<span className="sr-only">: {name}</span>
          </Submit>
        </Form>
      ) : (
        (taker ?? <Link to={to}>{act}</Link>)
      ),
  },
]

function worthOf(quote: PricedQuote) {
  const low = lowWords(quote)
  return (
    <span className="tabular-nums" title={low ?? undefined}>
      {low && (
        <TriangleAlert aria-hidden className="mr-1 inline size-4 align-text-bottom text-bad max-lg:hidden" />
      )}
      {worthWords(quote)}
      {low && <span className="block text-sm text-bad lg:sr-only">{low}</span>}
    </span>
  )
}

export const QuoteBadge = ({ state: name }: { state: QuoteState }) => (
  <Badge tone={quoteStateFacts[name].tone}>{quoteStateFacts[name].label}</Badge>
)
