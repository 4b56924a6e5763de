import { useSearchParams } from 'react-router'
import { appointmentPath } from '../../domain/appointments/appointment-path.ts'
import type { MoveName } from '../../domain/appointments/transitions.ts'
import { stageLabels } from '../../domain/projects/project.ts'
import { orKept, typedFields } from '../accounts/form-answer.ts'
import { AppointmentFacts } from '../appointments/appointment-facts.tsx'
import { MoreActions } from '../appointments/more-actions.tsx'
import { StateBadge } from '../appointments/state-badge.tsx'
import { TakeOverForm } from '../appointments/take-over-form.tsx'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { useRefreshIn } from '../lib/refresh-in.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/pending-call.ts'
import { ByPhone } from './by-phone.tsx'
import { callAction } from './call-action.ts'
import { CallRoom } from './call-room.tsx'
import { FinishCallForm } from './finish-call-form.tsx'
import { type CallAnswer, failureIn } from './kept.ts'
import { NotesCard } from './notes-card.tsx'
import { loadPendingCall, type PendingCall } from './pending-call-loader.ts'
import { RoomCard } from './room-card.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

export const loader = (asked: Route.LoaderArgs) => load(() => loadPendingCall(asked))

export const action = callAction

/** With JavaScript a lost network leaves the forms as they are; notes that could not be kept never take the screen away. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs): Promise<CallAnswer> {
  const fields = await typedFields(request)
  if (fields.move !== 'notes') return orKept(fields, serverAction) as Promise<CallAnswer>
  try {
    return await serverAction()
  } catch (error) {
    // Led away, as by a session that ended.
    if (error instanceof Response) throw error
    return null
  }
}

export default function PendingCallScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment, entry } = loaderData
  const [params] = useSearchParams()
  useRefreshIn(loaderData.refreshIn)
  useStepFocus(entry && params.has('llamada') ? 'room' : 'page')
  const failure = failureIn(actionData)
  const sent = failure?.values.move as MoveName | 'notes' | undefined
  const heard = (move: MoveName) => (sent === move && loaderData.moves.includes(move) ? failure : undefined)
  const notes = (
    <NotesCard
      key={appointment.id}
      appointmentId={appointment.id}
      writer={loaderData.viewer}
      notes={loaderData.notes}
      mayWrite={loaderData.mayWriteNotes}
      answer={actionData}
    />
  )
  const finish = loaderData.moves.includes('finish') && (
    <FinishCallForm
      key={appointment.id}
      appointmentId={appointment.id}
      writer={loaderData.viewer}
      result={heard('finish')}
    />
  )
  const facts = <AppointmentFacts appointment={appointment} stage={stageLabels[loaderData.stage]} />
  if (entry && params.has('llamada')) {
    const panel = (
      <div className="grid gap-4">
        {notes}
        {finish}
        {facts}
      </div>
    )
    const backTo = appointmentPath('pending', appointment)
    return <CallRoom entry={entry} backTo={backTo} aside={{ label: 'Notas y cierre', panel }} />
  }
  const isShown = sent === 'notes' || (sent && heard(sent))
  return (
    <>
      <CallHeader {...loaderData} />
      {/* Its form is not on the screen any more: somebody else was faster. */}
      {failure?.refusal && !isShown && (
        <Alert tone="bad" title={failure.refusal.title}>
          {failure.refusal.description}
        </Alert>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <RoomCard {...loaderData} />
          <TakeOver {...loaderData} result={heard('takeOver')} />
          {facts}
        </div>
        <div className="grid gap-4">
          {notes}
          {finish}
          <Moves {...loaderData} heard={heard} />
        </div>
      </div>
    </>
  )
}

const CallHeader = ({ appointment: { folio, id, state }, canReassign }: PendingCall) => (
  <PageHeader
    title={folio}
    subtitle={<StateBadge state={state} service="videocall" />}
    back={{ to: '/admin/appointments-pending', label: 'Próximas citas' }}
    actions={
      canReassign && (
        <LinkButton variant="ghost" to={`/admin/assignations/${id}`}>
          {state === 'requested' ? 'Asignar' : 'Cambiar persona'}
        </LinkButton>
      )
    }
  />
)

type TakeOverProps = PendingCall & { result: Failure | undefined }

const TakeOver = ({ appointment: { version }, free, moves, result }: TakeOverProps) =>
  moves.includes('takeOver') && <TakeOverForm version={version} free={free} result={result} />

type MovesProps = PendingCall & { heard: (move: MoveName) => Failure | undefined }

const Moves = ({ appointment: { service }, heard, moves, proposals, waits }: MovesProps) => (
  <>
    {moves.includes('start') && <ByPhone result={heard('start')} />}
    <MoreActions {...{ service, moves, waits, proposals, heard }} />
  </>
)
