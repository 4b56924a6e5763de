import type { ReactNode } from 'react'
import {
  closingReasons,
  fieldReasons,
  type Outcome,
  outcomeLabels,
  outcomes,
  type Service,
} from '../../domain/appointments/appointment.ts'
import type { MoveName } from '../../domain/appointments/transitions.ts'
import { time } from '../../domain/shared/format.ts'
import type { Failure } from '../lib/submit.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Details } from '../ui/details.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { FreeTimes } from './proposals.tsx'

/** The moves made now and then, in the order they are offered. */
const rareMoves = ['undoSetOut', 'undoStart', 'undoCallStart', 'pause', 'noShow', 'callOff'] as const
type RareMove = (typeof rareMoves)[number]

const titles: Record<RareMove, string> = {
  undoSetOut: 'Deshacer «En camino»',
  undoStart: 'Deshacer «Iniciar»',
  undoCallStart: 'Deshacer «Iniciar»',
  pause: 'Hacer una pausa',
  noShow: 'El cliente no se presentó',
  callOff: 'Cancelar y proponer otro horario',
}

type MoreActionsProps = {
  service: Service
  moves: readonly MoveName[]
  /** What has to wait, and until when. */
  waits: readonly string[]
  proposals: readonly Date[]
  /** What a no-show asks for; null where it needs no photo. */
  facade?: FacadeWish | null
  heard: (move: MoveName) => Failure | undefined
}

/** What is done now and then, out of the way until it is needed. Nothing when there is none of it. */
export function MoreActions({ service, moves, waits, proposals, facade = null, heard }: MoreActionsProps) {
  const shown = rareMoves.filter((name) => moves.includes(name))
  if (shown.length === 0 && waits.length === 0) return null
  const forms: Record<RareMove, ReactNode> = {
    undoSetOut: <UndoForm move="undoSetOut" result={heard('undoSetOut')} />,
    undoStart: <UndoForm move="undoStart" result={heard('undoStart')} />,
    undoCallStart: <UndoForm move="undoCallStart" result={heard('undoCallStart')} />,
    pause: <PauseForm service={service} result={heard('pause')} />,
    noShow: <NoShowForm facade={facade} result={heard('noShow')} />,
    callOff: <CallOffForm service={service} proposals={proposals} result={heard('callOff')} />,
  }
  return (
    <Details summary="Más acciones" open={shown.some((name) => heard(name))}>
      {waits.map((words) => (
        <p key={words} className="text-[0.9375rem] text-mute">
          {words}
        </p>
      ))}
      {shown.map((name) => (
        <Details key={name} summary={titles[name]} open={heard(name) !== undefined}>
          {forms[name]}
        </Details>
      ))}
    </Details>
  )
}

type UndoFormProps = { move: 'undoSetOut' | 'undoStart' | 'undoCallStart'; result: Failure | undefined }

const UndoForm = ({ move, result }: UndoFormProps) => (
  <Form result={result}>
    <p className="text-[0.9375rem] text-mute">
      {move === 'undoStart' ? 'La cita vuelve a «En camino».' : 'La cita vuelve a «Asignada».'}
    </p>
    <Submit name="move" value={move} variant="ghost">
      Deshacer
    </Submit>
  </Form>
)

type PauseFormProps = { service: Service; result: Failure | undefined }

const PauseForm = ({ service, result }: PauseFormProps) => (
  <Form result={result}>
    <input type="hidden" name="move" value="pause" />
    <TextArea
      label="Motivo"
      name="reason"
      optional={service !== 'installation'}
      maxLength={300}
      help="Por ejemplo: falta una pieza."
    />
    <Submit variant="ghost">Pausar</Submit>
  </Form>
)

type CallOffFormProps = { service: Service; proposals: readonly Date[]; result: Failure | undefined }

/** Calls an appointment off on the spot, with the free times that can be proposed there and then. */
function CallOffForm({ service, proposals, result }: CallOffFormProps) {
  return (
    <Form result={result}>
      <input type="hidden" name="move" value="callOff" />
      {proposals.length > 0 && (
        <div className="grid gap-1">
          <p className="text-[0.9375rem] text-mute">
            Los horarios libres más cercanos, para proponerle otro:
          </p>
          <FreeTimes starts={proposals} />
        </div>
      )}
      <ReasonSelect service={service} help="Le avisamos al cliente y puede agendar otra de inmediato." />
      <TextArea
        label="Nota"
        name="note"
        optional
        maxLength={500}
        help="Qué pasó. El cliente también la lee."
      />
      <Submit variant="destructive">Cancelar la cita</Submit>
    </Form>
  )
}

type ReasonSelectProps = { service: Service; help?: string; className?: string }

/** Why an appointment ends otherwise than it should, in the field `reason`. */
export const ReasonSelect = ({ service, ...rest }: ReasonSelectProps) => (
  <Select
    label="Motivo"
    name="reason"
    placeholder="Elige un motivo"
    options={fieldReasons(service === 'videocall').map((value) => ({ value, label: closingReasons[value] }))}
    {...rest}
  />
)

/** Marks the address of the form that carries a photo beside its words: the sheet's own forms carry photos too. */
export const noShowMark = 'ausente'

/** The photo of the façade: whether it has to be there, and when the one that is kept already was taken. */
type FacadeWish = { isAsked: boolean; takenAt: Date | null }

type NoShowFormProps = { facade: FacadeWish | null; result: Failure | undefined }

/** Says that the customer isn't there, after a call that nobody answered; of a visit with a photo of the façade. */
function NoShowForm({ facade, result }: NoShowFormProps) {
  const carried = facade && ({ action: `?${noShowMark}`, encType: 'multipart/form-data' } as const)
  return (
    <Form result={result} {...carried}>
      <input type="hidden" name="move" value="noShow" />
      {facade && <FacadeField {...facade} />}
      <Checkbox label="Intenté llamarle y no contestó" name="called" value="yes" />
      <Field label="¿A qué hora llamaste?" name="calledAt" type="time" />
      <TextArea label="Nota" name="note" optional maxLength={500} help="El cliente también la lee." />
      <Submit variant="destructive">El cliente no se presentó</Submit>
    </Form>
  )
}

const FacadeField = ({ isAsked, takenAt }: FacadeWish) => (
  <Field
    label="Foto de la fachada"
    name="photo"
    type="file"
    accept="image/*"
    optional={!isAsked || takenAt !== null}
    help={
      takenAt
        ? `Ya está la de las ${time(takenAt)}; elige otra solo para cambiarla.`
        : 'Que se vean la entrada y el número de la casa.'
    }
  />
)

/** How an appointment that took place ended. What only some ends ask for stands beside it, in the same `group`. */
export const OutcomeSelect = ({ offered = outcomes }: { offered?: readonly [Outcome, ...Outcome[]] }) => (
  <Select
    label="¿Cómo terminó?"
    name="outcome"
    defaultValue={offered[0]}
    options={offered.map((value) => ({ value, label: outcomeLabels[value] }))}
  />
)
