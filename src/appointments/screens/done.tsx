import { doneStates } from '../rules/appointment.ts'
import { countedBy, views } from '../rules/list.ts'
import type { Route } from './+types/done.ts'
import { AppointmentList } from './appointment-list.tsx'
import { loadList } from './list-loader.ts'

export const handle = { announcesUpdates: true }

export const loader = (asked: Route.LoaderArgs) => loadList(asked, 'done')

export default function Done({ loaderData }: Route.ComponentProps) {
  const { view } = loaderData.filters
  return (
    <AppointmentList
      {...loaderData}
      title={view && countedBy(view) ? views[view].label : 'Citas realizadas'}
      states={doneStates}
      empty="Todavía no hay citas realizadas que puedas ver."
    />
  )
}
