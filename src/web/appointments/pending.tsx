import { activeStates } from '../../domain/appointment.ts'
import { listPending, yearsWithAppointments } from '../../server/appointments/queries.ts'
import { actor, db } from '../../server/context.ts'
import { someone } from '../someone.ts'
import type { Route } from './+types/pending.ts'
import { AppointmentList } from './appointment-list.tsx'
import { filtersOf, firstPage, nextPage } from './list-filters.ts'

export const handle = { announcesUpdates: true }

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const filters = filtersOf(url)
  const [page, years] = await Promise.all([
    listPending(context.get(db), someone(context), filters),
    yearsWithAppointments(context.get(db), someone(context)),
  ])
  return {
    ...page,
    filters,
    years,
    kind: context.get(actor)?.kind ?? null,
    first: firstPage(filters),
    next: nextPage(filters, page.next),
  }
}

export default function Pending({ loaderData }: Route.ComponentProps) {
  return (
    <AppointmentList
      {...loaderData}
      title="Próximas citas"
      path="/admin/appointments-pending"
      states={activeStates}
      empty="No hay citas por atender con estos filtros."
    />
  )
}
