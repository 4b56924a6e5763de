import {
  type Actor,
  isAlly,
  isGester,
  isManager,
  isOffice,
  isTechnician,
  type Mover,
} from '../../access/rules/actor.ts'
import {
  type AppointmentState,
  isActive,
  type Service,
  stateFacts,
} from '../../appointments/rules/appointment.ts'
import { machine, type StateFacts } from '../../shared/state-machine.ts'

/** A sheet is the form that a technician completes on site: the report of a visit, or the record of an installation. */
export const sheetKinds = ['visit', 'installation'] as const
export type SheetKind = (typeof sheetKinds)[number]

/** The report that an appointment needs to end as completed; a call has none. */
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

/** The label of a report's state, and the colour of its badge. */
export const sheetStateFacts: Record<SheetState, StateFacts> = {
  draft: { label: 'Borrador', tone: 'neutral' },
  submitted: { label: 'Por revisar', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'ok' },
  returned: { label: 'Devuelto', tone: 'bad' },
}

/** Whether its author has sent it, and it was not returned. */
export const isSent = (state: SheetState) => state === 'submitted' || state === 'approved'

/** The kinds of a home's loads: of air conditioning and heating the larger counts in full (220-83(b)). */
export const loadKinds = { cooling: 'Clima', heating: 'Calefacción', other: 'Otro' } as const
export type LoadKind = keyof typeof loadKinds

/** One appliance of the home: power in watts, and how many there are. Without a kind, its technician was not asked for one. */
export type HouseLoad = { name: string; watts: number; quantity: number; kind?: LoadKind }
export type AnswerValue = string | number | boolean | readonly HouseLoad[] | null

/** The answers by the name of their question; a missing or null one is not answered yet. */
export type Answers = Readonly<Record<string, AnswerValue | undefined>>

type Common = {
  name: string
  label: string
  help?: string
  /** By default a question must be answered. */
  optional?: (answers: Answers) => boolean
  /** By default a question is shown; the answer of a hidden one is ignored. */
  asked?: (answers: Answers) => boolean
  /** A measurement or a test: only whoever made it writes it. The office asks for it again. */
  measured?: true
}

/** A question of a report; numbers carry their unit and range, texts their length in characters. */
export type Question = Common &
  (
    | { kind: 'choice'; options: Readonly<Record<string, string>> }
    /** Several of a list, kept as their words joined by commas: one alone is as it was when only one could be given. */
    | { kind: 'choices'; options: Readonly<Record<string, string>>; none: string }
    | { kind: 'number'; unit: string; min: number; max: number; decimals: number }
    | { kind: 'text'; max: number; digits?: number }
    | { kind: 'lines'; max: number }
    | { kind: 'yesNo' }
    /** Must be ticked. */
    | { kind: 'tick' }
    /** The appliances of the home. */
    | { kind: 'loads' }
    /** A copper conductor by its gauge; one below the required ampacity cannot be chosen. */
    | { kind: 'conductor' }
  )

/** A step of the form: its questions, and its photos and signatures. */
export type Section = {
  id: string
  title: string
  questions: readonly Question[]
  slots: readonly string[]
  /** Slots that may stay empty. */
  extra?: readonly string[]
  /** Of its slots, those that only some reports ask for. */
  when?: { slots: readonly string[]; asked: (answers: Answers) => boolean }
}

/** What the rules need to know of a report. */
export type SheetFacts = {
  state: SheetState
  assigneeId: string | null
  provisional: boolean
  appointmentState: AppointmentState
  /** The author's account is inactive: only the office can close the report. */
  authorGone?: boolean
  /**
   * The id of the technician who did the work before another user cancelled, moved or reassigned the appointment; null
   * for none.
   */
  takenFrom?: string | null
}

const isAuthor = (actor: Mover, { assigneeId, provisional }: SheetFacts) =>
  actor !== 'system' && isTechnician(actor) && actor.id === assigneeId && !provisional

/** Who reads the document of a hand-over. */
export const readsHandovers = (actor: Actor) => !isAlly(actor) && !isGester(actor)

/** The author, or the technician whose work was taken away. */
const isWriter = (actor: Mover, facts: SheetFacts) =>
  isAuthor(actor, facts) || (actor !== 'system' && actor.id === facts.takenFrom)

const isAwaited = (_: Mover, { authorGone, state }: SheetFacts) =>
  state === 'returned' && !authorGone ? 'Espera a que su técnico lo complete.' : null

/** The report of an appointment that did not end as completed stays as it was. */
const isOver = (_: Mover, { appointmentState, state }: SheetFacts) =>
  isActive(appointmentState) || state !== 'draft'
    ? null
    : `El estado de la cita es «${stateFacts[appointmentState].label}»: su reporte se queda como está.`

