import type { AnswerValue, SheetKind, SheetState } from './sheet.ts'

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
  /** Names of answers and slots asked for again. */
  redo: string[]
  returnReason: string | null
}

/** A photo or signature that the server has. */
export type SheetFile = {
  id: string
  slot: string
  sha256: string
  width: number
  height: number
  capturedAt: Date
  arrivedAt: Date
  keptBecause: string | null
}
