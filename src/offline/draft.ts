import type { Step } from '../appointments/rules/transitions.ts'
import type { PhotoVerdict } from '../reports/rules/photo-quality.ts'
import type { Answers, AnswerValue, Missing } from '../reports/rules/report.ts'
import type { DraftMove, RowState, Typed } from './outbox/rows.ts'

/** A photo or signature being sent: on the phone, or stored. `url` shows it small, `fullUrl` whole. */
export type DraftFile = {
  id: string
  slot: string
  /** Of the original file, before any processing. */
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

/** A picture that the phone keeps and does not send yet: to be checked, or doubtful, until its author decides. */
export type RawFile = Pick<DraftFile, 'id' | 'slot' | 'sha256' | 'url'> & { verdict: PhotoVerdict | null }

/** What came of checking a picture: `idle` is to be sent, `unseen` could not be checked and is sent as it is. */
export type Checked = 'idle' | 'unseen' | 'doubt' | { problem: string }

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

/** A step that the server refused, and why. */
export type RefusedMove = {
  id: string
  move: DraftMove['move']
  form?: DraftMove['form']
  title: string
  description: string
}

/** A sheet on the phone: everything written goes to the phone first, then to the server. */
export type Draft = Seen & {
  /** Whether the phone's own store has answered: until then all is as the server, or a kept page, has it. */
  isRead: boolean
  /** Names of answers that did not fit on this phone. */
  unkept: ReadonlySet<string>
  /** Keeps an answer; `typed` is the text of its boxes where that says more. */
  write: (name: string, value: AnswerValue, typed?: Typed | null) => void
  /** Keeps what is no answer yet; null once it is empty. */
  keep: (name: string, typed: Typed | null) => void
  addFile: (slot: string, picture: Blob, keptBecause: string | null) => Promise<unknown>
  /** Keeps a picture as it came, then checks it. */
  takeFile: (slot: string, picture: Blob) => Promise<Checked>
  /** Has a doubtful picture sent, for this reason. */
  keepFile: (id: string, reason: string) => Promise<void>
  dropFile: (id: string) => void
  retry: (id?: string) => void
  /** Deletes what was refused, or is not sent yet. */
  discard: (id: string) => void
  settle: (name: string, whose: 'mine' | 'theirs') => void
  move: (move: DraftMove) => Promise<void>
}

/** What is shown of a report: the server's, under what this phone has. */
export type Seen = {
  answers: Answers
  files: readonly DraftFile[]
  raw: readonly RawFile[]
  /** Slots to be signed again, since something changed after they were signed. */
  fallen: readonly string[]
  conflicts: readonly Conflict[]
  /** What the server refused of the answers, in words, by name. */
  refused: Readonly<Record<string, string>>
  /** The typed text of answers that are incomplete or invalid; by name. */
  typed: Readonly<Record<string, Typed>>
  /** What waits to be sent: changes, files and moves. */
  waiting: number
  /** Steps made here that this page does not show from the server yet, in order. */
  moves: readonly (DraftMove & { move: Step; state: RowState; at: string })[]
  /** How it was ended here by another form than its sheet; null where it was not, or the server refused that. */
  ended: (DraftMove & { state: RowState }) | null
  /** The steps and the ends that the server refused. */
  refusedMoves: readonly RefusedMove[]
  /** The state of its submission: `held` until its author decides about what is named; null before it was pressed. */
  delivery: { state: 'waiting' | 'held' | 'sent'; heldBy: readonly Missing[] } | null
}

/** The same picture is in another slot. */
export class SamePicture extends Error {
  readonly slot: string
  constructor(slot: string) {
    super(`Same picture as in ${slot}`)
    this.slot = slot
  }
}
