import { Contact, Download } from 'lucide-react'
import { Link, Form as SearchForm } from 'react-router'
import { turnLabels } from '../../domain/client.ts'
import type { ProjectFilters } from '../../domain/pipeline.ts'
import { stageLabels, stages, type Waiting } from '../../domain/project.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import { formatPhone, relative, shortDate, thousands } from '../../domain/shared/format.ts'
import type { ListedProject } from '../../server/pipeline/list.ts'
import { StageBadge, StageIcons } from '../clients/stage-badge.tsx'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FilterDetails } from '../ui/filter-details.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Select } from '../ui/select.tsx'
import { pipelinePath, projectPath, queryOf } from './pipeline-path.ts'

type ProjectListProps = {
  rows: readonly ListedProject[]
  total: number
  filters: ProjectFilters
  agencies: readonly { id: string; name: string }[]
  /** Whether whoever looks may have it as a file. */
  exports: boolean
  first: string | null
  next: string | null
  now: Date
}

/** Customers' projects, with how far each is and whose turn it is. */
export function ProjectList({ rows, total, filters, agencies, exports, first, next, now }: ProjectListProps) {
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      {(rows.length > 0 || isNarrowed) && <ProjectFilterBar filters={filters} agencies={agencies} />}
      {rows.length > 0 ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-mute">
              {thousands(total)} {total === 1 ? 'proyecto' : 'proyectos'}
            </p>
            {exports && (
              <a className={buttonClass('ghost')} href={`${pipelinePath}.csv${queryOf(filters)}`} download>
                <Download aria-hidden className="size-5" />
                Exportar CSV
              </a>
            )}
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
    cell: ({ customer, email, id, phone }) => (
      <>
        <Link to={projectPath(id)} prefetch="intent" className={rowLinkClass}>
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

const stageChoices = stages.map((value) => ({ value, label: stageLabels[value] }))
const turnChoices = (Object.keys(turnLabels) as Waiting[]).map((value) => ({
  value,
  label: turnLabels[value],
}))
const all = { optional: 'unsaid', placeholder: 'Todas' } as const

/** What narrows the list: kept in the address, sent as a plain form. */
function ProjectFilterBar({ filters, agencies }: Pick<ProjectListProps, 'filters' | 'agencies'>) {
  const { text, ...chosen } = filters
  return (
    // Another address is another form: a filter taken off elsewhere must not stay in its box.
    <SearchForm
      key={JSON.stringify(filters)}
      method="get"
      action={pipelinePath}
      role="search"
      className="grid items-end gap-3"
    >
      <SearchBox placeholder="Nombre, correo o teléfono" value={text} />
      <FilterDetails count={Object.keys(chosen).length} path={pipelinePath}>
        <Select {...all} label="Etapa" name="stage" options={stageChoices} defaultValue={filters.stage} />
        <Select
          {...all}
          label="Le toca a"
          name="turn"
          placeholder="Cualquiera"
          options={turnChoices}
          defaultValue={filters.turn}
        />
        {agencies.length > 0 && (
          <Select
            {...all}
            label="Concesionaria"
            name="agency"
            options={agencies.map(({ id, name }) => ({ value: id, label: name }))}
            defaultValue={filters.agency}
          />
        )}
      </FilterDetails>
    </SearchForm>
  )
}
