import { Video } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { orKept, typedFields } from '../../accounts/screens/form-answer.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { visitedAppointment } from '../../appointments/rules/paths.ts'
import { AppointmentFacts } from '../../appointments/screens/appointment-facts.tsx'
import { CancelForm } from '../../appointments/screens/day/appointment-ends.tsx'
import { useWaitingTime } from '../../appointments/screens/day/waiting-badge.tsx'
import { MoreActions, OutcomeSelect, ReasonSelect } from '../../appointments/screens/more-actions.tsx'
import { AppointmentHistory, OfficeNotices } from '../../appointments/screens/office-notices.tsx'
import { StateBadge } from '../../appointments/screens/state-badge.tsx'
import { ReasonNote, Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { useRefreshIn } from '../../kit/refresh-in.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { stageLabels } from '../../projects/rules/stages.ts'
import { dateTime } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { longestNextSteps, longestSummary } from '../rules/room.ts'
import type { Route } from './+types/pending-call.ts'
import type { CallAnswer } from './autosave.ts'
import { CallRoom } from './call-room.tsx'
import { NotesCard } from './notes-card.tsx'
import { callForms, loadPendingCall, type PendingCall } from './pending-call-loader.ts'

type TakeOverFormProps = {
  version: number
  /** Whom the manager may give it to; null for an analyst, who takes it. */
  free: readonly { id: string; name: string }[] | null
}

/** A call whose customer waits alone: the first other analyst who asks takes it. */
function TakeOverForm({ version, free }: TakeOverFormProps) {
  return (
    <Card title={free ? 'Dársela a alguien más' : 'Nadie ha entrado con el cliente'} className="border-wait">
      <Form intent="takeOver" by="move">
        <input type="hidden" name="version" value={version} />
        {free?.length === 0 && <p>Ningún otro analista está libre a esta hora. Llámale por teléfono.</p>}
        {free && free.length > 0 && (
          <Select
            label="¿Quién la toma?"
            name="assigneeId"
            placeholder="Elige a una persona"
            options={free.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {free?.length !== 0 && <Submit>{free ? 'Dar la llamada' : 'Tomar la llamada'}</Submit>}
      </Form>
    </Card>
  )
}

export const handle = { announcesUpdates: true, visited: visitedAppointment }

export const shouldRevalidate = revalidateOnConflict

export const loader = (asked: Route.LoaderArgs) => refusalsAsResponses(() => loadPendingCall(asked))

export const action = forms(
  ({ context, params: { id } }: Route.ActionArgs) => callForms(context, id),
  ({ move }) => move,
)

/** With JavaScript a lost network leaves the forms as they are; notes that were not saved never replace the screen. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs): Promise<CallAnswer> {
  const fields = await typedFields(request)
  if (fields.move !== 'notes') return orKept(fields, serverAction) as Promise<CallAnswer>
  try {
    return await serverAction()
  } catch (error) {
    // A redirect, as by a session that ended.
    if (error instanceof Response) throw error
    return null
  }
}

export default function PendingCallScreen({ loaderData }: Route.ComponentProps) {
  const { appointment, entry } = loaderData
  const [params] = useSearchParams()
  useRefreshIn(loaderData.refreshIn)
  useStepFocus(entry && params.has('llamada') ? 'room' : 'page')
  const notes = (
    <NotesCard
      key={appointment.id}
      appointmentId={appointment.id}
      writer={loaderData.viewer}
      notes={loaderData.notes}
      mayWrite={loaderData.mayWriteNotes}
    />
  )
  const finish = loaderData.moves.includes('finish') && (
    <FinishCallForm key={appointment.id} appointmentId={appointment.id} writer={loaderData.viewer} />
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
  return (
    <>
      <CallHeader {...loaderData} />
      <OrphanedFormError />
      <OfficeNotices {...loaderData} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <RoomCard {...loaderData} />
          <TakeOver {...loaderData} />
          {facts}
        </div>
        <div className="grid gap-4">
          {notes}
          {finish}
          <Moves {...loaderData} />
          {loaderData.mayCancel && (
            <CancelForm appointment={appointment} at={`/admin/assignations/${appointment.id}`} />
          )}
        </div>
      </div>
      <AppointmentHistory events={loaderData.history} />
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
        <>
          <LinkButton variant="ghost" to={`/admin/assignations/${id}/mover`}>
            Mover
          </LinkButton>
          <LinkButton variant="ghost" to={`/admin/assignations/${id}`}>
            {state === 'requested' ? 'Asignar' : 'Cambiar persona'}
          </LinkButton>
        </>
      )
    }
  />
)

const TakeOver = ({ appointment: { version }, free, moves }: PendingCall) =>
  moves.includes('takeOver') && <TakeOverForm version={version} free={free} />

const Moves = ({ appointment: { service }, moves, proposals, waits }: PendingCall) => (
  <>
    {moves.includes('start') && <ByPhone />}
    <MoreActions service={service} moves={moves} waits={waits} proposals={proposals} />
  </>
)

/** Where video finds no connection: the call is held by phone, and starts by hand. In the room it starts by itself. */
const ByPhone = () => (
  <FormDetails summary="Hacerla por teléfono" intent="start" by="move">
    <p className="text-[0.9375rem] text-mute">
      Si el video no funciona, llámale. La asesoría queda en curso y la terminas aquí.
    </p>
    <Submit variant="ghost">Iniciar por teléfono</Submit>
  </FormDetails>
)

type RoomCardProps = Pick<PendingCall, 'appointment' | 'entry' | 'room' | 'now'>

/** The state of the room of a call for the staff, and the link into it for its assignee. */
function RoomCard({ appointment: { assignee, confirmed }, entry, now, room }: RoomCardProps) {
  const { callBackAskedAt, isMine, phase, waitingSince } = room
  return (
    <Card
      title={waitingSince ? <WaitsSince since={waitingSince} now={now} /> : titles[phase]}
      className={waitingSince ? 'border-wait' : undefined}
    >
      <p className="text-mute">{wordsOn(room)}</p>
      {callBackAskedAt && (
        <Alert tone="wait" title="Pidió que le llamemos por teléfono">
          Nos lo dijo el {dateTime(callBackAskedAt)} Hay un pendiente urgente en el inicio.
        </Alert>
      )}
      {!isMine && (
        <p>{assignee && confirmed ? `La atiende ${assignee.name}.` : 'Falta confirmar quién la atiende.'}</p>
      )}
      {room.takeOverWait && <p>{room.takeOverWait}</p>}
      {entry && (
        <LinkButton to="?llamada" prefetch="none">
          <Video aria-hidden className="size-5" />
          Entrar a la llamada
        </LinkButton>
      )}
    </Card>
  )
}

const titles = { early: 'La sala abre después', open: 'La sala está abierta', over: 'La sala ya cerró' }

function wordsOn({ inRoom, opensAt, phase, waitingSince }: PendingCall['room']): string {
  if (phase === 'early') return `Abre el ${dateTime(opensAt)}`
  if (phase === 'over') return 'Pasó su día y nadie registró el resultado.'
  if (waitingSince) return 'Está en la sala y ve que todavía no entra su analista.'
  if (inRoom.length === 2) return 'El cliente y su analista están en la llamada.'
  return inRoom.includes('analyst') ? 'El analista espera al cliente.' : 'El cliente todavía no entra.'
}

const WaitsSince = ({ since, now }: { since: Date; now: Date }) => (
  <>El cliente espera desde hace {useWaitingTime(since, now)}</>
)

type FinishCallFormProps = { appointmentId: string; writer: string }

/** The end of a call: how it went, and what its customer reads of it. It ends the room for both. */
function FinishCallForm({ appointmentId, writer }: FinishCallFormProps) {
  const card = useRef<HTMLElement>(null)
  useHalfWritten(card, `${writer}/${appointmentId}`)
  return (
    <Card ref={card} title="Terminar la asesoría">
      <Form intent="finish" by="move" className="group">
        <OutcomeSelect />
        {/* Browsers without the CSS rule always show them; the server reads them only where they are required. */}
        <div className="grid gap-5 group-has-[option[value=completed]:checked]:hidden">
          <ReasonSelect service="videocall" help="El cliente podrá agendar otra de inmediato." />
          <ReasonNote
            label="Nota de cierre"
            name="closingNote"
            maxLength={2000}
            help="Qué pasó. El cliente también la lee."
          />
        </div>
        <TextArea
          label="Resumen"
          name="summary"
          rows={5}
          maxLength={longestSummary}
          help="De qué hablaron y qué quedó claro. El cliente lo lee."
        />
        <TextArea
          label="Qué sigue"
          name="nextSteps"
          maxLength={longestNextSteps}
          help="Los próximos pasos, suyos y nuestros. El cliente los lee."
        />
        <Submit>Terminar asesoría</Submit>
      </Form>
    </Card>
  )
}

/** The content of forms of this page that close with the room, by their key and their fields' names. */
const written = new Map<string, ReadonlyMap<string, string>>()

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
const isTyped = (control: Element): control is Control =>
  'name' in control && control.name !== '' && 'type' in control && control.type !== 'hidden'
const controlsOf = (form: HTMLFormElement) => [...form.elements].filter(isTyped)

/** Restores what was half written in a form when it left the screen, as when the analyst leaves the room of a call. */
function useHalfWritten(around: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const here = around.current?.querySelector('form')
    if (!here) return
    for (const control of controlsOf(here))
      control.value = written.get(key)?.get(control.name) ?? control.value
    const keep = () => written.set(key, new Map(controlsOf(here).map(({ name, value }) => [name, value])))
    here.addEventListener('input', keep)
    here.addEventListener('change', keep)
    return () => {
      here.removeEventListener('input', keep)
      here.removeEventListener('change', keep)
    }
  }, [around, key])
}
