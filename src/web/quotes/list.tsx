import { FileText } from 'lucide-react'
import { months } from '../../domain/appointments/appointment.ts'
import { quoteStateFacts } from '../../domain/quotes/quote.ts'
import { thousands } from '../../domain/shared/format.ts'
import {
  ExportLink,
  FilterBar,
  type FilterField,
  listQuery,
  namedChoices,
  yearChoices,
} from '../lib/lists.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/list.ts'
import { FiguresCards } from './figures-cards.tsx'
import { loadQuotes } from './list-loader.ts'
import { listPath } from './list-query.ts'
import { PricedQuoteTable, QuoteTable } from './quote-table.tsx'
import { ToQuoteCard } from './to-quote-card.tsx'

export const handle = { announcesUpdates: true }

export const loader = (asked: Route.LoaderArgs) => loadQuotes(asked)

export default function Quotes({ loaderData }: Route.ComponentProps) {
  const { filters, states, isManager, findsPeople, plain, priced, first, next, now } = loaderData
  const { total, years } = priced ?? plain
  return (
    <>
      <PageHeader
        title="Cotizaciones"
        subtitle={`${thousands(total)} ${total === 1 ? 'cotización' : 'cotizaciones'}`}
        actions={isManager && <ExportLink to={`${listPath}.csv${listQuery(filters)}`} />}
      />
      {priced && <ToQuoteCard {...priced.toQuote} now={now} />}
      <FilterBar
        path={listPath}
        filters={filters}
        fields={fieldsFor(states, years, priced)}
        placeholder={findsPeople ? 'Folio, nombre, correo o teléfono' : 'Nombre'}
      />
      {total === 0 && <Nothing isNarrowed={Object.keys(filters).length > 0} writes={priced !== null} />}
      {priced && priced.rows.length > 0 && <PricedQuoteTable rows={priced.rows} />}
      {plain && plain.rows.length > 0 && <QuoteTable rows={plain.rows} />}
      <Pagination previous={first} next={next} />
      {priced && <FiguresCards figures={priced.figures} filters={filters} />}
    </>
  )
}

type Loaded = Route.ComponentProps['loaderData']

const fieldsFor = (
  states: Loaded['states'],
  years: readonly number[],
  priced: Loaded['priced'],
): FilterField[] => [
  {
    name: 'state',
    label: 'Estado',
    choices: states.map((value) => ({ value, label: quoteStateFacts[value].label })),
  },
  { name: 'month', label: 'Mes', choices: months },
  { name: 'year', label: 'Año', choices: yearChoices(years) },
  ...(priced
    ? [
        { name: 'analyst', label: 'Analista', choices: namedChoices(priced.makers) },
        { name: 'agency', label: 'Concesionaria', choices: namedChoices(priced.agencies), all: 'Todas' },
      ]
    : []),
]

type NothingProps = { isNarrowed: boolean; writes: boolean }

function Nothing({ isNarrowed, writes }: NothingProps) {
  if (isNarrowed)
    return (
      <EmptyState
        icon={FileText}
        action={
          <LinkButton variant="ghost" to={listPath}>
            Ver todas
          </LinkButton>
        }
      >
        No hay cotizaciones con estos filtros.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={FileText}
      action={
        <LinkButton variant="ghost" to="/admin/appointments-done">
          Ver citas realizadas
        </LinkButton>
      }
    >
      {writes
        ? 'Todavía no hay cotizaciones. Cada una empieza con el reporte aprobado de una visita.'
        : 'Todavía no hay cotizaciones que puedas ver.'}
    </EmptyState>
  )
}
