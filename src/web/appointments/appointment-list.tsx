import type { ReactNode } from 'react'
import type { StaffKind } from '../../domain/actor.ts'
import type { AppointmentState } from '../../domain/appointment.ts'
import type { Filters, ListedAppointment } from '../../server/appointments/lists.ts'
import { thousands } from '../format.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { AppointmentTable } from './appointment-table.tsx'
import { FilterBar } from './filters.tsx'

type AppointmentListProps = {
  title: string
  path: string
  empty: string
  rows: readonly ListedAppointment[]
  total: number
  filters: Filters
  years: readonly number[]
  states: readonly AppointmentState[]
  kind: StaffKind | null
  first: string | null
  next: string | null
  /** What stands between the head and the list. */
  above?: ReactNode
}

/** A list of appointments with its filters and pages, for the pending and the done screen alike. */
export function AppointmentList({
  title,
  path,
  empty,
  rows,
  total,
  kind,
  first,
  next,
  above,
  ...filterBar
}: AppointmentListProps) {
  return (
    <>
      <PageHeader title={title} subtitle={total === 1 ? '1 cita' : `${thousands(total)} citas`} />
      {above}
      <FilterBar {...filterBar} path={path} />
      {rows.length === 0 ? (
        <EmptyState>{empty}</EmptyState>
      ) : (
        <AppointmentTable
          caption={title}
          rows={rows}
          to={path}
          withAssignee={kind === 'manager' || kind === 'analyst'}
        />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}
