import { redirect } from 'react-router'
import { appointmentFor } from '../../appointments/project-appointments.ts'
import { doneStates } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { visitedAppointment } from '../../appointments/rules/paths.ts'
import { undoText } from '../../appointments/rules/undo.ts'
import { AppointmentFacts } from '../../appointments/screens/appointment-facts.tsx'
import { EndingCard, Proposals } from '../../appointments/screens/ending-card.tsx'
import { StateBadge } from '../../appointments/screens/state-badge.tsx'
import { nearestFreeSlotsAfter } from '../../appointments/transition.ts'
import { undoableFor } from '../../appointments/undo.ts'
import { stageFor } from '../../customers/overview.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { UndoNotice } from '../../kit/undo-notice.tsx'
import { stageLabels } from '../../projects/rules/stages.ts'
import { duration, time } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type CallRecord, callRecord, type Participation } from '../queries.ts'
import type { Route } from './+types/done-call.ts'

export const handle = { announcesUpdates: true, visited: visitedAppointment }

export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now, calendarSource } = signedIn(context)
    const appointment = (await appointmentFor(db, actor, params.id, doneStates)) ?? refuse('not-found')
    if (appointment.service !== 'videocall') throw redirect(appointmentPath('done', appointment))
    const [record, proposals, stage, undoable] = await Promise.all([
      callRecord(db, appointment.id, now),
      nearestFreeSlotsAfter(db, actor, appointment.id, now),
      stageFor(db, { ...appointment.customer, projectId: appointment.projectId }, now),
      undoableFor(db, actor, appointment.id),
    ])
    const { baseUrl } = calendarSource
    return { appointment, baseUrl, record, proposals, stage, undoable }
  })

export default function DoneCall({
  loaderData: { appointment, baseUrl, proposals, record, stage, undoable },
}: Route.ComponentProps) {
  const { closingNote, ending, folio, state } = appointment
  return (
    <>
      <PageHeader
        title={folio}
        subtitle={<StateBadge state={state} />}
        back={{ to: '/admin/appointments-done', label: 'Citas realizadas' }}
      />
      {undoable > 0 && <UndoNotice changes={undoText([appointment])} seconds={undoable} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <SaidCard summary={record.summary} nextSteps={record.nextSteps} />
          {ending && <EndingCard ending={ending} note={closingNote} />}
          {proposals.length > 0 && (
            <Proposals appointment={appointment} starts={proposals} window={0} baseUrl={baseUrl} />
          )}
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

type SaidCardProps = { summary: string | null; nextSteps: string | null }

/** The summary and next steps of a call, for its customer. Nothing when both are empty. */
function SaidCard({ summary, nextSteps }: SaidCardProps) {
  if (!summary && !nextSteps) return null
  return (
    <Card title="Resumen">
      {summary && <p className="whitespace-pre-line wrap-anywhere">{summary}</p>}
      {nextSteps && (
        <div className="grid gap-1">
          <h3 className="font-semibold">Qué sigue</h3>
          <p className="whitespace-pre-line wrap-anywhere">{nextSteps}</p>
        </div>
      )}
    </Card>
  )
}

/** What was written in the room of a call, by whom and when. */
const ChatCard = ({ lines }: { lines: CallRecord['chat'] }) => (
  <Card title="Chat">
    {lines.length === 0 ? (
      <p className="text-mute">Nadie escribió en el chat.</p>
    ) : (
      <ol className="grid gap-3">
        {lines.map(({ at, id, name, side, text }) => (
          <li key={id} className="grid gap-0.5">
            <p className="text-sm text-mute">
              <span className="font-semibold text-ink">{name}</span> ·{' '}
              {side === 'customer' ? 'Cliente' : 'Analista'} · {time(at)}
            </p>
            <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
          </li>
        ))}
      </ol>
    )}
  </Card>
)

const labels = { customer: 'Cliente', analyst: 'Analista' }
const minute = 60_000

/** "25 min", of milliseconds; less than a minute has its own words. */
const lasted = (ms: number) => (ms < minute ? 'menos de 1\u00a0min' : duration(Math.floor(ms / minute)))

/** Who was in the room of a call, each stay with its times, and how long both were there at once. */
function SittingsCard({ record: { sittings, together } }: { record: CallRecord }) {
  return (
    <Card title="En la sala">
      <p>
        {together > 0 ? (
          <>
            Hablaron <span className="font-semibold">{lasted(together)}</span>.
          </>
        ) : sittings.length > 0 ? (
          'No coincidieron en la sala.'
        ) : (
          'Nadie entró a la sala.'
        )}
      </p>
      {sittings.length > 0 && (
        <ul className="grid gap-2">
          {sittings.map((sitting) => (
            <Stay key={sitting.id} sitting={sitting} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const Stay = ({ sitting: { from, name, side, to } }: { sitting: Participation }) => (
  <li className="grid gap-0.5 border-l-2 border-line pl-3 text-[0.9375rem]">
    <p>
      {name} <span className="text-mute">({labels[side]})</span>
    </p>
    <p className="text-sm text-mute">
      {to
        ? `${time(from)} a ${time(to)} · ${lasted(to.getTime() - from.getTime())}`
        : `Desde ${time(from)}, sigue en la sala`}
    </p>
  </li>
)
