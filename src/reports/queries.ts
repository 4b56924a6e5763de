import { and, asc, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { Hono } from 'hono'
import { type Actor, isManager, isOffice, isStaff, isTechnician } from '../access/rules/actor.ts'
import { ownStops } from '../appointments/lists.ts'
import { waitsForOffice } from '../appointments/report-and-call.ts'
import { isActive } from '../appointments/rules/appointment.ts'
import { appointmentPath } from '../appointments/rules/appointment-path.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { assignee, customer, visibleTo } from '../appointments/visibility.ts'
import { type Db, isId, type Tx } from '../platform/database/client.ts'
import { countBeside } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import {
  appointments,
  faults,
  files,
  sheetAnswers,
  sheets,
} from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import type { OnsiteEnv } from '../platform/http/types.ts'
import { acceptedScope } from '../projects/project-money.ts'
import { daysFrom, toMinutes } from '../shared/calendar.ts'
import { countOf } from '../shared/count.ts'
import { answersOf, approvedVisit, heldFor } from './prefilled.ts'
import {
  correctionsOf,
  type Filled,
  filesOf,
  filledSheet,
  openRedo,
  sheetFactsOf,
  sheetVisibleTo,
  storedSlots,
} from './rows.ts'
import { answerInWords } from './rules/answer-words.ts'
import { personalAnswers } from './rules/answers.ts'
import { askedAgain, isAsked, missingIn, progressOf, sectionsOf } from './rules/progress.ts'
import {
  type Sheet,
  type SheetKind,
  type SheetView,
  sheetKindOf,
  sheetLabels,
  sheetMachine,
  sheetStateFacts,
} from './rules/report.ts'
import { attemptsIn } from './rules/review.ts'

const submitter = alias(users, 'submitter')
const reviewer = alias(users, 'reviewer')

/** The report of an appointment as far as the actor may see it; null where there is none for them. */
export async function sheetFor(db: Db, actor: Actor, appointmentId: string): Promise<SheetView | null> {
  if (!isId(appointmentId)) return null
  const [found] = await db
    .select({
      appointment: appointments,
      state: sheets.state,
      submittedBy: sql<string | null>`${submitter.fullName}`,
      reviewedBy: sql<string | null>`${reviewer.fullName}`,
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .leftJoin(sheets, eq(sheets.appointmentId, appointments.id))
    .leftJoin(submitter, eq(submitter.id, sheets.submittedBy))
    .leftJoin(reviewer, eq(reviewer.id, sheets.reviewedBy))
    .where(and(eq(appointments.id, appointmentId), sheetVisibleTo(actor)))
  const kind = found && sheetKindOf[found.appointment.service]
  // An appointment from before reports existed, or that ended without one, keeps its note.
  if (!kind || (found.state === null && !isActive(found.appointment.state))) return null
  const view = await viewOf(db, actor, found.appointment, kind)
  return { ...view, submittedBy: found.submittedBy, reviewedBy: found.reviewedBy }
}

async function viewOf(
  db: Db,
  actor: Actor,
  appointment: AppointmentRow,
  kind: SheetKind,
): Promise<Omit<SheetView, 'submittedBy' | 'reviewedBy'>> {
  const isForCrew = kind === 'installation' && isStaff(actor)
  const [filled, corrections, visit, scope] = await Promise.all([
    filledSheet(db, appointment, kind),
    isOffice(actor) ? correctionsOf(db, actor, appointment.id) : [],
    isForCrew ? visitBefore(db, appointment) : null,
    isForCrew ? acceptedScope(db, appointment.projectId) : null,
  ])
  const { answers, files, row } = filled
  const held =
    kind === 'installation' && isOffice(actor) ? await heldFor(db, appointment.projectId, answers) : []
  const facts = sheetFactsOf(appointment, row, filled.authorGone)
  // Internal remarks are not shown to the customer.
  const isReturned = facts.state === 'returned' && isStaff(actor)
  const redo = isStaff(actor) ? openRedo(filled) : []
  return {
    appointmentId: appointment.id,
    folio: appointment.folio,
    personId: actor.id,
    kind,
    state: facts.state,
    version: row?.version ?? 0,
    mayWrite: sheetMachine.can('write', actor, facts),
    mayCorrect: sheetMachine.can('correct', actor, facts),
    mayReview: sheetMachine.can('approve', actor, facts),
    answers: withRevisions(filled),
    files,
    fallen: filled.fallen,
    corrections:
      filled.authorGone && isManager(actor)
        ? corrections.map((one) => ({ ...one, isOwn: false }))
        : corrections,
    attempts: isStaff(actor) ? attemptsIn(kind, filled.history) : {},
    startedAt: appointment.startedAt,
    redo,
    redone: isReturned ? Object.keys(row?.redo ?? {}).filter((name) => !redo.includes(name)) : [],
    returnReason: isReturned ? (row?.returnReason ?? null) : null,
    missing: [...missingIn(kind, answers, storedSlots(files)), ...askedAgain(kind, redo)],
    progress: progressOf(kind, answers, storedSlots(files)),
    capturedAt: row?.capturedAt ?? null,
    submittedAt: row?.submittedAt ?? null,
    reviewedAt: row?.reviewedAt ?? null,
    warrantyUntil: row?.warrantyUntil ?? null,
    claim: isStaff(actor) ? claimIn(row) : null,
    visit,
    scope,
    held,
  }
}

/** A claim sent after the appointment was taken from its author, until it is reopened. */
function claimIn(row: Filled['row']): SheetView['claim'] {
  if (!row?.claimedAt || row.state !== 'draft') return null
  return { at: row.claimedAt, refusal: row.claimRefusal, isOpen: row.claimAnsweredAt === null }
}

/** A prefilled answer without an author has revision 0. */
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

/** The most visit photos that a phone stores, each in two sizes: three installations' worth. */
const mostPhotos = 60

/** GET /day: the data that a technician's phone stores for offline use. */
export const dayAhead = (db: Db) =>
  new Hono<OnsiteEnv>().get('/day', async (c) => c.json(await dayOf(db, c.get('actor'), new Date())))

/** The pages of today and tomorrow, those of returned reports, and the pictures that an installer needs. */
async function dayOf(db: Db, actor: Actor, now: Date) {
  const [today, tomorrow] = daysFrom(toMinutes(now), 2)
  const [stops, returned] = await Promise.all([ownStops(db, actor, today!, tomorrow!), returnedTo(db, actor)])
  const photos = await photosFor(
    db,
    stops.map(({ id }) => id),
  )
  return {
    pages: [
      '/admin',
      '/admin/appointments-pending',
      '/admin/account',
      ...stops.map((stop) => appointmentPath('pending', stop)),
      ...returned.map((done) => appointmentPath('done', done)),
    ],
    pictures: photos.flatMap(({ id }) => [`/files/${id}/list`, `/files/${id}/full`]),
  }
}

const returnedTo = (db: Db, actor: Actor) =>
  db
    .select({ id: appointments.id, service: appointments.service })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .where(and(eq(sheets.state, 'returned'), eq(appointments.assigneeId, actor.id), visibleTo(actor)))

/** The photos of the approved visits of these installations' projects. */
async function photosFor(db: Db, stops: readonly string[]) {
  if (stops.length === 0) return []
  const projects = db
    .select({ id: appointments.projectId })
    .from(appointments)
    .where(and(inArray(appointments.id, [...stops]), eq(appointments.service, 'installation')))
  return db
    .select({ id: files.id })
    .from(files)
    .innerJoin(sheets, eq(sheets.appointmentId, files.appointmentId))
    .innerJoin(appointments, eq(appointments.id, files.appointmentId))
    .where(
      and(
        sql`${sheets.kind} = 'visit' and ${sheets.state} = 'approved'`,
        isNull(files.replacedAt),
        isNull(files.faultId),
        inArray(appointments.projectId, projects),
      ),
    )
    .orderBy(desc(files.capturedAt))
    .limit(mostPhotos)
}

/** How many a reviewer handles at once. */
const shownAtOnce = 20

/** The reports that wait for the office, the longest wait first; null for users who do not review. */
export async function sheetsToReview(db: Db, actor: Actor, most = shownAtOnce) {
  if (!isOffice(actor)) return null
  const rows = await listed(db).where(waitsForOffice).orderBy(asc(sheets.submittedAt)).limit(most)
  return { rows: rows.map(({ total, ...row }) => row), count: countOf(rows[0]?.total ?? 0) }
}

/** The report that has waited longest, other than one; null where none waits, and for users who do not review. */
export async function nextToReview(db: Db, actor: Actor, exceptId: string) {
  if (!isOffice(actor)) return null
  const others = and(waitsForOffice, ne(sheets.appointmentId, exceptId))
  const [row] = await listed(db).where(others).orderBy(asc(sheets.submittedAt)).limit(1)
  return row ? { id: row.id, customer: row.customer } : null
}

/** The reports returned to a technician, the longest wait first; null for all other users. */
export async function returnedSheets(db: Db, actor: Actor) {
  if (!isTechnician(actor)) return null
  const rows = await listed(db)
    .where(and(eq(sheets.state, 'returned'), eq(appointments.assigneeId, actor.id), visibleTo(actor)))
    .orderBy(asc(sheets.reviewedAt))
    .limit(shownAtOnce)
  return rows.map(({ total, ...row }) => row)
}

const listed = (db: Db) =>
  db
    .select({
      id: appointments.id,
      folio: appointments.folio,
      service: appointments.service,
      kind: sheets.kind,
      customer: customer.fullName,
      technician: assignee.fullName,
      submittedAt: sheets.submittedAt,
      reviewedAt: sheets.reviewedAt,
      /** The latest return reason. */
      returnReason: sheets.returnReason,
      total: countBeside(sheets, waitsForOffice),
    })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .innerJoin(customer, eq(customer.id, appointments.customerId))
    .leftJoin(assignee, eq(assignee.id, appointments.assigneeId))
    .$dynamic()

/** The written answers about a customer's home that they may read, report by report, by the words of its questions. */
export async function ownReports(db: Db, customerId: string) {
  const found = await db
    .select({ sheet: sheets, folio: appointments.folio })
    .from(sheets)
    .innerJoin(appointments, eq(appointments.id, sheets.appointmentId))
    .where(and(eq(appointments.customerId, customerId), ne(sheets.state, 'draft')))
    .orderBy(asc(sheets.submittedAt))
  return Promise.all(
    found.map(async ({ folio, sheet }) => ({
      Folio: folio,
      Documento: sheetLabels[sheet.kind],
      Estado: sheetStateFacts[sheet.state].label,
      Enviado: sheet.submittedAt,
      'Garantía hasta': sheet.warrantyUntil,
      ...(await answersInWords(db, sheet)),
    })),
  )
}

async function answersInWords(db: Db, { appointmentId, kind }: typeof sheets.$inferSelect) {
  const answers = await answersOf(db, appointmentId)
  return Object.fromEntries(
    sectionsOf[kind]
      .flatMap(({ questions }) => questions)
      .filter((question) => isAsked(question, answers))
      .map((question) => [question.label, answerInWords(question, answers[question.name])]),
  )
}

/**
 * For a deleted customer, their name and numbers are erased; findings and work at the home stay, as for every visit.
 */
export async function forgetReports(tx: Tx, customerId: string): Promise<void> {
  const theirs = tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(eq(appointments.customerId, customerId))
  await tx
    .delete(sheetAnswers)
    .where(and(inArray(sheetAnswers.appointmentId, theirs), inArray(sheetAnswers.name, [...personalAnswers])))
  await tx.update(faults).set({ description: '–' }).where(eq(faults.customerId, customerId))
}

/**
 * The faults that a customer reported of their installations, in their own words; the photos are among their pictures.
 */
export async function ownReportedFaults(db: Db, customerId: string) {
  const rows = await db
    .select({ fault: faults, folio: appointments.folio })
    .from(faults)
    .innerJoin(appointments, eq(appointments.id, faults.appointmentId))
    .where(eq(faults.customerId, customerId))
    .orderBy(asc(faults.createdAt), asc(faults.id))
  return rows.map(({ fault, folio }) => ({
    Folio: folio,
    'Lo que escribiste': fault.description,
    Reportada: fault.createdAt,
    Resuelta: fault.closedAt,
  }))
}
