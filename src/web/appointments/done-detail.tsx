import { doneStates } from '../../domain/appointment.ts'
import { refuse } from '../../domain/refusal.ts'
import { appointmentFor } from '../../server/appointments/detail.ts'
import { proposalsAfter } from '../../server/appointments/proposals.ts'
import { db } from '../../server/context.ts'
import { facadeOf } from '../../server/files/queries.ts'
import { load } from '../load.ts'
import { someone } from '../someone.ts'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/done-detail.ts'
import { AppointmentFacts } from './appointment-facts.tsx'
import { EndingCard } from './ending-card.tsx'
import { leadToCall } from './lead-to-call.ts'
import { Proposals } from './proposals.tsx'
import { StateBadge } from './state-badge.tsx'

export const handle = { announcesUpdates: true }

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor] = [context.get(db), someone(context)]
    const appointment = (await appointmentFor(database, actor, params.id, doneStates)) ?? refuse('not-found')
    leadToCall('done', appointment, actor)
    const proposals = await proposalsAfter(database, actor, params.id, new Date())
    return { appointment, proposals, facade: await facadeOf(database, actor, params.id) }
  })

export default function DoneDetail({ loaderData: { appointment, facade, proposals } }: Route.ComponentProps) {
  const { closingNote, ending, folio, state } = appointment
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={<StateBadge state={state} />}
        back={{ to: '/admin/appointments-done', label: 'Citas realizadas' }}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {ending && <EndingCard {...{ ending, facade }} note={closingNote} />}
        {proposals.length > 0 && <Proposals appointment={appointment} starts={proposals} />}
        <AppointmentFacts appointment={appointment} />
      </div>
    </>
  )
}
