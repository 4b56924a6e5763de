import { Phone } from 'lucide-react'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import { Checkbox, Field, ReasonNote, Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { later } from '../../kit/later.tsx'
import { NoWayBack } from '../../kit/undo-notice.tsx'
import { Dictated } from '../../photos/dictated.tsx'
import { dateTime, formatPhone, telLink, theTime, wallTime } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Details } from '../../ui/card.tsx'
import { useHydrated } from '../../ui/hydrated.ts'
import type { AppointmentDetail } from '../project-appointments.ts'
import {
  fieldReasons,
  type Outcome,
  outcomeLabels,
  outcomes,
  reasonsToAssignee,
  type Service,
} from '../rules/appointment.ts'
import {
  isUnanswered,
  type MissedStep,
  type NobodyCameAnswer,
  nobodyCameAnswers,
} from '../rules/nobody-came.ts'
import type { MoveName } from '../rules/transitions.ts'
import { absenceUndoSeconds } from '../rules/undo.ts'
import { FreeTimes } from './ending-card.tsx'

/** The rare moves, in the order they are offered. */
const rareMoves = [
  'undoSetOut',
  'undoStart',
  'undoCallStart',
  'pause',
  'noShow',
  'callOff',
  'release',
] as const
type RareMove = (typeof rareMoves)[number]

const titles: Record<RareMove, string> = {
  undoSetOut: 'Deshacer «En camino»',
  undoStart: 'Deshacer «Iniciar»',
  undoCallStart: 'Deshacer «Iniciar»',
  pause: 'Hacer una pausa',
  noShow: 'El cliente no se presentó',
  callOff: 'Cancelar y proponer otro horario',
  release: 'No puedo llegar',
}

type MoreActionsProps = {
  service: Service
  moves: readonly MoveName[]
  /** The moves that have to wait, and until when. */
  waits: readonly string[]
  proposals: readonly Date[]
  /** What a no-show asks for; null where it needs no photo. */
  facade?: FacadeInput | null
  /** The customer's. */
  phone?: string | null
  /** Another end, of the screen's own, before the others; and whether it is asked for. */
  children?: ReactNode
  open?: boolean
}

/** Rare actions, folded until they are needed. Nothing when there are none. */
export function MoreActions({
  service,
  moves,
  waits,
  proposals,
  facade = null,
  phone = null,
  children,
  open = false,
}: MoreActionsProps) {
  const shown = rareMoves.filter((name) => moves.includes(name))
  const isAnswered = useFormResult(shown) !== undefined
  if (shown.length === 0 && waits.length === 0 && !children) return null
  const forms: Record<RareMove, ReactNode> = {
    undoSetOut: <UndoForm move="undoSetOut" />,
    undoStart: <UndoForm move="undoStart" />,
    undoCallStart: <UndoForm move="undoCallStart" />,
    pause: <PauseForm service={service} />,
    noShow: <NoShowForm facade={facade} phone={phone} />,
    callOff: <CallOffForm service={service} proposals={proposals} />,
    release: <ReleaseForm />,
  }
  return (
    <Details summary="Más acciones" open={isAnswered || open}>
      {children}
      {waits.map((words) => (
        <p key={words} className="text-[0.9375rem] text-mute">
          {words}
        </p>
      ))}
      {shown.map((name) => (
        <Fragment key={name}>{forms[name]}</Fragment>
      ))}
    </Details>
  )
}

const UndoForm = ({ move }: { move: 'undoSetOut' | 'undoStart' | 'undoCallStart' }) => (
  <FormDetails summary={titles[move]} intent={move} by="move">
    <p className="text-[0.9375rem] text-mute">
      {move === 'undoStart' ? 'La cita vuelve a «En camino».' : 'La cita vuelve a «Asignada».'}
      {move === 'undoSetOut' && ' Le avisamos al cliente que todavía no sales.'}
    </p>
    <Submit variant="ghost">Deshacer</Submit>
  </FormDetails>
)

const PauseForm = ({ service }: { service: Service }) => (
  <FormDetails summary={titles.pause} intent="pause" by="move">
    <Dictated label="Motivo">
      <TextArea
        label="Motivo"
        name="reason"
        optional={service !== 'installation'}
        maxLength={300}
        help="Por ejemplo: falta una pieza."
      />
    </Dictated>
    <Submit variant="ghost">Pausar</Submit>
  </FormDetails>
)

