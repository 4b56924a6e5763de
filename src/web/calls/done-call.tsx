import { redirect } from 'react-router'
import { doneStates } from '../../domain/appointments/appointment.ts'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import { stageLabels } from '../../domain/projects/project.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { appointmentFor } from '../../server/appointments/detail.ts'
import { proposalsAfter } from '../../server/appointments/proposals.ts'
import { callRecord } from '../../server/calls/record.ts'
import { stageFor } from '../../server/projects/overview.ts'
import { AppointmentFacts } from '../appointments/appointment-facts.tsx'
import { EndingCard } from '../appointments/ending-card.tsx'
import { Proposals } from '../appointments/proposals.tsx'
import { StateBadge } from '../appointments/state-badge.tsx'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { Card } from '../ui/card.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/done-call.ts'
import { ChatCard } from './chat-card.tsx'
import { SaidCard } from './said-card.tsx'
import { SittingsCard } from './sittings-card.tsx'

export const handle = { announcesUpdates: true }

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const appointment = (await appointmentFor(database, actor, params.id, doneStates)) ?? refuse('not-found')
    if (appointment.service !== 'videocall') throw redirect(appointmentPath('done', appointment))
    const [record, proposals, stage] = await Promise.all([
      callRecord(database, appointment.id, now),
      proposalsAfter(database, actor, appointment.id, now),
      stageFor(database, appointment.customer.id, new Date()),
    ])
    return { appointment, record, proposals, stage }
  })

export default function DoneCall({
  loaderData: { appointment, proposals, record, stage },
}: Route.ComponentProps) {
  const { closingNote, ending, folio, state } = appointment
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={<StateBadge state={state} />}
        back={{ to: '/admin/appointments-done', label: 'Citas realizadas' }}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <SaidCard summary={record.summary} nextSteps={record.nextSteps} />
          {ending && <EndingCard ending={ending} note={closingNote} />}
          {proposals.length > 0 && <Proposals appointment={appointment} starts={proposals} />}
          <AppointmentFacts appointment={appointment} stage={stageLabels[stage]} />
        </div>
        <div className="grid gap-4">
          <SittingsCard record={record} />
          <ChatCard lines={record.chat} />
          <Card title="Notas">
            <p className="whitespace-pre-wrap wrap-anywhere">
              {record.notes.text || 'Nadie escribió notas.'}
            </p>
          </Card>
        </div>
      </div>
    </>
  )
}
