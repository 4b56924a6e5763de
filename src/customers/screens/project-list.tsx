import { Contact } from 'lucide-react'
import { turnLabels } from '../../agencies/rules/clients.ts'
import { StageBadge, StageIcons } from '../../agencies/screens/badges.tsx'
import { FilterChips } from '../../kit/list/filter-bar.tsx'
import { anId, choiceFilter, dayFilters, orders, searched } from '../../kit/list/filters.ts'
import {
  isNarrowedBy,
  type List,
  ListBody,
  type ListColumn,
  ListCount,
  type Listed,
} from '../../kit/list/list-body.tsx'
import { customerPath, type ProjectFilters, pipelinePath } from '../../projects/rules/pipeline.ts'
import { type Stage, stageLabels } from '../../projects/rules/stages.ts'
import type { Count } from '../../shared/count.ts'
import { dayIn, relative, thousands } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PhoneLine } from '../../ui/phone-line.tsx'
import type { ListedProject } from '../queries.ts'

export const projectList = {
  path: pipelinePath,
  title: 'Proyectos de clientes',
  words: ['proyecto', 'proyectos'],
  saved: 'clients',
  icon: Contact,
  empty:
    'Todavía no hay proyectos que puedas ver. Cada uno empieza cuando un cliente da su domicilio o agenda.',
  narrowed: 'No hay proyectos con estos filtros.',
  all: 'Ver todos',
  ticked: ['marcado', 'marcados'],
  filters: {
    ...dayFilters,
    stage: choiceFilter('Etapa', stageLabels, 'Todas'),
    turn: choiceFilter('Le toca a', turnLabels, 'Cualquiera'),
    order: orders('Los que más esperan primero', {
      reverse: 'Los que menos esperan primero',
      moved: 'Movimiento más reciente',
      'moved-reverse': 'Más tiempo sin movimiento',
      created: 'Más nuevos primero',
      'created-reverse': 'Más antiguos primero',
    }),
    agency: { ...anId, label: 'Concesionaria', all: 'Todas' },
    text: searched('Nombre, correo o teléfono'),
  },
} satisfies List

type ProjectListProps = Listed<ListedProject> & {
  filters: ProjectFilters
  /** Of the stages that any project stands at, how many; empty for those who are not told. */
  byStage: readonly { stage: Stage; count: Count }[]
  agencies: readonly { id: string; name: string }[]
  now: Date
}

/** Customers' projects, with how far each is and whose turn it is. */
export function ProjectList(loaded: ProjectListProps) {
  const { agencies, byStage, exports, filters, rows } = loaded
  const chips = { path: pipelinePath, filters }
  return (
    <ListBody
      list={projectList}
      loaded={loaded}
      chips={
        <div className="grid gap-2">
          {byStage.length > 0 && (
            <FilterChips {...chips} oneLine label="Etapas" chips={byStage.map(stageChip)} />
          )}
          <FilterChips {...chips} label="Días" chips={dayChips} />
        </div>
      }
      hasBar={rows.length > 0 || isNarrowedBy(filters)}
      offers={{
        stage: byStage.length > 0 ? 'kept' : undefined,
        agency: agencies.length > 0 ? agencies : null,
      }}
      columns={columns}
      ticks={exports ? { label: ({ customer, email }) => customer || email } : null}
    >
      {rows.length > 0 && (
        <>
          <ListCount list={projectList} loaded={loaded} />
          <StageIcons />
        </>
      )}
    </ListBody>
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

const columns: readonly ListColumn<ListedProject, ProjectListProps>[] = [
  {
    header: 'Cliente',
    main: true,
    cell: ({ customer, customerId, email, home, id, phone }) => (
      <>
        <Link to={customerPath(customerId, id)} prefetch="intent" className={rowLinkClass}>
          {customer || email}
        </Link>
        <PhoneLine home={home} phone={phone} />
      </>
    ),
  },
  { header: 'Etapa', whole: true, cell: ({ stage }) => <StageBadge stage={stage} sheet /> },
  {
    header: 'Le toca a',
    whole: true,
    sorts: ['ascending'],
    cell: ({ since, waitingOn }, { now }) => (
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
  {
    header: 'Concesionaria',
    from: 'wide',
    when: ({ rows }) => rows.some(({ agency }) => agency),
    cell: ({ agency }) => agency,
  },
  {
    header: 'Desde',
    whole: true,
    sorts: ['descending', 'created'],
    cell: ({ createdAt }, { now }) => dayIn(createdAt, now),
  },
]