/** Its assignee can't arrive; the office's phone is beside it. */
const ReleaseForm = () => (
  <FormDetails summary={titles.release} intent="release" by="move">
    <Dictated label="¿Qué pasó?">
      <TextArea
        label="¿Qué pasó?"
        name="reason"
        maxLength={300}
        help="Lo lee la oficina. Al cliente le decimos que buscamos a alguien más o le llamamos."
      />
    </Dictated>
    <Help about="Hola, no puedo llegar a mi cita" />
    <Submit variant="destructive">No puedo llegar</Submit>
  </FormDetails>
)

type CallOffFormProps = { service: Service; proposals: readonly Date[] }

/** Cancels an appointment on the spot, with the free times that can be proposed at once. */
const CallOffForm = ({ service, proposals }: CallOffFormProps) => (
  <FormDetails summary={titles.callOff} intent="callOff" by="move">
    {proposals.length > 0 && (
      <div className="grid gap-1">
        <p className="text-[0.9375rem] text-mute">
          Los horarios libres más cercanos. Después de cancelar se los propones con un toque:
        </p>
        <FreeTimes starts={proposals} />
      </div>
    )}
    <ReasonSelect service={service} help="El cliente podrá agendar otra de inmediato." />
    <Dictated label="Nota">
      <ReasonNote label="Nota" name="note" maxLength={500} help="Qué pasó. El cliente también la lee." />
    </Dictated>
    <NoWayBack to="al cliente, si tiene correo" />
    <Submit variant="destructive">Cancelar la cita</Submit>
  </FormDetails>
)

type ReasonSelectProps = { service: Service; help?: string; className?: string }

/** Why an appointment ends otherwise than it should, in the field `reason`. */
export const ReasonSelect = ({ service, ...rest }: ReasonSelectProps) => (
  <Select
    label="Motivo"
    name="reason"
    placeholder="Elige un motivo"
    options={fieldReasons(service === 'videocall').map((value) => ({
      value,
      label: reasonsToAssignee[value],
    }))}
    {...rest}
  />
)

/** The photo of the façade: whether it has to be there, and when the one that is kept already was taken. */
type FacadeInput = { isAsked: boolean; takenAt: Date | null }

type NoShowProps = {
  facade: FacadeInput | null
  /** The customer's, where the call is made from here. */
  phone?: string | null
  /** The field that names the form. */
  by?: 'move' | 'intent'
  /** The address it is sent to; the screen's own where left out. */
  action?: string
}

/** Says that the customer isn't there, after a call without an answer; of a visit with a photo of the façade. */
export const NoShowForm = ({ facade, phone = null, by = 'move', action }: NoShowProps) => (
  <FormDetails
    summary={titles.noShow}
    intent={by === 'move' ? 'noShow' : 'no-show'}
    {...(by === 'move' && { by })}
    {...(action && { action })}
    {...(facade && { encType: 'multipart/form-data' })}
  >
    {facade && <FacadeField {...facade} />}
    <CallFields phone={phone} />
    <Dictated label="Nota">
      <TextArea label="Nota" name="note" optional maxLength={500} help="El cliente también la lee." />
    </Dictated>
    <p className="text-sm text-mute">
      En {absenceUndoSeconds / 60} minutos se lo decimos al cliente, si tiene correo; hasta entonces puedes
      deshacerlo.
    </p>
    <Submit variant="destructive">El cliente no se presentó</Submit>
  </FormDetails>
)

/** The call that was made: its button writes the hour, which is typed where the page has no JavaScript. */
function CallFields({ phone }: { phone: string | null }) {
  const isHydrated = useHydrated()
  const write = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const field = currentTarget.closest('form')?.elements.namedItem('calledAt')
    if (!(field instanceof HTMLInputElement)) return
    field.value = wallTime(new Date())
    // What was typed is kept on the phone.
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <>
      {phone && (
        <a className={buttonClass('ghost')} href={telLink(phone)} onClick={write}>
          <Phone aria-hidden className="size-5 shrink-0" />
          Llamar al {formatPhone(phone)}
        </a>
      )}
      <Field
        label="¿A qué hora llamaste?"
        name="calledAt"
        type="time"
        readOnly={isHydrated && phone !== null}
        help={phone && isHydrated ? 'Se anota sola al tocar «Llamar».' : undefined}
      />
      <Checkbox label="Intenté llamarle y no contestó" name="called" value="yes" />
    </>
  )
}

