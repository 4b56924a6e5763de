import type { Sheet } from '../../domain/reports/report.ts'
import type { AnswerRow, FileRow, StoredRows } from '../offline/rows.ts'
import { isUnsent, type Sendable } from '../offline/send-order.ts'

/** Rows that the page can do without: what it has from the server says the same. */
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

/** Also when a later photo took its place. */
export const isFileShown = ({ files }: Sheet, { at, id, isDrop, slot }: FileRow) => {
  const there = files.find((file) => file.slot === slot)
  return isDrop ? there?.id !== id : there?.id === id || (there?.capturedAt.getTime() ?? 0) > Date.parse(at)
}
