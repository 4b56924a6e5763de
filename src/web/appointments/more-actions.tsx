import type { ReactNode } from 'react'
import type { Service } from '../../domain/appointments/appointment.ts'
import type { MoveName } from '../../domain/appointments/transitions.ts'
import type { Failure } from '../lib/submit.ts'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { CallOffForm } from './call-off-form.tsx'
import { type FacadeWish, NoShowForm } from './no-show-form.tsx'

/** The moves made now and then, in the order they are offered. */
export const rareMoves = ['undoSetOut', 'undoStart', 'undoCallStart', 'pause', 'noShow', 'callOff'] as const
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