/** Folded away twice: its code may come after the screen's. */
const FormPhoto = later(
  () => import('../../photos/form-photo.tsx').then((part) => part.default),
  (field) => <Field {...field} type="file" accept="image/*" capture="environment" />,
)

const FacadeField = ({ isAsked, takenAt }: FacadeInput) => (
  <FormPhoto
    label="Foto de la fachada"
    name="photo"
    byCamera
    optional={!isAsked || takenAt !== null}
    help={
      takenAt
        ? `Ya está la de ${theTime(takenAt)}; toma otra solo para cambiarla.`
        : 'Que se vean la entrada y el número de la casa.'
    }
  />
)

/** How an appointment that took place ended. Fields that only some outcomes need are beside it, in the same `group`. */
export const OutcomeSelect = ({ offered = outcomes }: { offered?: readonly [Outcome, ...Outcome[]] }) => (
  <Select
    label="¿Cómo terminó?"
    name="outcome"
    defaultValue={offered[0]}
    options={offered.map((value) => ({ value, label: outcomeLabels[value] }))}
  />
)

type FinishFormProps = {
  service: Service
  /** Whether it is its sheet that ends it as completed. */
  withSheet: boolean
}

/** Ends an appointment: outcome, reason if not completed, and note. Where there is a sheet, only that completes it. */
export const FinishForm = ({ service, withSheet }: FinishFormProps) => (
  <Form intent="finish" by="move" className="group">
    <OutcomeSelect {...(withSheet && { offered: ['partial', 'not_possible'] })} />
    {/* Browsers without the CSS rule always show it; the server reads it only where it is required. */}
    <ReasonSelect
      service={service}
      className="group-has-[option[value=completed]:checked]:hidden"
      help="El cliente podrá agendar otra de inmediato."
    />
    <Dictated label="Nota de cierre">
      <TextArea
        label="Nota de cierre"
        name="closingNote"
        maxLength={2000}
        help="Cómo quedó y qué sigue. El cliente también la lee."
      />
    </Dictated>
    <Submit variant={withSheet ? 'ghost' : 'primary'}>Terminar</Submit>
  </Form>
)

/** The end that is none of its sheet's, folded. */
export const OtherEnd = ({ service, open }: Pick<FinishFormProps, 'service'> & { open: boolean }) => (
  <Details summary="Si no se pudo completar" open={open}>
    <FinishForm service={service} withSheet />
  </Details>
)

const officeWords: Partial<Record<MissedStep, string>> = {
  reported: 'Llámale y dile aquí qué sigue: lo lee en su página.',
  calling: 'Le dijimos que la oficina le está llamando.',
  coming: 'Le dijimos que ya van en camino.',
  was_there: 'Le dijimos que sí estuvimos ahí.',
}
const answerLabels: Record<NobodyCameAnswer, string> = {
  calling: 'Le estoy llamando',
  coming: 'Ya va en camino',
  was_there: 'Sí estuvo ahí',
}

type NoticeProps = {
  appointment: Pick<AppointmentDetail, 'missed' | 'nobodyCameAt'>
  mayAnswer: boolean
}

/** The customer says that nobody came: when, what we answered, and the answers that one press gives. */
export function NobodyCameNotice({ appointment: { missed, nobodyCameAt }, mayAnswer }: NoticeProps) {
  const words = missed && officeWords[missed]
  if (!words || !nobodyCameAt) return null
  return (
    <Alert
      tone={isUnanswered(missed) ? 'bad' : 'info'}
      title="El cliente dice que nadie llegó"
      actions={
        mayAnswer && (
          <Form intent="answerNobodyCame" by="move">
            <div className="flex flex-wrap gap-2">
              {nobodyCameAnswers.map(
                (answer) =>
                  answer !== missed && (
                    <Submit key={answer} name="answer" value={answer} variant="ghost">
                      {answerLabels[answer]}
                    </Submit>
                  ),
              )}
            </div>
          </Form>
        )
      }
    >
      Nos lo dijo el {dateTime(nobodyCameAt)} {words}
    </Alert>
  )
}
