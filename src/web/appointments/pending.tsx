import { activeStates } from '../../domain/appointment.ts'
import { listPending } from '../../server/appointments/lists.ts'
import type { Route } from './+types/pending.ts'
import { AppointmentList } from './appointment-list.tsx'
import { loadList } from './list-loader.ts'

export const handle = { announcesUpdates: true }

export const loader = (asked: Route.LoaderArgs) => loadList(asked, listPending)

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
