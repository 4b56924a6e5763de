import { CalendarSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StaffKind } from '../../domain/access/actor.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import type { ListName, ViewName } from '../../domain/appointments/list.ts'
import type { ListedAppointment } from '../../server/appointments/lists.ts'
import { ExportLink, listQuery } from '../lib/lists.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { AppointmentTable } from './appointment-table.tsx'
import { countWords } from './count-words.ts'
import { AppointmentFilterBar, type AppointmentFilterBarProps } from './filters.tsx'
import { QuickFilters } from './quick-filters.tsx'

type AppointmentListProps = AppointmentFilterBarProps & {
  list: ListName
  title: string
  empty: string
  rows: readonly ListedAppointment[]
  total: number
  isMore: boolean
  views: readonly ViewName[]
  kind: StaffKind
  now: Date
  first: string | null
  next: string | null
  /** What stands between the head and the list. */
  above?: ReactNode
}

/** A list of appointments with its filters and pages, for the pending and the done screen alike. */
export function AppointmentList({
  list,
  title,
  empty,
  rows,
  total,
  isMore,
  views,
  kind,
  now,
  first,
  next,
  above,
  ...filterBar
}: AppointmentListProps) {
  const { path, filters } = filterBar
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title={title}
        subtitle={`${countWords({ total, isMore })} ${total === 1 ? 'cita' : 'citas'}`}
        actions={kind === 'manager' && <ExportLink to={`${path}.csv${listQuery(filters)}`} />}
      />
      {above}
      <QuickFilters names={views} filters={filters} path={path} />
      <AppointmentFilterBar {...filterBar} />
      {rows.length === 0 ? (
        <EmptyState icon={CalendarSearch}>
          {isNarrowed ? 'No hay citas con estos filtros. Quita alguno para ver más.' : empty}
        </EmptyState>
      ) : (
        <AppointmentTable
          caption={title}
          rows={rows}
          now={now}
          pathOf={(row) => appointmentPath(list, row, kind)}
          withAssignee={kind === 'manager' || kind === 'analyst'}
        />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}
