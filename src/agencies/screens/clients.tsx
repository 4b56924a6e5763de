import { UserPlus } from 'lucide-react'
import { clientOptions, listClients } from '../../customers/clients.ts'
import { readList } from '../../kit/list/filters.ts'
import { ExportLinks, isNarrowedBy, ListBody, ListHeader } from '../../kit/list/list-body.tsx'
import { movedFromQuery } from '../../kit/moved-from-query.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf, signedIn } from '../../kit/request.ts'
import { refuse } from '../../shared/refusal.ts'
import { LinkButton } from '../../ui/button.tsx'
import type { Route } from './+types/clients.ts'
import { clientPath, registerPath } from './agency-paths.ts'
import { StageIcons } from './badges.tsx'
import { clientColumns, clientList } from './client-table.tsx'

export const handle = { announcesUpdates: true }

export const middleware = [
  movedFromQuery('cliente', (id) => id && clientPath(encodeURIComponent(id))),
  movedFromQuery('registrar', () => registerPath),
]

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const db = await requestOf(context).lists()
    const { actor, now } = signedIn(context)
    const agencyId = actor.agencyId ?? refuse('not-found')
    const { asked, page } = readList(clientList, url, now)
    const [clients, options] = await Promise.all([
      listClients(db, actor, agencyId, asked, now),
      clientOptions(db, actor, agencyId),
    ])
    return { ...page(clients), options, now }
  })

/** The clients of an ally's agency, with their filters and pages. */
export default function Clients({ loaderData }: Route.ComponentProps) {
  const { filters, options, rows, total } = loaderData
  const isNarrowed = isNarrowedBy(filters)
  return (
    <>
      <ListHeader
        list={clientList}
        loaded={loaderData}
        // While there are no clients, the empty state has the only action.
        actions={
          (total > 0 || isNarrowed) && (
            <>
              <LinkButton to={registerPath}>
                <UserPlus aria-hidden className="size-5" />
                <span className="whitespace-nowrap">Registrar cliente</span>
              </LinkButton>
              <ExportLinks list={clientList} loaded={loaderData} />
            </>
          )
        }
      />
      <ListBody
        list={clientList}
        loaded={loaderData}
        hasBar={rows.length > 0 || isNarrowed}
        offers={options}
        columns={columns}
        otherwise={<LinkButton to={registerPath}>Registrar cliente</LinkButton>}
      >
        {rows.length > 0 && <StageIcons />}
      </ListBody>
    </>
  )
}

const columns = clientColumns(({ id }) => clientPath(id))
