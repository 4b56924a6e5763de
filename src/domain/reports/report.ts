import { isManager, isOffice, type Mover } from '../access/actor.ts'
import { type AppointmentState, isActive, type Service, stateFacts } from '../appointments/appointment.ts'
import { machine, type StateFacts } from '../shared/state-machine.ts'

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
export const sheetStateFacts: Record<SheetState, StateFacts> = {
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

const isAuthor = (actor: Mover, { assigneeId, provisional }: SheetFacts) =>
  actor !== 'system' && actor.kind === 'tecnician' && actor.id === assigneeId && !provisional

/** Also from whom it was taken. */
const isWriter = (actor: Mover, facts: SheetFacts) =>
  isAuthor(actor, facts) || (actor !== 'system' && actor.id === facts.takenFrom)

const isAwaited = (_: Mover, { authorGone, state }: SheetFacts) =>
  state === 'returned' && !authorGone ? 'Espera a que su técnico lo complete.' : null

/** What ended otherwise than completed stays as it was left. */
const isOver = (_: Mover, { appointmentState, state }: SheetFacts) =>
  isActive(appointmentState) || state !== 'draft'
    ? null
    : `El estado de la cita es «${stateFacts[appointmentState].label}»: su reporte se queda como está.`

/** The life of a sheet: each transition, the states it may leave, and who may make it. */
export const sheetMachine = /* @__PURE__ */ machine<SheetFacts>()(
  {
    write: {
      from: ['draft', 'returned'],
      to: 'same',
      by: isWriter,
      // What was done when it was taken away may come in late.
      blocked: (actor, facts) => (facts.takenFrom == null ? isOver(actor, facts) : null),
    },
    /** The office puts an answer right. */
    correct: { from: ['draft', 'submitted', 'returned'], to: 'same', by: isOffice },
    /** Handed in after it was taken from its author: the manager decides. */
    claim: {
      from: ['draft'],
      to: 'same',
      by: isWriter,
      blocked: (_, { takenFrom }) => (takenFrom == null ? 'La cita sigue siendo tuya.' : null),
    },
    submit: { from: ['draft', 'returned'], to: 'submitted', by: isAuthor, blocked: isOver },
    /** One that was given back, only where nobody is left to complete it. */
    approve: { from: ['submitted', 'returned'], to: 'approved', by: isOffice, blocked: isAwaited },
    return: { from: ['submitted'], to: 'returned', by: isOffice },
  },
  (state) =>
    `El estado es «${sheetStateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
)

/** Who decides about what was handed in after it was taken from its author. */
export const decidesClaims = isManager

/** A sheet as the server has it: what a screen's loader answers. */
export type Sheet = {
  appointmentId: string
  folio: string
  /** Who looks at it: what is kept on the phone is theirs alone. */
  personId: string
  kind: SheetKind
  state: SheetState
  mayWrite: boolean
  answers: Record<string, { value: AnswerValue; revision: number }>
  files: SheetFile[]
  /** Slots whose signature counts no more, since something changed after it was given. */
  fallen: string[]
  /** Names of answers and slots that were returned for correction and are not corrected yet. */
  redo: string[]
  returnReason: string | null
}

/** A photo or signature that the server has. */
export type SheetFile = {
  id: string
  slot: string
  sha256: string
  /** Of what its author sent. */
  sentSha256: string
  width: number
  height: number
  capturedAt: Date
  arrivedAt: Date
  keptBecause: string | null
}

/** What a returned sheet asks for again, by name, with the revision of the answer or the id of the file it had then. */
export type Redo = Readonly<Record<string, number | string | null>>

/** What was agreed to be done, without its prices. */
export type Scope = { lines: { description: string; quantity: number; unit: string }[] }

/** What keeps a sheet from being sent: an answer or a picture, where it is asked, and in what words; whether it is a test by which nothing may be left energized. */
export type Missing = { section: string; name: string; label: string; message: string; unsafe?: boolean }

/** A sheet with what its readers may do with it, and what an installation follows from. */
export type SheetView = Sheet & {
  version: number
  /** Names that were returned for correction and have been corrected. */
  redone: string[]
  /** Names of answers that the office put right since it was signed and sent. */
  corrected: string[]
  mayCorrect: boolean
  /** Approve it, or return it. */
  mayReview: boolean
  missing: Missing[]
  /** From 0 to 100. */
  progress: number
  /** When it was sent on the phone; `submittedAt` is when it arrived. */
  capturedAt: Date | null
  submittedAt: Date | null
  submittedBy: string | null
  /** Handed in after the appointment was taken from its author, and not reopened; `refusal` is why not. */
  claim: { at: Date; isOpen: boolean; refusal: string | null } | null
  reviewedAt: Date | null
  reviewedBy: string | null
  /** Last day of an installation's warranty, as 2027-11-24. */
  warrantyUntil: string | null
  /** The approved report of the visit before an installation. */
  visit: { appointmentId: string; folio: string; answers: Answers; files: SheetFile[] } | null
  scope: Scope | null
}
