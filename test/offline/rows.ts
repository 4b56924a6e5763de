import { type AnswerRow, type FileRow, format, type MoveRow } from '../../src/offline/outbox/rows.ts'
import type { Sheet } from '../../src/reports/rules/report.ts'

/** Rows of a technician's phone, as a test wants them; `minute` says when they were made. */
const row = (minute: number, appointmentId: string) => ({
  v: format,
  personId: 'technician',
  appointmentId,
  folio: 'VT-2026-00001',
  at: minuteAt(minute),
  state: 'waiting' as const,
  problem: null,
})

export const minuteAt = (minute: number) => new Date(Date.UTC(2026, 10, 20, 16, minute)).toISOString()

export const answer = (
  name: string,
  minute: number,
  { appointmentId = 'a', ...more }: Partial<AnswerRow> = {},
): AnswerRow => ({
  ...row(minute, appointmentId),
  name,
  value: name,
  base: 0,
  conflict: null,
  ...more,
})

export const photo = (
  id: string,
  minute: number,
  { appointmentId = 'a', ...more }: Partial<FileRow> = {},
): FileRow => ({
  ...row(minute, appointmentId),
  id,
  slot: 'facade',
  isDrop: false,
  sha256: id,
  bytes: 1000,
  keptBecause: null,
  ...more,
})

export const step = (
  move: MoveRow['move'],
  nth: number,
  { appointmentId = 'a', ...more }: Partial<MoveRow> = {},
): MoveRow => ({ ...row(nth, appointmentId), id: `${move}-${nth}`, move, nth, ...more })

export const sheet = (more: Partial<Sheet> = {}): Sheet => ({
  appointmentId: 'a',
  folio: 'VT-2026-00001',
  personId: 'technician',
  kind: 'visit',
  state: 'draft',
  mayWrite: true,
  answers: {},
  files: [],
  fallen: [],
  startedAt: null,
  redo: [],
  returnReason: null,
  ...more,
})

export const refused = {
  state: 'refused',
  problem: { code: 'x', title: 'No', description: 'Porque no.' },
} as const
