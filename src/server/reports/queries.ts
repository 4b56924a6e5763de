import { and, eq, inArray } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { isActive } from '../../domain/appointments/appointment.ts'
import { askedAgain, missingIn, progressOf } from '../../domain/reports/progress.ts'
import {
  type Sheet,
  type SheetKind,
  type SheetView,
  sheetKindOf,
  sheetMachine,
} from '../../domain/reports/report.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { type Db, isId } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments, sheets } from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { acceptedScope } from '../quotes/project-money.ts'
import { answersOf, approvedVisit, sheetVisibleTo } from './prefilled.ts'
import { type Filled, filesOf, filledSheet, openRedo, sheetFactsOf, storedSlots } from './rows.ts'

/** The sheet of an appointment as far as the actor may see it; null where there is none for them. */
export async function sheetFor(db: Db, actor: Actor, appointmentId: string): Promise<SheetView | null> {
  if (!isId(appointmentId)) return null
  const [found] = await db
    .select({ appointment: appointments, state: sheets.state })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .where(and(eq(appointments.id, appointmentId), sheetVisibleTo(actor)))
  const kind = found && sheetKindOf[found.appointment.service]
  // One that ended before there were sheets, or without any, keeps its note.
  if (!kind || (found.state === null && !isActive(found.appointment.state))) return null
  return viewOf(db, actor, found.appointment, kind)
}

async function viewOf(
  db: Db,
  actor: Actor,
  appointment: AppointmentRow,
  kind: SheetKind,
): Promise<SheetView> {
  const filled = await filledSheet(db, appointment, kind)
  const { answers, files, row } = filled
  const facts = sheetFactsOf(appointment, row, filled.authorGone)
  // What the house says to its own is none of a customer's.
  const isReturned = facts.state === 'returned' && actor.role === 'staff'
  const redo = actor.role === 'staff' ? openRedo(filled) : []
  const names = await namesOf(db, [row?.submittedBy, row?.reviewedBy])
  return {
    ...{ appointmentId: appointment.id, folio: appointment.folio, personId: actor.id },
    ...{ kind, state: facts.state, version: row?.version ?? 0 },
    mayWrite: sheetMachine.can('write', actor, facts),
    mayCorrect: sheetMachine.can('correct', actor, facts),
    mayReview: sheetMachine.can('approve', actor, facts),
    answers: withRevisions(filled),
    ...{ files, fallen: filled.fallen, corrected: correctedIn(filled, appointment) },
    redo,
    redone: isReturned ? Object.keys(row?.redo ?? {}).filter((name) => !redo.includes(name)) : [],
    returnReason: isReturned ? (row?.returnReason ?? null) : null,
    missing: [...missingIn(kind, answers, storedSlots(files)), ...askedAgain(kind, redo)],
    progress: progressOf(kind, answers, storedSlots(files)),
    ...{ capturedAt: row?.capturedAt ?? null, submittedAt: row?.submittedAt ?? null },
    ...{ reviewedAt: row?.reviewedAt ?? null, warrantyUntil: row?.warrantyUntil ?? null },
    submittedBy: names.get(row?.submittedBy ?? '') ?? null,
    claim: actor.role === 'staff' ? claimIn(row) : null,
    reviewedBy: names.get(row?.reviewedBy ?? '') ?? null,
    visit: kind === 'installation' && actor.role === 'staff' ? await visitBefore(db, appointment) : null,
    scope:
      kind === 'installation' && actor.role === 'staff'
        ? await acceptedScope(db, appointment.projectId)
        : null,
  }
}

/** What others than its author answered since it was sent. */
const correctedIn = ({ row, rows }: Filled, { assigneeId }: AppointmentRow) =>
  [...rows].flatMap(([name, { changedAt, changedBy }]) =>
    row?.capturedAt && changedAt > row.capturedAt && changedBy !== assigneeId ? [name] : [],
  )

/** What was handed in after the appointment was taken from its author, until it is reopened. */
function claimIn(row: Filled['row']): SheetView['claim'] {
  if (!row?.claimedAt || row.state !== 'draft') return null
  return { at: row.claimedAt, refusal: row.claimRefusal, isOpen: row.claimAnsweredAt === null }
}

/** What is known without anybody having answered it is of revision 0. */
function withRevisions({ prefilled, rows }: Filled): Sheet['answers'] {
  const known = Object.entries(prefilled).map(([name, value]) => [
    name,
    { value: value ?? null, revision: 0 },
  ])
  const answered = [...rows].map(([name, { revision, value }]) => [name, { value, revision }])
  return Object.fromEntries([...known, ...answered])
}

async function visitBefore(db: Db, { projectId }: AppointmentRow): Promise<SheetView['visit']> {
  const visit = await approvedVisit(db, projectId)
  if (!visit) return null
  const [answers, files] = await Promise.all([answersOf(db, visit.id), filesOf(db, visit.id, 'visit')])
  return { appointmentId: visit.id, folio: visit.folio, answers, files }
}

async function namesOf(db: Db, ids: readonly (string | null | undefined)[]) {
  const known = ids.filter((one) => one != null)
  if (known.length === 0) return new Map<string, string>()
  const rows = await db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(inArray(users.id, known))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
