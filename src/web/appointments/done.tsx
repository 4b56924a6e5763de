import { doneStates } from '../../domain/appointment.ts'
import { listDone, yearsWithAppointments } from '../../server/appointments/queries.ts'
import { actor, db } from '../../server/context.ts'
import { someone } from '../someone.ts'
import type { Route } from './+types/done.ts'
import { AppointmentList } from './appointment-list.tsx'
import { filtersOf, firstPage, nextPage } from './list-filters.ts'

export const handle = { announcesUpdates: true }

export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const filters = filtersOf(url)
  const [page, years] = await Promise.all([
    listDone(context.get(db), someone(context), filters),
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

export default function Done({ loaderData }: Route.ComponentProps) {
  return (
    <AppointmentList
      {...loaderData}
      title="Citas realizadas"
      path="/admin/appointments-done"
      states={doneStates}
      empty="No hay citas realizadas con estos filtros."
    />
  )
}
