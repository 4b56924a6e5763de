import { Contact, UserPlus } from 'lucide-react'
import type { ClientFilters } from '../../domain/agencies/clients.ts'
import { thousands } from '../../domain/shared/format.ts'
import type { ClientPage } from '../../server/agencies/list.ts'
import type { ClientOptions } from '../../server/agencies/options.ts'
import { ExportLink, listQuery } from '../lib/lists.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { ClientFilterBar } from './client-filter-bar.tsx'
import { ClientTable } from './client-table.tsx'
import { clientPath, listPath, registerPath } from './list-query.ts'

export type ShownList = ClientPage & {
  filters: ClientFilters
  options: ClientOptions
  first: string | null
  now: Date
}

/** The clients of an ally's agency, with their filters and pages. */
export function ClientList({ filters, first, next, now, options, rows, total }: ShownList) {
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Clientes"
        subtitle={`${thousands(total)} ${total === 1 ? 'cliente' : 'clientes'}`}
        // Where there is nobody yet, the sentence that says so has the one thing to do.
        actions={(total > 0 || isNarrowed) && <Actions query={listQuery(filters)} />}
      />
      {(rows.length > 0 || isNarrowed) && (
        <ClientFilterBar path={listPath} filters={filters} options={options} />
      )}
      {rows.length > 0 ? (
        <ClientTable rows={rows} now={now} pathOf={({ id }) => clientPath(id)} />
      ) : (
        <Nothing isNarrowed={isNarrowed} />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}

const Actions = ({ query }: { query: string }) => (
  <>
    <LinkButton to={registerPath}>
      <UserPlus aria-hidden className="size-5" />
      <span className="whitespace-nowrap">Registrar cliente</span>
    </LinkButton>
    <ExportLink to={`${listPath}.csv${query}`}>
      <span>
        <span className="max-sm:sr-only">Exportar </span>CSV
      </span>
    </ExportLink>
  </>
)

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={Contact}
    action={
      isNarrowed ? (
        <LinkButton variant="ghost" to={listPath}>
          Ver todos
        </LinkButton>
      ) : (
        <LinkButton to={registerPath}>Registrar cliente</LinkButton>
      )
    }
  >
    {isNarrowed
      ? 'No hay clientes con estos filtros.'
      : 'Todavía no hay clientes. Registra a quien esté en tu mostrador, o comparte el enlace de tu código: aquí verás en qué va cada uno.'}
  </EmptyState>
)
