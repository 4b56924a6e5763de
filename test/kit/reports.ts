import { createHash, randomUUID } from 'node:crypto'
import { files, sheetAnswers, sheets } from '../../src/platform/database/schema/appointments.ts'
import { sectionsOf } from '../../src/reports/rules/progress.ts'
import { type Answers, type SheetState, sheetKindOf } from '../../src/reports/rules/report.ts'
import { around, assignVisit, bookVisit, move, readAgain, type Visit, visit } from './appointments.ts'
import { completeAnswers } from './complete-sheet.ts'
import type { Fixture } from './fixture.ts'
import { db, fixture, rowsWhere, rowWhere, technician } from './open.ts'

type Of = Pick<Visit, 'id' | 'service' | 'assigneeId'>

/** Answers everything in a visit's or installation's report and puts a picture in each slot, so that it can be sent. */
export async function completeSheet(visit: Of, changes: Answers = {}): Promise<void> {
  const kind = sheetKindOf[visit.service]
  if (!kind) return
  const serial = kind === 'installation' ? { chargerSerial: visit.id.slice(-12) } : {}
  const by = visit.assigneeId!
  await db
    .insert(sheetAnswers)
    .values(
      Object.entries({ ...completeAnswers[kind], ...serial, ...changes }).map(([name, value]) => ({
        appointmentId: visit.id,
        name,
        value: value ?? null,
        changedAt: new Date(),
        changedBy: by,
      })),
    )
    .onConflictDoNothing()
  const slots = sectionsOf[kind].flatMap((section) => section.slots)
  await db
    .insert(files)
    .values(slots.map((slot) => fileRow(visit.id, slot, by)))
    .onConflictDoNothing()
}

/** A report written straight into the database, in a state of its own, sent and read now. */
export async function writeSheet(
  { db }: Pick<Fixture, 'db'>,
  { id, assigneeId, service, state }: Of & { state: SheetState },
  answers: Answers = {},
): Promise<void> {
  const at = new Date()
  const by = assigneeId!
  await db.insert(sheets).values({
    appointmentId: id,
    kind: sheetKindOf[service]!,
    state,
    reviewedAt: at,
    reviewedBy: by,
    submittedAt: at,
    submittedBy: by,
    capturedAt: at,
    returnReason: 'Falta algo por ver.',
  })
  const rows = Object.entries(answers).map(([name, value]) => ({
    appointmentId: id,
    name,
    value: value ?? null,
    changedAt: at,
    changedBy: by,
  }))
  if (rows.length > 0) await db.insert(sheetAnswers).values(rows)
}

/** A row of a picture; the picture itself lies nowhere. */
export const fileRow = (appointmentId: string, slot: string, uploadedBy: string) => ({
  id: randomUUID(),
  appointmentId,
  slot,
  uploadedBy,
  arrivedAt: new Date(),

  sentSha256: createHash('sha256').update(slot).digest('hex'),
  sha256: 'b'.repeat(64),
  type: 'image/jpeg' as const,
  bytes: 1000,
  width: 1600,
  height: 1200,
  capturedAt: new Date(),
})

/** A step: the technician is at the visit since its start, ten minutes ago. */
export async function beThere() {
  await bookVisit()
  await assignVisit()
  fixture.at(around(visit, 0))
  await move(technician, visit, 'start')
  fixture.at(around(visit, 10 * 60_000))
  await readAgain()
}

/** A step: and nothing is missing in the report. */
export async function fillIn() {
  await completeSheet(visit)
}

export const sheetOf = ({ id }: Pick<Visit, 'id'>) => rowWhere(sheets, { appointmentId: id })

/** The stored answers by their names. */
export async function answersOf({ id }: Pick<Visit, 'id'>) {
  const rows = await rowsWhere(sheetAnswers, { appointmentId: id })
  return Object.fromEntries(rows.map((row) => [row.name, row]))
}
