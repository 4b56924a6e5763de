import { activeStates } from '../../domain/appointments/appointment.ts'
import type { Route } from './+types/pending.ts'
import { AppointmentList } from './appointment-list.tsx'
import { loadList } from './list-loader.ts'
import { OwnDay } from './own-day.tsx'
import { loadOwn } from './own-loader.ts'

export const handle = { announcesUpdates: true }

export const loader = async (asked: Route.LoaderArgs) => {
  const [list, own] = await Promise.all([loadList(asked, 'pending'), loadOwn(asked)])
  return { list, own }
}

export default function Pending({ loaderData: { list, own } }: Route.ComponentProps) {
  return (
    <AppointmentList
      {...list}
      above={own && <OwnDay own={own} />}
      title="Próximas citas"
      path="/admin/appointments-pending"
      states={activeStates}
      empty="No hay citas por atender."
    />
  )
}
