import { CalendarSearch, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StaffKind } from '../../access/rules/actor.ts'
import { exportsLists, isOffice } from '../../access/rules/actor.ts'
import { FieldNotes, OptionList, useField } from '../../kit/form/field.tsx'
import { OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { type ChosenAnswer, ChosenBar, chosenForm, LeftRows, useMarked } from '../../kit/list/chosen-rows.tsx'
import { FilterBar, FilterChip } from '../../kit/list/filter-bar.tsx'
import {
  aDate,
  aMonth,
  anIdOr,
  aYear,
  aZone,
  choiceFilter,
  type Filter,
  listQuery,
  matching,
  oneOf,
  orders,
  type Pages,
  searched,
} from '../../kit/list/filters.ts'
import { ExportLinks, ListPages, SavedViews, sortedBy } from '../../kit/list/list-body.tsx'
import { countWords, rowBox } from '../../shared/count.ts'
import { counted, hourCountWords, shortDate } from '../../shared/format.ts'
import { cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { Boxes } from '../../ui/data-table.tsx'
import { useEverTrue } from '../../ui/hydrated.ts'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { SavedView } from '../../users/saved-views.ts'
import type { ListedAppointment } from '../lists.ts'
import {
  type AppointmentState,
  isActive,
  serviceFacts,
  stateFacts,
  yearsForFilter,
} from '../rules/appointment.ts'
import { appointmentPath } from '../rules/appointment-path.ts'
import { type ListFilters, type ListName, noPerson, type ViewName, viewNames, views } from '../rules/list.ts'
import { AppointmentTable } from './appointment-table.tsx'

const filters = {
  view: { ...oneOf(viewNames), isKept: true },
  day: { ...aDate, isKept: true },
  from: aDate,
  to: aDate,
  month: aMonth,
  year: aYear,
  service: choiceFilter('Servicio', serviceFacts),
  state: choiceFilter('Estado', stateFacts),
  zone: aZone,
}

const inOrder = (path: string, order: Filter<'reverse'>) => ({
  path,
  filters: {
    ...filters,
    order,
    person: { ...anIdOr(noPerson), label: 'Persona', all: 'Todas' },
    text: searched('Folio, nombre, correo o teléfono'),
  },
  // A start and an id.
  place: matching(/^.{1,60}$/),
})

export const appointmentLists = {
  pending: inOrder(
    '/admin/appointments-pending',
    orders('Más próximas primero', { reverse: 'Más lejanas primero' }),
  ),
  done: inOrder(
    '/admin/appointments-done',
    orders('Más recientes primero', { reverse: 'Más antiguas primero' }),
  ),
} satisfies Record<ListName, unknown>

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
  const { filters, isMore, kind, list, minutes, pages, settled, title, total } = listed
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
        actions={exportsLists({ kind }) && <ExportLinks list={appointmentLists[list]} loaded={listed} />}
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
  const { filters } = filterBar
  const { path } = appointmentLists[list]
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
  narrowsByZone: boolean
  /** The assignees to choose from; null where the user may not filter by assignee. */
  people: readonly { id: string; name: string }[] | null
}

/** What narrows a list of appointments; the quick filters stay, and take all of them off. */
const AppointmentFilterBar = ({
  filters,
  list,
  narrowsByZone,
  people,
  states,
  years,
}: AppointmentFilterBarProps) => (
  <FilterBar
    list={appointmentLists[list]}
    filters={filters}
    // A user who sees no place sees no folio either.
    placeholder={people ? undefined : narrowsByZone ? 'Folio o nombre' : 'Nombre'}
    offers={{
      year: yearsForFilter(years),
      state: states,
      zone: narrowsByZone ? undefined : null,
      person: people && [...people, { id: noPerson, name: 'Sin persona' }],
    }}
    clearsElsewhere
  />
)

const chosenIntents = ['confirm-chosen', 'assign-chosen'] as const

/** The boxes of the rows: each says what its assignment would be confirmed as. */
const boxesWith = (marked: ReadonlySet<string>): Boxes<ListedAppointment> => ({
  form: chosenForm,
  of: ({ folio, id, proposal }) => ({
    name: `${rowBox}${id}`,
    value: proposal ? `${proposal.version}:${proposal.assigneeId ?? ''}` : '',
    label: folio,
    marked: marked.has(`${rowBox}${id}`),
  }),
})

type ChosenRowsProps = {
  path: string
  /** Who may be given the rows; null where the list, or its reader, assigns nothing. */
  people: readonly { id: string; name: string }[] | null
  /** The boxes that stay marked. */
  marked: ReadonlySet<string>
}

/** What can be done with the appointments that are ticked. */
const ChosenRows = ({ marked, path, people }: ChosenRowsProps) => (
  <ChosenBar intents={chosenIntents} marked={marked} words={['marcada', 'marcadas']} file={`${path}.csv`}>
    {people && (
      <>
        <Submit name="intent" value="confirm-chosen">
          Confirmar
        </Submit>
        <AssignTo people={people} />
      </>
    )}
  </ChosenBar>
)

type AssignToProps = { people: NonNullable<ChosenRowsProps['people']> }

function AssignTo({ people }: AssignToProps) {
  const { described, error, id } = useField({ name: 'to', optional: 'unsaid' })
  if (people.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <OptionList {...described} id={id} name="to" aria-label="Asignar a" defaultValue="">
        <option value="">Asignar a…</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </OptionList>
      <Submit name="intent" value="assign-chosen" variant="ghost">
        Asignar
      </Submit>
      <FieldNotes id={id} error={error} />
    </span>
  )
}

/** Which ticked appointments the last press left as they are, and why. */
const LeftAppointments = ({ answer }: { answer: ChosenAnswer | undefined }) => (
  <LeftRows
    answer={answer}
    title={(done, left) =>
      `${done > 0 ? counted(done, 'cita quedó lista', 'citas quedaron listas') : 'Ninguna quedó lista'}. ${left === 1 ? 'Esta sigue como estaba' : 'Estas siguen como estaban'}:`
    }
    pathOf={({ id }) => `/admin/assignations/${id}`}
  />
)
