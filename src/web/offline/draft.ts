import type { Answers, AnswerValue, Missing } from '../../domain/reports/report.ts'
import type { DraftMove, RowState, Typed } from './rows.ts'

/** A photo or signature on its way: in the phone, or stored. `url` shows it small, `fullUrl` whole. */
export type DraftFile = {
  id: string
  slot: string
  /** Of what was taken, before anything is made of it. */
  sha256: string
  url: string
  fullUrl: string
  capturedAt: Date
  keptBecause: string | null
  status: 'stored' | 'waiting' | 'sending' | 'refused'
  /** Of what is being sent, from 0 to 100. */
  progress: number
  /** Why it was refused, and what to do. */
  problem: string | null
}

/** An answer that was changed elsewhere while this phone changed it too; `own`: by its author, on another phone. */
export type Conflict = {
  name: string
  mine: AnswerValue
  theirs: AnswerValue
  revision: number
  by: string | null
  own: boolean
  at: Date
}

/** A step that the server would not take, and why. */
export type RefusedMove = { id: string; move: DraftMove['move']; title: string; description: string }

/** A sheet as the phone has it: everything written goes to the phone first, then by itself to the server. */
export type Draft = {
  answers: Answers
  files: readonly DraftFile[]
  /** Slots to be signed again, since something changed after they were signed. */
  fallen: readonly string[]
  conflicts: readonly Conflict[]
  /** What the server refused of the answers, in words, by name. */
  refused: Readonly<Record<string, string>>
  /** What stands in the boxes of answers that are none yet, or not all of one; by name. */
  typed: Readonly<Record<string, Typed>>
  /** Names of answers that this phone had no room for. */
  unkept: ReadonlySet<string>
  /** What waits to be sent: changes, files and moves. */
  waiting: number
  /** Steps made here that this page does not show from the server yet, in order. */
  moves: readonly (DraftMove & { state: RowState })[]
  /** What the server would not take of the steps and the handing in. */
  refusedMoves: readonly RefusedMove[]
  /** How far its handing in is: `held` until its author decides about what is named; null before it was pressed. */
  delivery: { state: 'waiting' | 'held' | 'sent'; heldBy: readonly Missing[] } | null
  /** Keeps an answer; `typed`, what stands in its boxes where that says more. */
  write: (name: string, value: AnswerValue, typed?: Typed | null) => void
  /** Keeps what is no answer yet; null once nothing of it is left. */
  keep: (name: string, typed: Typed | null) => void
  addFile: (slot: string, picture: Blob, keptBecause: string | null) => Promise<void>
  dropFile: (id: string) => void
  retry: (id?: string) => void
  /** Throws away what was refused. */
  discard: (id: string) => void
  settle: (name: string, whose: 'mine' | 'theirs') => void
  move: (move: DraftMove) => Promise<void>
}

/** The same picture stands in another slot. */
export class SamePicture extends Error {
  readonly slot: string
  constructor(slot: string) {
    super(`Same picture as in ${slot}`)
    this.slot = slot
  }
}
