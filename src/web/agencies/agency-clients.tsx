import { type ClientStage, clientStageLabels, clientStages } from '../../domain/agencies/clients.ts'
import { thousands } from '../../domain/shared/format.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { type ShownAgency, sectionPath } from './agency-part.ts'
import { ClientFilterBar } from './client-filter-bar.tsx'
import { ClientTable } from './client-table.tsx'
import { HandOver } from './hand-over.tsx'
import { listPath } from './list-query.ts'
import type { loadClients } from './load-clients.ts'
import { StageBadge } from './stage-badge.tsx'

type Loaded = Awaited<ReturnType<typeof loadClients>>
type AgencyClientsProps = Loaded & { agency: ShownAgency }

/** An agency's clients by stage; for whoever edits agencies each of them too, and whose they are. */
export function AgencyClients({ agency, isAlly, managed, now, stages }: AgencyClientsProps) {
  const here = sectionPath(agency.id, 'clientes')
  return (
    <div className="grid gap-4">
      <ByStage stages={stages} here={managed ? here : isAlly ? listPath : null} />
      {isAlly && (
        <LinkButton to={listPath} variant="ghost" className="sm:justify-self-start">
          Ver los clientes
        </LinkButton>
      )}
      {managed && (
        <>
          <ManagedList {...{ managed, now, here }} agencyId={agency.id} />
          <HandOver {...managed} />
        </>
      )}
    </div>
  )
}

type ByStageProps = { stages: Record<ClientStage, number>; here: string | null }

/** How many clients are at each stage; each figure leads to its list, where there is one. */
function ByStage({ stages, here }: ByStageProps) {
  const total = clientStages.reduce((sum, stage) => sum + stages[stage], 0)
  const path = (stage: ClientStage) => here && `${here}${here.includes('?') ? '&' : '?'}stage=${stage}`
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
  managed: NonNullable<Loaded['managed']>
  now: Date
  here: string
  agencyId: string
}

function ManagedList({ managed, now, here, agencyId }: ManagedListProps) {
  const { filters, first, next, options, rows } = managed
  return (
    <>
      <ClientFilterBar
        filters={filters}
        options={options}
        path={here}
        kept={{ seccion: 'clientes' }}
        action={`/admin/agency/${agencyId}`}
      />
      {rows.length > 0 ? (
        <ClientTable
          rows={rows}
          now={now}
          pathOf={({ customerId }) => customerId && `/admin/users/${customerId}`}
        />
      ) : (
        <p className="text-mute">
          {Object.keys(filters).length > 0
            ? 'No hay clientes con estos filtros.'
            : 'Todavía no tiene clientes.'}
        </p>
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}
