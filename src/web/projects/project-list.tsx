import { Contact } from 'lucide-react'
import { turnLabels } from '../../domain/agencies/clients.ts'
import { customerPath, type ProjectFilters, pipelinePath } from '../../domain/projects/pipeline.ts'
import { stageLabels, stages } from '../../domain/projects/stages.ts'
import { type Count, countWords } from '../../domain/shared/count.ts'
import { dayIn, formatPhone, relative } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ListedProject } from '../../server/projects/queries.ts'
import type { SavedView } from '../../server/users/saved-views.ts'
import { StageBadge, StageIcons } from '../agencies/badges.tsx'
import {
  choicesOf,
  ExportLink,
  FilterBar,
  ListPages,
  listQuery,
  namedChoices,
  orderField,
  type Pages,
  sortedBy,
} from '../lib/lists.tsx'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/card.tsx'
import { type Column, DataTable, rowLinkClass, SecondLine, type Sorting } from '../ui/data-table.tsx'
import { Link } from '../ui/link.tsx'
import { SavedViews } from '../users/saved-views.tsx'

type ProjectListProps = Count & {
  rows: readonly ListedProject[]
  filters: ProjectFilters
  saved: readonly SavedView[]
  agencies: readonly { id: string; name: string }[]
  /** Whether the user may have it as a file. */
  exports: boolean
  pages: Pages
  now: Date
}

/** Customers' projects, with how far each is and whose turn it is. */
export function ProjectList(props: ProjectListProps) {
  const { rows, total, isMore, filters, saved, agencies, exports, pages, now } = props
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <SavedViews list="clients" saved={saved} filters={filters} />
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
            dense
            caption="Proyectos de clientes"
            columns={columnsAt(now, rows, sortedBy(filters, 'descending'))}
            rows={rows}
            rowKey={({ id }) => id}
          />
        </>
      ) : (
        <Nothing isNarrowed={isNarrowed} />
      )}
      <ListPages pages={pages} rows={rows} count={{ total, isMore }} />
    </>
  )
}

const columnsAt = (now: Date, rows: readonly ListedProject[], sorting: Sorting): Column<ListedProject>[] => [
  {
    header: 'Cliente',
    main: true,
    cell: ({ customer, customerId, email, id }) => (
      <Link
        to={`${customerPath(customerId)}?proyecto=${id}`}
        prefetch="intent"
        className={rowLinkClass}
        title={customer || email}
      >
        {customer || email}
      </Link>
    ),
  },
  ...(rows.some(({ phone }) => phone)
    ? [
        {
          header: 'Teléfono',
          width: 7.5,
          from: 'wide' as const,
          cell: ({ phone }: ListedProject) => phone && formatPhone(phone),
        },
      ]
    : []),
  { header: 'Etapa', width: 9.5, cell: ({ stage }) => <StageBadge stage={stage} sheet /> },
  {
    header: 'Le toca a',
    width: 11,
    cell: ({ since, waitingOn }) => (
      <>
        {turnLabels[waitingOn]}
        {since && <SecondLine>{relative(since, now)}</SecondLine>}
      </>
    ),
  },
  {
    header: 'Zona',
    from: 'medium',
    cell: ({ municipality }) => municipality && municipalityLabel(municipality),
  },
  ...(rows.some(({ agency }) => agency)
    ? [{ header: 'Concesionaria', from: 'medium' as const, cell: ({ agency }: ListedProject) => agency }]
    : []),
  { header: 'Desde', width: 7, from: 'medium', sorting, cell: ({ createdAt }) => dayIn(createdAt, now) },
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
      orderField('Más nuevos primero', { reverse: 'Más antiguos primero' }),
      ...(agencies.length > 0
        ? [{ name: 'agency', label: 'Concesionaria', choices: namedChoices(agencies), all: 'Todas' }]
        : []),
    ]}
  />
)
