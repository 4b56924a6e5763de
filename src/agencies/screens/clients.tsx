import { Contact, UserPlus } from 'lucide-react'
import { listsDb } from '../../app/context.ts'
import { clientOptions, listClients } from '../../customers/clients.ts'
import { ExportLinks, ListPages, listQuery, pageLinks, readFilters } from '../../kit/list/lists.tsx'
import { movedFromQuery } from '../../kit/moved-from-query.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requireActor } from '../../kit/require-actor.ts'
import { thousands } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Route } from './+types/clients.ts'
import { clientFilters, clientPath, clientsPath, registerPath } from './agency-paths.ts'
import { ClientFilterBar, ClientTable } from './client-table.tsx'

export const handle = { announcesUpdates: true }

export const middleware = [
  movedFromQuery('cliente', (id) => id && clientPath(encodeURIComponent(id))),
  movedFromQuery('registrar', () => registerPath),
]

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const [database, actor, now] = [await context.get(listsDb)(), requireActor(context), new Date()]
    const agencyId = actor.agencyId ?? refuse('not-found')
    const { after, filters, place } = readFilters(clientFilters, url)
    const [{ next, ...page }, options] = await Promise.all([
      listClients(database, actor, agencyId, { ...filters, ...(after && { after }) }, now),
      clientOptions(database, actor, agencyId),
    ])
    return { ...page, filters, options, now, pages: pageLinks(filters, place, next) }
  })

/** The clients of an ally's agency, with their filters and pages. */
export default function Clients({ loaderData }: Route.ComponentProps) {
  const { filters, pages, now, options, rows, total } = loaderData
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Clientes"
        subtitle={`${thousands(total)} ${total === 1 ? 'cliente' : 'clientes'}`}
        // While there are no clients, the empty state has the only action.
        actions={(total > 0 || isNarrowed) && <Actions query={listQuery(filters)} />}
      />
      {(rows.length > 0 || isNarrowed) && (
        <ClientFilterBar path={clientsPath} filters={filters} options={options} />
      )}
      {rows.length > 0 ? (
        <ClientTable rows={rows} now={now} pathOf={({ id }) => clientPath(id)} />
      ) : (
        <Nothing isNarrowed={isNarrowed} />
      )}
      <ListPages pages={pages} rows={rows} count={{ total, isMore: false }} />
    </>
  )
}

const Actions = ({ query }: { query: string }) => (
  <>
    <LinkButton to={registerPath}>
      <UserPlus aria-hidden className="size-5" />
      <span className="whitespace-nowrap">Registrar cliente</span>
    </LinkButton>
    <ExportLinks to={`${clientsPath}.csv${query}`} />
  </>
)

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={Contact}
    action={
      isNarrowed ? (
        <LinkButton variant="ghost" to={clientsPath}>
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
