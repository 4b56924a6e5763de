import { isAside, isEnd, isStep } from '../../appointments/rules/field-steps.ts'
import type { Sheet } from '../../reports/rules/report.ts'
import type { AnswerRow, FileRow, MoveRow, StoredRows } from './rows.ts'

/** What may be sent; text that is only typed is not. */
export type Sendable = Omit<StoredRows, 'typed'>

/** One request to be made. */
export type SendTask =
  | { kind: 'move'; row: MoveRow }
  | { kind: 'answers'; appointmentId: string; rows: readonly AnswerRow[] }
  | { kind: 'file'; row: FileRow }

/** The server takes so many answers at once. */
const mostAnswers = 100

/** Whether an answer can be sent: it waits, and the author has no conflict to decide. */
const isReady = ({ state, conflict }: AnswerRow) => state === 'waiting' && conflict === null

/** Whether anything about a row is still open. */
export const isUnsent = ({ state }: { state: string }) => state !== 'sent'

/**
 * What is sent next, or null. Appointments are sent in the order they were worked on; in each the steps come first,
 * then answers, then photos. An end is last: the sheet once nothing before it is open any more, another end once nothing
 * before it waits. An aside goes with the steps, whatever became of them.
 */
export function nextTask(rows: Sendable): SendTask | null {
  for (const id of appointmentsIn(rows)) {
    const task = taskOf(rows, id)
    if (task) return task
  }
  return null
}

function taskOf(rows: Sendable, id: string): SendTask | null {
  const of = <Row extends { appointmentId: string }>(list: readonly Row[]) =>
    list.filter(({ appointmentId }) => appointmentId === id)
  const moves = of(rows.moves).filter(isUnsent)
  const [step] = moves.filter(({ move }) => isStep(move))
  const aside = moves.find(({ move, state }) => isAside(move) && state === 'waiting')
  if (aside && !(step?.state === 'waiting' && step.nth < aside.nth)) return { kind: 'move', row: aside }
  // A refused step blocks the steps after it, which depended on it, but no answer or photo.
  if (step?.state === 'waiting') return { kind: 'move', row: step }
  const answers = of(rows.answers).filter(isReady)
  if (answers.length > 0) return { kind: 'answers', appointmentId: id, rows: answers.slice(0, mostAnswers) }
  const file = of(rows.files).find(({ look, state }) => state === 'waiting' && !look)
  if (file) return { kind: 'file', row: file }
  const isAllThere = !of(rows.answers).some(isUnsent) && !of(rows.files).some(isUnsent)
  const end = moves.find(
    ({ move, state }) => isEnd(move) && state === 'waiting' && (isAllThere || move !== 'submit'),
  )
  return end ? { kind: 'move', row: end } : null
}

/**
 * Whether a step or an end can be taken back before it is sent: the last of its appointment. A step only while nothing
 * of the sheet waits, which would need it.
 */
export function canTakeBack({ appointmentId, move, nth, state }: MoveRow, rows: Sendable): boolean {
  const isSame = (row: { appointmentId: string }) => row.appointmentId === appointmentId
  if (state !== 'waiting' || rows.moves.some((row) => isSame(row) && row.nth > nth)) return false
  return !isStep(move) || ![...rows.answers, ...rows.files].some((row) => isSame(row) && isUnsent(row))
}

/** The appointments that have something open, the one begun first at the front. */
function appointmentsIn({ answers, files, moves }: Sendable): string[] {
  const open = [...answers, ...files, ...moves].filter(isUnsent)
  open.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return [...new Set(open.map(({ appointmentId }) => appointmentId))]
}

/**
 * Milliseconds before try number `tries` + 1 after the server could not be reached: 2 s, 4 s … 2 min, and up to a
 * quarter more.
 */
export const pauseAfter = (tries: number, dice: () => number = Math.random): number =>
  Math.min(2_000 * 2 ** Math.max(0, tries - 1), 120_000) * (1 + dice() / 4)

/** Rows that the page does not need: its data from the server says the same. */
export function shownAlready(sheet: Sheet, all: Sendable) {
  const rows = rowsOfAppointment({ ...all, typed: [] }, sheet.appointmentId)
  return {
    answers: rows.answers.filter((row) => isAnswerShown(sheet, row)),
    files: rows.files.filter((row) => !isUnsent(row) && isFileShown(sheet, row)),
  }
}

/** Of one appointment. */
export const rowsOfAppointment = (rows: StoredRows, id: string): StoredRows => {
  const of = <Row extends { appointmentId: string }>(list: readonly Row[]) =>
    list.filter(({ appointmentId }) => appointmentId === id)
  return { answers: of(rows.answers), files: of(rows.files), moves: of(rows.moves), typed: of(rows.typed) }
}

export const isAnswerShown = ({ answers }: Sheet, { base, name, state }: AnswerRow) =>
  state === 'sent' && (answers[name]?.revision ?? 0) >= base

/** Also when a later photo replaced it. */
export const isFileShown = ({ files }: Sheet, { at, id, isDrop, slot }: FileRow) => {
  const there = files.find((file) => file.slot === slot)
  return isDrop ? there?.id !== id : there?.id === id || (there?.capturedAt.getTime() ?? 0) > Date.parse(at)
}
