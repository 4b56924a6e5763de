import { CalendarSearch, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StaffKind } from '../../access/rules/actor.ts'
import { exportsLists, isOffice } from '../../access/rules/actor.ts'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { type ChosenAnswer, useMarked } from '../../kit/list/chosen-rows.tsx'
import { DayFields, FilterChip } from '../../kit/list/filter-chips.tsx'
import {
  ExportLinks,
  FilterBar,
  type FilterField,
  ListPages,
  listQuery,
  namedChoices,
  orderField,
  type Pages,
  sortedBy,
  yearChoices,
} from '../../kit/list/lists.tsx'
import { SavedViews } from '../../kit/list/saved-views.tsx'
import { countWords } from '../../shared/count.ts'
import { hourCountWords, shortDate } from '../../shared/format.ts'
import { municipalitiesOf, regionGroups } from '../../shared/places.ts'
import { cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useEverTrue } from '../../ui/hydrated.ts'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { SavedView } from '../../users/saved-views.ts'
import type { ListedAppointment } from '../lists.ts'
import {
  type AppointmentState,
  isActive,
  months,
  serviceFacts,
  services,
  stateFacts,
} from '../rules/appointment.ts'
import { appointmentPath } from '../rules/appointment-path.ts'
import { type ListFilters, type ListName, noPerson, type ViewName, views } from '../rules/list.ts'
import { AppointmentTable } from './appointment-table.tsx'
import { boxesWith, ChosenRows, chosenIntents, LeftAppointments } from './chosen-rows.tsx'

type AppointmentListProps = AppointmentFilterBarProps & {
  title: string
  empty: string
  rows: readonly ListedAppointment[]
  total: number
  isMore: boolean
  minutes: number | null
  views: readonly ViewName[]
  saved: readonly SavedView[]
  kind: StaffKind
  now: Date
  pages: Pages
  /** Who may be given the ticked rows. */
  assignable: readonly { id: string; name: string }[] | null
  /** What the form of the ticked rows left as it was. */
  settled?: ChosenAnswer | undefined
  /** Shown between the head and the list. */
  above?: ReactNode
  /** Whether what is above says what matters first: the list is folded until it is asked for. */
  folds?: boolean | undefined
}

/** A list of appointments with its filters and pages, for the pending and the done screen alike. */
export function AppointmentList({ above, folds = false, ...listed }: AppointmentListProps) {
  const { filters, isMore, kind, minutes, pages, path, settled, title, total } = listed
  const isNarrowed = Object.keys(filters).length > 0
  const isAsked = useEverTrue(isNarrowed || pages.previous !== null)
  const words = folds && isNarrowed ? (['encontrada', 'encontradas'] as const) : (['cita', 'citas'] as const)
  const found = `${countWords({ total, isMore })} ${words[total === 1 ? 0 : 1]}`
  const count = minutes === null ? found : `${found} · ${hourCountWords(minutes)}`
  return (
    <>
      <PageHeader
        title={title}
        subtitle={!folds && count}
        actions={exportsLists({ kind }) && <ExportLinks to={`${path}.csv${listQuery(filters)}`} />}
      />
      <OrphanedFormError />
      <LeftAppointments answer={settled} />
      {above}
      {folds ? (
        <details open={isAsked}>
          <summary className={foldClass}>
            <ChevronRight
              aria-hidden
              className="size-5 shrink-0 text-mute transition-transform [details[open]>summary>&]:rotate-90"
            />
            Buscar y ver todas
            <span className="ml-auto font-normal text-mute">{count}</span>
          </summary>
          <div className="mt-4 grid gap-4">
            <Listed {...listed} />
          </div>
        </details>
      ) : (
        <Listed {...listed} />
      )}
    </>
  )
}

const foldClass = classNames(
  cardClass,
  'flex min-h-14 items-center gap-2 px-4 py-2.5 font-semibold select-none hover:bg-hover [&::-webkit-details-marker]:hidden',
)

