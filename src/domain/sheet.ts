import { type AppointmentState, isActive, type Mover, stateFacts } from './appointment.ts'
import { isAnalyst, isManager } from './movers.ts'
import { refuse } from './refusal.ts'
import type { Service } from './services.ts'

/** A sheet is what a technician fills in on site: the report of a visit, or the record of an installation. */
export const sheetKinds = ['visit', 'installation'] as const
export type SheetKind = (typeof sheetKinds)[number]

/** The sheet that an appointment needs to end as completed; a call has none. */
export const sheetKindOf: Record<Service, SheetKind | null> = {
  technical_visit: 'visit',
  installation: 'installation',
  videocall: null,
}

export const sheetLabels: Record<SheetKind, string> = {
  visit: 'Reporte de visita',
  installation: 'Registro de instalación',
}

export const sheetStates = ['draft', 'submitted', 'approved', 'returned'] as const
export type SheetState = (typeof sheetStates)[number]

/** How a state of a sheet is called, and what the colour of its badge means. */
export const sheetStateFacts: Record<
  SheetState,
  { label: string; tone: 'ok' | 'wait' | 'info' | 'bad' | 'neutral' }
> = {
  draft: { label: 'Borrador', tone: 'neutral' },
  submitted: { label: 'Por revisar', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'ok' },
  returned: { label: 'Devuelto', tone: 'bad' },
}

/** Whether its author has handed it in, and nobody asked for it back. */
export const isSent = (state: SheetState) => state === 'submitted' || state === 'approved'

/** One appliance of the house: power in watts, and how many there are. */
export type HouseLoad = { name: string; watts: number; quantity: number }
export type AnswerValue = string | number | boolean | readonly HouseLoad[] | null
/** What is answered, by the name of its question; what is not there, or null, is not answered yet. */
export type Answers = Readonly<Record<string, AnswerValue | undefined>>

type Common = {
  name: string
  label: string
  help?: string
  /** By default a question has to be answered. */
  optional?: (answers: Answers) => boolean
  /** By default a question is asked; what is not asked counts for nothing. */
  asked?: (answers: Answers) => boolean
}
/** A question of a sheet; numbers carry their unit and range, texts their length in characters. */
export type Question = Common &
  (
    | { kind: 'choice'; options: Readonly<Record<string, string>> }
    | { kind: 'number'; unit: string; min: number; max: number; decimals: number }
    | { kind: 'text'; max: number; digits?: number }
    | { kind: 'lines'; max: number }
    | { kind: 'yesNo' }
    /** Has to be ticked. */
    | { kind: 'tick' }
    /** The appliances of the house. */
    | { kind: 'loads' }
    /** A copper conductor by its gauge; one under its ampacity can't be chosen. */
    | { kind: 'conductor' }
  )
/** A step of the form: what is asked, and what is photographed or signed there. */
export type Section = {
  id: string
  title: string
  questions: readonly Question[]
  slots: readonly string[]
  /** Slots that may stay empty. */
  extra?: readonly string[]
}

/** What the rules need to know of a sheet. */
export type SheetFacts = {
  state: SheetState
  assigneeId: string | null
  provisional: boolean
  appointmentState: AppointmentState
  /** Whose sheet it is works here no more: nobody else can complete it. */
  authorGone?: boolean
  /** Who carried the appointment out when somebody else called it off, moved it or gave it to another; null where nobody did. */
  takenFrom?: string | null
}

type SheetMove = {
  from: readonly SheetState[]
  /** `same` changes something else than the state. */
  to: SheetState | 'same'
  by: (mover: Mover, facts: SheetFacts) => boolean
  /** Why it is the wrong moment, in words for the mover; null when it is the right one. */
  wrongMoment?: (facts: SheetFacts) => string | null
}

const itsAuthor = (mover: Mover, { assigneeId, provisional }: SheetFacts) =>
  mover !== 'system' && mover.kind === 'tecnician' && mover.id === assigneeId && !provisional
/** Also from whom it was taken. */
const itsWriter = (mover: Mover, facts: SheetFacts) =>
  itsAuthor(mover, facts) || (mover !== 'system' && mover.id === facts.takenFrom)
const office = (mover: Mover) => isAnalyst(mover) || isManager(mover)

const isAwaited = ({ authorGone, state }: SheetFacts) =>
  state === 'returned' && !authorGone ? 'Espera a que su técnico lo complete.' : null

/** What ended otherwise than completed stays as it was left. */
const isOver = ({ appointmentState, state }: SheetFacts) =>
  isActive(appointmentState) || state !== 'draft'
    ? null
    : `El estado de la cita es «${stateFacts[appointmentState].label}»: su reporte se queda como está.`

/** The life of a sheet: each move, the states it may leave, and who may make it. */
export const sheetMoves = {
  write: {
    from: ['draft', 'returned'],
    to: 'same',
    by: itsWriter,
    // What was done when it was taken away may come in late.
    wrongMoment: (facts) => (facts.takenFrom == null ? isOver(facts) : null),
  },
  /** The office puts an answer right. */
  correct: { from: ['draft', 'submitted', 'returned'], to: 'same', by: office },
  /** Handed in after it was taken from its author: the manager decides. */
  claim: {
    from: ['draft'],
    to: 'same',
    by: itsWriter,
    wrongMoment: ({ takenFrom }) => (takenFrom == null ? 'La cita sigue siendo tuya.' : null),
  },
  submit: { from: ['draft', 'returned'], to: 'submitted', by: itsAuthor, wrongMoment: isOver },
  /** One that was given back, only where nobody is left to complete it. */
  approve: { from: ['submitted', 'returned'], to: 'approved', by: office, wrongMoment: isAwaited },
  return: { from: ['submitted'], to: 'returned', by: office },
} satisfies Record<string, SheetMove>
export type SheetMoveName = keyof typeof sheetMoves

/** Whether somebody may make a move of a sheet now. */
export function canSheet(name: SheetMoveName, mover: Mover, facts: SheetFacts): boolean {
  const move: SheetMove = sheetMoves[name]
  return move.by(mover, facts) && move.from.includes(facts.state) && !move.wrongMoment?.(facts)
}

/** The state a move of a sheet leads to, or a Refusal. */
export function sheetStateAfter(name: SheetMoveName, mover: Mover, facts: SheetFacts): SheetState {
  const move: SheetMove = sheetMoves[name]
  if (!move.by(mover, facts)) refuse('permission-denied')
  if (!move.from.includes(facts.state))
    refuse(
      'failed-precondition',
      `El estado es «${sheetStateFacts[facts.state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
    )
  const wrong = move.wrongMoment?.(facts)
  if (wrong) refuse('failed-precondition', wrong)
  return move.to === 'same' ? facts.state : move.to
}
