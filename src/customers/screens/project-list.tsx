import { Contact } from 'lucide-react'
import { turnLabels } from '../../agencies/rules/clients.ts'
import { StageBadge, StageIcons } from '../../agencies/screens/badges.tsx'
import { ChosenBar, rowBoxes } from '../../kit/list/chosen-rows.tsx'
import { DayFields, FilterChips } from '../../kit/list/filter-chips.tsx'
import {
  choicesOf,
  ExportLinks,
  FilterBar,
  ListPages,
  listQuery,
  namedChoices,
  orderField,
  type Pages,
  sortedBy,
} from '../../kit/list/lists.tsx'
import { SavedViews } from '../../kit/list/saved-views.tsx'
import { customerPath, type ProjectFilters, pipelinePath } from '../../projects/rules/pipeline.ts'
import { type Stage, stageLabels, stages } from '../../projects/rules/stages.ts'
import { type Count, countWords } from '../../shared/count.ts'
import { dayIn, formatPhone, relative, thousands } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { type Column, DataTable, rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { SavedView } from '../../users/saved-views.ts'
import type { ListedProject } from '../queries.ts'

type ProjectListProps = Count & {
  rows: readonly ListedProject[]
  /** Of the stages that any project stands at, how many; empty for those who are not told. */
  byStage: readonly { stage: Stage; count: Count }[]
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
  const { rows, byStage, total, isMore, filters, saved, agencies, exports, pages, now } = props
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <SavedViews list="clients" saved={saved} filters={filters} />
      <div className="grid gap-2">
        {byStage.length > 0 && (
          <FilterChips
            oneLine
            label="Etapas"
            path={pipelinePath}
            filters={filters}
            chips={byStage.map(stageChip)}
          />
        )}
        <FilterChips label="Días" path={pipelinePath} filters={filters} chips={dayChips} />
      </div>
      {(rows.length > 0 || isNarrowed) && (
        <ProjectFilterBar filters={filters} agencies={agencies} hasChips={byStage.length > 0} />
      )}
      {rows.length > 0 ? (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-mute">
              {countWords({ total, isMore })} {total === 1 ? 'proyecto' : 'proyectos'}
            </p>
            {exports && <ExportLinks to={`${pipelinePath}.csv${listQuery(filters)}`} />}
          </div>
          <StageIcons />
          <DataTable
            dense
            caption="Proyectos de clientes"
            columns={columnsAt(now, rows, filters)}
            rows={rows}
            rowKey={({ id }) => id}
            boxes={exports ? rowBoxes<ListedProject>(({ customer, email }) => customer || email) : undefined}
          />
        </>
      ) : (
        <Nothing isNarrowed={isNarrowed} />
      )}
      <ListPages pages={pages} rows={rows} count={{ total, isMore }} />
      {exports && rows.length > 0 && (
        <ChosenBar words={['marcado', 'marcados']} file={`${pipelinePath}.csv`} />
      )}
    </>
  )
}

const stageChip = ({ count: { isMore, total }, stage }: ProjectListProps['byStage'][number]) => ({
  label: stageLabels[stage],
  count: `${thousands(total)}${isMore ? '+' : ''}`,
  sets: { stage },
})

const dayChips = [
  { label: 'Nuevos hoy', sets: { range: 'hoy' } },
  { label: 'Nuevos esta semana', sets: { range: 'semana' } },
]

const columnsAt = (
  now: Date,
  rows: readonly ListedProject[],
  filters: ProjectFilters,
): Column<ListedProject>[] => [
  {
    header: 'Cliente',
    main: true,
    cell: ({ customer, customerId, email, home, id }) => (
      <>
        <Link
          to={customerPath(customerId, id)}
          prefetch="intent"
          className={rowLinkClass}
          title={customer || email}
        >
          {customer || email}
        </Link>
        {home && <SecondLine>{home}</SecondLine>}
      </>
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
  { header: 'Etapa', width: 11, cell: ({ stage }) => <StageBadge stage={stage} sheet /> },
  {
    header: 'Le toca a',
    width: 11,
    sorting: sortedBy(filters, 'ascending'),
    cell: ({ since, waitingOn }) => (
      <>
        {turnLabels[waitingOn]}
        {since && <SecondLine>{relative(since, now)}</SecondLine>}
      </>
    ),
  },
  {
    header: 'Zona',
    width: 9,
    from: 'medium',
    cell: ({ municipality }) => municipality && municipalityLabel(municipality),
  },
  ...(rows.some(({ agency }) => agency)
    ? [
        {
          header: 'Concesionaria',
          width: 7.5,
          from: 'wide' as const,
          cell: ({ agency }: ListedProject) => agency,
        },
      ]
    : []),
  {
    header: 'Desde',
    width: 8.5,
    from: 'medium',
    sorting: sortedBy(filters, 'descending', 'created'),
    cell: ({ createdAt }) => dayIn(createdAt, now),
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

const stageField = {
  name: 'stage',
  label: 'Etapa',
  choices: stages.map((value) => ({ value, label: stageLabels[value] })),
  all: 'Todas',
}

type ProjectFilterBarProps = Pick<ProjectListProps, 'filters' | 'agencies'> & { hasChips: boolean }

const ProjectFilterBar = ({ filters, agencies, hasChips }: ProjectFilterBarProps) => (
  <FilterBar
    path={pipelinePath}
    filters={filters}
    kept={{
      ...(filters.range && { range: filters.range }),
      ...(hasChips && filters.stage && { stage: filters.stage }),
    }}
    placeholder="Nombre, correo o teléfono"
    fields={[
      ...(hasChips ? [] : [stageField]),
      { name: 'turn', label: 'Le toca a', choices: choicesOf(turnLabels), all: 'Cualquiera' },
      orderField('Los que más esperan primero', {
        reverse: 'Los que menos esperan primero',
        moved: 'Movimiento más reciente',
        'moved-reverse': 'Más tiempo sin movimiento',
        created: 'Más nuevos primero',
        'created-reverse': 'Más antiguos primero',
      }),
      ...(agencies.length > 0
        ? [{ name: 'agency', label: 'Concesionaria', choices: namedChoices(agencies), all: 'Todas' }]
        : []),
    ]}
  >
    <DayFields filters={filters} />
  </FilterBar>
)
