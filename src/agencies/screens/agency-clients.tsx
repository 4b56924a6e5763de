import { isAlly } from '../../access/rules/actor.ts'
import { clientOptions, clientsByStage, listClients } from '../../customers/clients.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Select } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { FilterBar } from '../../kit/list/filter-bar.tsx'
import { readList } from '../../kit/list/filters.ts'
import { isNarrowedBy, ListPages, ListTable } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { thousands } from '../../shared/format.ts'
import { unwrap } from '../../shared/refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { readAllies } from '../../users/queries.ts'
import { calledBy } from '../../users/rules/user.ts'
import { handOver, holdersOf } from '../attributions.ts'
import { editsAgencies } from '../rules/agency.ts'
import { type ClientStage, clientStageLabels, clientStages, heldWords } from '../rules/clients.ts'
import { holdingsHandOverInput } from '../rules/schema.ts'
import type { Route } from './+types/agency-clients.ts'
import { agencyPath, clientsPath } from './agency-paths.ts'
import { openEditor, openTab, type TabRequest } from './agency-server.ts'
import { StageBadge, StageIcons } from './badges.tsx'
import { clientColumns, clientList } from './client-table.tsx'

export const shouldRevalidate = revalidateOnConflict

/** How many clients are at each stage; for users who edit agencies also each client, and the ally who holds them. */
export const loader = (args: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const opened = await openTab(args, 'clientes')
    const { actor, agency, lists, now } = opened
    const [stages, managed] = await Promise.all([
      clientsByStage(lists, agency.id, now),
      editsAgencies(actor) ? loadManaged(opened) : null,
    ])
    return { agencyId: agency.id, isAlly: isAlly(actor), managed, stages }
  })

async function loadManaged({ actor, agency: { id }, db, lists, now, url }: TabRequest) {
  const { asked, page } = readList(clientList, url, now)
  const [clients, options, holders, allies] = await Promise.all([
    listClients(lists, actor, id, asked, now),
    clientOptions(lists, actor, id),
    holdersOf(db, id),
    readAllies(db, actor, id).then(unwrap),
  ])
  const takers = allies.filter(({ active }) => active).map((ally) => ({ id: ally.uid, name: calledBy(ally) }))
  return { ...page(clients), options, holders, takers, now }
}

export const action = forms(async (args: Route.ActionArgs) => {
  const { actor, db, id } = await openEditor(args)
  return {
    'clients.hand_over': form(holdingsHandOverInput, async ({ from, to }) => {
      const moved = await handOver(db, actor, { agencyId: id, from, to })
      const here = agencyPath(id, 'clientes')
      return redirectWithToast(here, 'Cambiaste de responsable', `${heldWords(moved)}.`)
    }),
  }
})

type Managed = Awaited<ReturnType<typeof loadManaged>>

/** An agency's clients by stage; for users who edit agencies also each client and their ally. */
export default function AgencyClients({ loaderData }: Route.ComponentProps) {
  const { agencyId, isAlly, managed, stages } = loaderData
  const here = agencyPath(agencyId, 'clientes')
  return (
    <div className="grid gap-4">
      <OrphanedFormError />
      <ByStage stages={stages} here={managed ? here : isAlly ? clientsPath : null} />
      {isAlly && (
        <LinkButton to={clientsPath} variant="ghost" className="sm:justify-self-start">
          Ver los clientes
        </LinkButton>
      )}
      {managed && (
        <>
          <ManagedList managed={managed} here={here} />
          <HandOver {...managed} />
        </>
      )}
    </div>
  )
}

type ByStageProps = { stages: Record<ClientStage, number>; here: string | null }

/** How many clients are at each stage; each figure links to its list, where there is one. */
function ByStage({ stages, here }: ByStageProps) {
  const total = clientStages.reduce((sum, stage) => sum + stages[stage], 0)
  const path = (stage: ClientStage) => here && `${here}?stage=${stage}`
  return (
    <Card title={`${thousands(total)} ${total === 1 ? 'cliente' : 'clientes'}`}>
      <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
        {clientStages.map((stage) => (
          <li key={stage} className="flex min-h-11 items-center justify-between gap-3">
            <StageBadge stage={stage} />
            <Figure count={stages[stage]} label={clientStageLabels[stage]} to={path(stage)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type FigureProps = { count: number; label: string; to: string | null }

const Figure = ({ count, label, to }: FigureProps) =>
  to && count > 0 ? (
    <LinkButton variant="ghost" to={to} aria-label={`${label}: ${thousands(count)}`} className="tabular-nums">
      {thousands(count)}
    </LinkButton>
  ) : (
    <span className="px-4.5 tabular-nums text-mute">{thousands(count)}</span>
  )

type ManagedListProps = {
  managed: Managed
  here: string
}

function ManagedList({ managed, here }: ManagedListProps) {
  const { filters, pages, options, rows, total } = managed
  return (
    <>
      <FilterBar list={{ ...clientList, path: here }} filters={filters} offers={options} />
      {rows.length > 0 ? (
        <>
          <StageIcons />
          <ListTable list={clientList} loaded={managed} columns={columns} />
        </>
      ) : (
        <p className="text-mute">
          {isNarrowedBy(filters) ? clientList.narrowed : 'Todavía no tiene clientes.'}
        </p>
      )}
      <ListPages pages={pages} rows={rows} count={{ total, isMore: false }} />
    </>
  )
}

const columns = clientColumns(({ customerId }) => customerId && `/admin/users/${customerId}`)

type Holder = Awaited<ReturnType<typeof holdersOf>>[number]
type HandOverProps = {
  holders: readonly Holder[]
  /** The active allies of the agency. */
  takers: readonly { id: string; name: string }[]
}

/** Whose clients and codes they are. All that a leaving ally holds goes to another ally of the agency at once. */
function HandOver({ holders, takers }: HandOverProps) {
  if (holders.length === 0) return null
  return (
    <Card title="Quién los lleva">
      <ul className="grid gap-5">
        {holders.map((holder) => (
          <li
            key={holder.id}
            className="grid items-start gap-3 border-line not-first:border-t not-first:pt-5 lg:grid-cols-2"
          >
            <div className="grid justify-items-start gap-1">
              <p className="font-semibold">{holder.name}</p>
              <p className="text-sm text-mute">{heldWords(holder)}</p>
              {!holder.isAlly && <Badge tone="wait">Ya no está en esta concesionaria</Badge>}
            </div>
            <Taker holder={holder} takers={takers.filter(({ id }) => id !== holder.id)} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

type TakerProps = Pick<HandOverProps, 'takers'> & { holder: Holder }

function Taker({ holder, takers }: TakerProps) {
  if (takers.length === 0)
    return <p className="text-sm text-mute">No hay otra persona activa a quien pasárselos.</p>
  return (
    <Form
      intent="clients.hand_over"
      target={{ from: holder.id }}
      className="gap-3 sm:grid-cols-[1fr_auto] sm:items-end"
    >
      <Select
        label="Pasar todo a"
        name="to"
        placeholder="Elige a alguien"
        options={takers.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Submit variant={holder.isAlly ? 'ghost' : 'primary'} aria-label={`Pasar todo lo de ${holder.name}`}>
        Pasar
      </Submit>
    </Form>
  )
}