/** The life of a report: each transition, the states it may leave, and who may make it. */
export const sheetMachine = /* @__PURE__ */ machine<SheetFacts>()(
  {
    write: {
      from: ['draft', 'returned'],
      to: 'same',
      by: isWriter,
      // Work done before the appointment was taken away may arrive late.
      blocked: (actor, facts) => (facts.takenFrom == null ? isOver(actor, facts) : null),
    },
    /** The office corrects an answer. */
    correct: { from: ['draft', 'submitted', 'returned'], to: 'same', by: isOffice },
    /** Sent after the appointment was taken from its author: the manager decides. */
    claim: {
      from: ['draft'],
      to: 'same',
      by: isWriter,
      blocked: (_, { takenFrom }) => (takenFrom == null ? 'La cita sigue siendo tuya.' : null),
    },
    submit: { from: ['draft', 'returned'], to: 'submitted', by: isAuthor, blocked: isOver },
    /** A returned report only where its author is no longer there to complete it. */
    approve: { from: ['submitted', 'returned'], to: 'approved', by: isOffice, blocked: isAwaited },
    return: { from: ['submitted'], to: 'returned', by: isOffice },
    /** Asks for the report of a visit that ended without one. */
    ask: {
      from: ['draft'],
      to: 'returned',
      by: isOffice,
      blocked: (_, { appointmentState }) =>
        appointmentState === 'done' ? null : 'La visita no se ha hecho.',
    },
  },
  (state) =>
    `El estado es «${sheetStateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
)

/** Who decides about a report sent after its appointment was taken from the author. */
export const decidesClaims = isManager

/** A report from the server, as a screen's loader returns it. */
export type Sheet = {
  appointmentId: string
  folio: string
  /** The viewer's id: data kept on the phone belong to that user alone. */
  personId: string
  kind: SheetKind
  state: SheetState
  mayWrite: boolean
  answers: Record<string, { value: AnswerValue; revision: number }>
  files: SheetFile[]
  /** Slots whose signature is invalid, since something changed after it was given. */
  fallen: string[]
  /** Names of answers and slots that were returned for correction and are not corrected yet. */
  redo: string[]
  returnReason: string | null
  /** When the appointment began, as far as the server knows. */
  startedAt: Date | null
}

/** A photo or signature stored on the server. */
export type SheetFile = {
  id: string
  slot: string
  sha256: string
  /** The hash of the file that its author sent. */
  sentSha256: string
  width: number
  height: number
  capturedAt: Date
  arrivedAt: Date
  keptBecause: string | null
  /** Names of the answers that a reviewer checks against it. */
  proves?: readonly string[]
}

/**
 * The items that a returned report requests again, by name, with the revision of the answer or the id of the file at
 * that time.
 */
export type Redo = Readonly<Record<string, number | string | null>>

/** The agreed work, without prices. */
export type Scope = { lines: { description: string; quantity: number; unit: string }[] }

/** A value that an answer has had, in the order in which they were made; of texts there is none. */
export type PastAnswer = {
  name: string
  value: AnswerValue
  changedAt: Date
  arrivedAt: Date
  changedBy: string
}

/** One value of a measurement, and when it was made. */
export type Attempt = Pick<PastAnswer, 'value'> & { at: Date }
/** Each measurement that was made more than once, by name. */
export type Attempts = Readonly<Record<string, readonly Attempt[]>>

/**
 * A correction by the office since the report was first sent; of answers that identify a person, its values are not kept.
 * `isConfirmed`: its author has sent the report again since.
 */
export type Correction = {
  name: string
  from?: AnswerValue
  to?: AnswerValue
  by: string | null
  isOwn: boolean
  isConfirmed: boolean
}

/**
 * An obstacle to sending a report: an answer or a picture, its section, and the message; `unsafe` marks a failed test
 * that forbids leaving the installation energized.
 */
export type Missing = { section: string; name: string; label: string; message: string; unsafe?: boolean }

/** What an approved visit may find that must be met before its charger is used; the permit stands in the project itself. */
export type ConditionKind = 'load_increase' | 'second_meter' | 'works' | 'uvie'

/** What a visit finds; `limitAmps` is the current that the home bears until then, null where it bears none. */
export type Finding = { kind: ConditionKind; limitAmps: number | null }

/** A condition of a project. */
export type Condition = Finding & {
  isMet: boolean
  /** Whether no installation may be booked before: there is a case with CFE for it; computed by the database. */
  blocksBooking: boolean
  /** The current to which the charger was set and approved, in amperes, while the condition was open. */
  heldAmps: number | null
}

/** Why an installation is not approved yet; without a case with CFE here, the office may state that it is met. */
export type Held = Pick<Finding, 'kind'> & { why: string; isStateable: boolean }

/** A report with the actions its reader may take, and the data that an installation depends on. */
export type SheetView = Sheet & {
  version: number
  /** Names that were returned for correction and have been corrected. */
  redone: string[]
  corrections: readonly Correction[]
  attempts: Attempts
  mayCorrect: boolean
  /** May approve or return it. */
  mayReview: boolean
  missing: Missing[]
  /** From 0 to 100. */
  progress: number
  /** When it was sent on the phone; `submittedAt` is when it arrived. */
  capturedAt: Date | null
  submittedAt: Date | null
  submittedBy: string | null
  /**
   * A report sent after the appointment was taken from its author, and not reopened; `refusal` is the reason against it.
   */
  claim: { at: Date; isOpen: boolean; refusal: string | null } | null
  reviewedAt: Date | null
  reviewedBy: string | null
  /** Last day of an installation's warranty, as 2027-11-24. */
  warrantyUntil: string | null
  /** The approved report of the visit before an installation. */
  visit: { appointmentId: string; folio: string; answers: Answers; files: SheetFile[] } | null
  scope: Scope | null
  held: readonly Held[]
}
