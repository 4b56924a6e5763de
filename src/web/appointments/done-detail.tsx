import { doneStates } from '../../domain/appointment.ts'
import { refuse } from '../../domain/refusal.ts'
import { appointmentFor } from '../../server/appointments/detail.ts'
import { db } from '../../server/context.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/done-detail.ts'
import { AppointmentFacts } from './appointment-facts.tsx'
import { StateBadge } from './state-badge.tsx'

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(
    async () =>
      (await appointmentFor(context.get(db), someone(context), params.id, doneStates)) ?? refuse('not-found'),
  )

export default function DoneDetail({ loaderData: appointment }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title={appointment.folio}
        subtitle={<StateBadge state={appointment.state} />}
        back={{ to: '/admin/appointments-done', label: 'Citas realizadas' }}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <AppointmentFacts appointment={appointment} />
      </div>
    </>
  )
}
