import { doneStates } from '../../domain/appointments/appointment.ts'
import type { Route } from './+types/done.ts'
import { AppointmentList } from './appointment-list.tsx'
import { loadList } from './list-loader.ts'

export const handle = { announcesUpdates: true }

export const loader = (asked: Route.LoaderArgs) => loadList(asked, 'done')

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
