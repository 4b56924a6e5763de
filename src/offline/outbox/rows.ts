import type { Aside, End } from '../../appointments/rules/field-steps.ts'
import type { Step } from '../../appointments/rules/transitions.ts'
import type { PhotoVerdict } from '../../reports/rules/photo-quality.ts'
import type { AnswerValue } from '../../reports/rules/report.ts'

/** The format of rows that every version sends: answers, files, steps and the sheet handed in. */
export const format = 1

/** The format of ends with a form, which the first version can't send. */
export const endFormat = 2

/** The format of running late, and of what belongs to no appointment. */
export const asideFormat = 3

/**
 * The format of pictures that are still to be checked, until they are. Rows of a later one stay as they are, for the
 * version that wrote them.
 */
export const newestFormat = 4

/** Why the server refused something: its message, and what can be done. */
export type StoredProblem = { code: string; title: string; description: string }

/** `sent` rows stay until the page has the same from the server. */
export type RowState = 'waiting' | 'sent' | 'refused'

/**
 * What every row says: whose it is, what of, and how far it came. `at`: ISO text, when the person did it. What belongs to
 * no appointment has an empty `appointmentId` and `folio`.
 */
type Common = {
  v: number
  personId: string
  appointmentId: string
  folio: string
  /** Who it is for, as its author knows them; rows of older versions don't say. */
  customer?: string | undefined
  at: string
  state: RowState
  problem: StoredProblem | null
}

export type AnswerRow = Common & {
  name: string
  value: AnswerValue
  /** The revision it was written over. */
  base: number
  /** Values of a measurement that it had before, and that are not sent either; other answers and older rows have none. */
  earlier?: readonly { value: AnswerValue; at: string }[]
  /** What the office wrote over the same revision; nothing is sent until its author has decided. */
  conflict: { value: AnswerValue; revision: number; by: string | null; own?: boolean; at: string } | null
}

export type FileRow = Common & {
  id: string
  slot: string
  /** To be deleted: it was stored, and its author does not want it. */
  isDrop: boolean
  sha256: string
  bytes: number
  keptBecause: string | null
  /** It is not sent yet: it is to be checked, or its author has to decide about these defects. */
  look?: 'due' | PhotoVerdict | undefined
}

/** What is done to the appointment itself from the form, or asked by a person for themselves. */
export type DraftMove = {
  move: Step | End | Aside
  reason?: string
  /** The risks ticked before an installation starts. */
  checklist?: readonly string[]
  /** When the appointment started by the page that it was pressed on, ISO text; older rows don't say. */
  startsAt?: string | undefined
  /** The fields of its form, as they were typed; of time off also its `dates`, in words. */
  form?: Readonly<Record<string, string>> | undefined
}

export type MoveRow = Common & { id: string; nth: number } & DraftMove

/** What was typed for an answer and is not valid yet: it stays on the phone until it is corrected or completed. */
export type TypedRow = Pick<Common, 'v' | 'personId' | 'appointmentId' | 'at'> & {
  name: string
  typed: Typed
}
/** Of the boxes of a field: one text, or the rows of a list. */
export type Typed = string | readonly Readonly<Record<string, string>>[]

/** Everything of one person's that the phone holds. */
export type StoredRows = {
  answers: readonly AnswerRow[]
  files: readonly FileRow[]
  moves: readonly MoveRow[]
  typed: readonly TypedRow[]
}

export const noRows: StoredRows = { answers: [], files: [], moves: [], typed: [] }