/** The quick filters, the search, and what they find. */
function Listed({
  list,
  title,
  empty,
  rows,
  total,
  isMore,
  minutes,
  views,
  saved,
  kind,
  now,
  pages,
  assignable,
  settled,
  ...filterBar
}: Omit<AppointmentListProps, 'above' | 'folds'>) {
  const { path, filters } = filterBar
  const isNarrowed = Object.keys(filters).length > 0
  const marked = useMarked(chosenIntents, settled)
  const ticks = exportsLists({ kind }) && rows.length > 0
  return (
    <>
      <QuickFilters names={views} filters={filters} path={path} />
      <SavedViews list={list} saved={saved} filters={filters} />
      <AppointmentFilterBar list={list} {...filterBar} />
      {rows.length === 0 ? (
        <EmptyState icon={CalendarSearch}>
          {isNarrowed ? 'No hay citas con estos filtros. Quita alguno para ver más.' : empty}
        </EmptyState>
      ) : (
        <AppointmentTable
          caption={title}
          rows={rows}
          now={now}
          pathOf={(row) =>
            appointmentPath(list === 'done' && isActive(row.state) ? 'pending' : list, row, kind)
          }
          withMinutes={minutes !== null}
          withAssignee={isOffice({ kind })}
          sorting={sortedBy(filters, list === 'pending' ? 'ascending' : 'descending')}
          boxes={ticks ? boxesWith(marked) : undefined}
        />
      )}
      <ListPages pages={pages} rows={rows} count={{ total, isMore }} />
      {ticks && <ChosenRows path={path} people={assignable} marked={marked} />}
    </>
  )
}

type QuickFiltersProps = { names: readonly ViewName[]; filters: ListFilters; path: string }

/** The filters of one tap. An active one says so, and a second tap removes it; the others stay as they are. */
function QuickFilters({ names, filters, path }: QuickFiltersProps) {
  const { view, day, ...others } = filters
  return (
    <nav aria-label="Filtros rápidos" className="flex flex-wrap gap-2">
      {names.map((name) => (
        <FilterChip
          key={name}
          isOn={view === name}
          to={`${path}${listQuery(view === name ? others : { ...others, view: name })}`}
        >
          {views[name].label}
        </FilterChip>
      ))}
      {day && (
        <FilterChip isOn to={`${path}${listQuery(others)}`}>
          {shortDate(new Date(`${day}T18:00:00Z`))}
        </FilterChip>
      )}
      {Object.keys(filters).length > 0 && (
        <Link to={path} className="flex min-h-11 items-center px-2 text-[0.9375rem] underline">
          Quitar filtros
        </Link>
      )}
    </nav>
  )
}

type AppointmentFilterBarProps = {
  list: ListName
  filters: ListFilters
  years: readonly number[]
  states: readonly AppointmentState[]
  path: string
  narrowsByZone: boolean
  /** The assignees to choose from; null where the user may not filter by assignee. */
  people: readonly { id: string; name: string }[] | null
}

/** What narrows a list of appointments; the quick filters stay, and take all of them off. */
function AppointmentFilterBar({ path, filters, ...offered }: AppointmentFilterBarProps) {
  const { narrowsByZone, people } = offered
  // A user who sees no place sees no folio either.
  const known = narrowsByZone ? 'Folio o nombre' : 'Nombre'
  const { day, view } = filters
  return (
    <FilterBar
      path={path}
      filters={filters}
      kept={{ ...(view && { view }), ...(day && { day }) }}
      placeholder={people ? 'Folio, nombre, correo o teléfono' : known}
      fields={fieldsFor(offered)}
      clearsElsewhere
    >
      <DayFields filters={filters} />
    </FilterBar>
  )
}

const zones = regionGroups.map(({ id, label }) => ({
  label,
  options: municipalitiesOf(id).map(({ slug, label: name }) => ({ value: slug, label: name })),
}))

type Offered = Omit<AppointmentFilterBarProps, 'path' | 'filters'>

const orders: Record<ListName, Parameters<typeof orderField>> = {
  pending: ['Más próximas primero', { reverse: 'Más lejanas primero' }],
  done: ['Más recientes primero', { reverse: 'Más antiguas primero' }],
}

const fieldsFor = ({ list, narrowsByZone, people, states, years }: Offered): FilterField[] => [
  { name: 'month', label: 'Mes', choices: months },
  { name: 'year', label: 'Año', choices: yearChoices(years) },
  {
    name: 'service',
    label: 'Servicio',
    choices: services.map((value) => ({ value, label: serviceFacts[value].label })),
  },
  {
    name: 'state',
    label: 'Estado',
    choices: states.map((value) => ({ value, label: stateFacts[value].label })),
  },
  ...(narrowsByZone ? [{ name: 'zone', label: 'Zona', choices: zones, all: 'Todas' }] : []),
  orderField(...orders[list]),
  ...(people
    ? [
        {
          name: 'person',
          label: 'Persona',
          choices: namedChoices([...people, { id: noPerson, name: 'Sin persona' }]),
          all: 'Todas',
        },
      ]
    : []),
]
