import type { Missing } from './progress.ts'
import type { Answers, AnswerValue, SheetKind, SheetState } from './sheet.ts'

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
