import { CircleCheck } from 'lucide-react'
import { listToAssign } from '../../server/appointments/lists.ts'
import { db } from '../../server/context.ts'
import { AppointmentTable } from '../appointments/appointment-table.tsx'
import { filtersOf, firstPage, nextPage } from '../appointments/list-filters.ts'
import { thousands } from '../format.ts'
import { someone } from '../someone.ts'
import { LinkButton } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/assignations.ts'
import { newAppointmentPath } from './new-appointment-path.ts'

export const handle = { announcesUpdates: true }

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const filters = filtersOf(url)
  const page = await listToAssign(context.get(db), someone(context), filters)
  return { ...page, first: firstPage(filters), next: nextPage(filters, page.next) }
}

export default function Assignations({ loaderData: { rows, total, first, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Asignaciones de citas"
        subtitle={total === 1 ? '1 cita por asignar' : `${thousands(total)} citas por asignar`}
        actions={<LinkButton to={newAppointmentPath}>Nueva cita</LinkButton>}
      />
      {rows.length === 0 ? (
        <EmptyState icon={CircleCheck}>No hay citas por asignar. Las nuevas aparecen aquí solas.</EmptyState>
      ) : (
        <AppointmentTable caption="Citas por asignar" rows={rows} to="/admin/assignations" />
      )}
      <Pagination previous={first} next={next} />
    </>
  )
}
