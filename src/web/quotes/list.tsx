import { Download, FileText } from 'lucide-react'
import { thousands } from '../../domain/shared/format.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/list.ts'
import { FiguresCards } from './figures-cards.tsx'
import { loadQuotes } from './list-loader.ts'
import { listPath, queryOf } from './list-query.ts'
import { QuoteFilterBar } from './quote-filter-bar.tsx'
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
        actions={isManager && <Export address={`${listPath}.csv${queryOf(filters)}`} />}
      />
      {priced && <ToQuoteCard {...priced.toQuote} now={now} />}
      <QuoteFilterBar
        filters={filters}
        years={years}
        states={states}
        makers={priced?.makers ?? null}
        agencies={priced?.agencies ?? null}
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

const Export = ({ address }: { address: string }) => (
  <a className={buttonClass('ghost')} href={address} download>
    <Download aria-hidden className="size-5" />
    Exportar CSV
  </a>
)

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
