import { Contact } from 'lucide-react'
import { turnLabels } from '../../domain/agencies/clients.ts'
import { customerPath, type ProjectFilters } from '../../domain/projects/pipeline.ts'
import { stageLabels, stages } from '../../domain/projects/stages.ts'
import { type Count, countWords } from '../../domain/shared/count.ts'
import { formatPhone, relative, shortDate } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ListedProject } from '../../server/projects/queries.ts'
import { StageBadge, StageIcons } from '../agencies/badges.tsx'
import { choicesOf, ExportLink, FilterBar, listQuery, namedChoices } from '../lib/lists.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { Link } from '../ui/link.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { pipelinePath } from './pipeline-path.ts'

type ProjectListProps = Count & {
  rows: readonly ListedProject[]
  filters: ProjectFilters
  agencies: readonly { id: string; name: string }[]
  /** Whether the user may have it as a file. */
  exports: boolean
  first: string | null
  next: string | null
  now: Date
}

/** Customers' projects, with how far each is and whose turn it is. */
export function ProjectList(props: ProjectListProps) {
  const { rows, total, isMore, filters, agencies, exports, first, next, now } = props
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      {(rows.length > 0 || isNarrowed) && <ProjectFilterBar filters={filters} agencies={agencies} />}
      {rows.length > 0 ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-mute">
              {countWords({ total, isMore })} {total === 1 ? 'proyecto' : 'proyectos'}
            </p>
            {exports && <ExportLink to={`${pipelinePath}.csv${listQuery(filters)}`} />}
          </div>
          <StageIcons />
          <DataTable
            caption="Proyectos de clientes"
            columns={columnsAt(now)}
            rows={rows}
            rowKey={({ id }) => id}
          />
        </>
      ) : (
        <Nothing isNarrowed={isNarrowed} />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}

const columnsAt = (now: Date): Column<ListedProject>[] => [
  {
    header: 'Cliente',
    main: true,
    cell: ({ customer, customerId, email, id, phone }) => (
      <>
        <Link to={`${customerPath(customerId)}?proyecto=${id}`} prefetch="intent" className={rowLinkClass}>
          {customer || email}
        </Link>
        {phone && <span className="block text-sm text-mute">{formatPhone(phone)}</span>}
      </>
    ),
  },
  { header: 'Etapa', cell: ({ stage }) => <StageBadge stage={stage} sheet /> },
  {
    header: 'Le toca a',
    cell: ({ since, waitingOn }) => (
      <>
        {turnLabels[waitingOn]}
        {since && <span className="block text-sm text-mute">{relative(since, now)}</span>}
      </>
    ),
  },
  { header: 'Zona', cell: ({ municipality }) => municipality && municipalityLabel(municipality) },
  { header: 'Concesionaria', cell: ({ agency }) => agency },
  {
    header: 'Desde',
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{shortDate(createdAt)}</span>,
  },
]

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={Contact}
    action={
      isNarrowed && (
        <LinkButton variant="ghost" to={pipelinePath}>
          Ver todos
        </LinkButton>
      )
    }
  >
    {isNarrowed
      ? 'No hay proyectos con estos filtros.'
      : 'Todavía no hay proyectos que puedas ver. Cada uno empieza cuando un cliente da su domicilio o agenda.'}
  </EmptyState>
)

type ProjectFilterBarProps = Pick<ProjectListProps, 'filters' | 'agencies'>

const ProjectFilterBar = ({ filters, agencies }: ProjectFilterBarProps) => (
  <FilterBar
    path={pipelinePath}
    filters={filters}
    placeholder="Nombre, correo o teléfono"
    fields={[
      {
        name: 'stage',
        label: 'Etapa',
        choices: stages.map((value) => ({ value, label: stageLabels[value] })),
        all: 'Todas',
      },
      { name: 'turn', label: 'Le toca a', choices: choicesOf(turnLabels), all: 'Cualquiera' },
      ...(agencies.length > 0
        ? [{ name: 'agency', label: 'Concesionaria', choices: namedChoices(agencies), all: 'Todas' }]
        : []),
    ]}
  />
)
