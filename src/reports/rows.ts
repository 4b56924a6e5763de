import { and, asc, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, isTechnician, type StaffKind } from '../access/rules/actor.ts'
import { lockForAuthor, takenFrom } from '../appointments/authorship.ts'
import { failedStates } from '../appointments/rules/appointment.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { visibleTo } from '../appointments/visibility.ts'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { listed } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import {
  appointments,
  files,
  sheetAnswerHistory,
  sheetAnswers,
  sheets,
} from '../platform/database/schema/appointments.ts'
import { events } from '../platform/database/schema/projects.ts'
import { refuse } from '../shared/refusal.ts'
import { agreedFor, prefilledFor } from './prefilled.ts'
import { fallenSignatures } from './rules/answer-words.ts'
import { riskNames } from './rules/installation-record.ts'
import { isSignature, slotsOf } from './rules/photos.ts'
import { stillAsked } from './rules/progress.ts'
import {
  type Answers,
  type Correction,
  isSent,
  type PastAnswer,
  type SheetFacts,
  type SheetFile,
  type SheetKind,
  sheetKindOf,
  sheetStates,
} from './rules/report.ts'
import { provenBy } from './rules/review.ts'

type SheetRow = typeof sheets.$inferSelect
type AnswerRow = typeof sheetAnswers.$inferSelect

/** A report with its content: the answers by question name, and the prefilled values. */
export type Filled = {
  row: SheetRow | null
  rows: ReadonlyMap<string, AnswerRow>
  prefilled: Answers
  /** The effective answers: the given ones, else the prefilled ones. */
  answers: Answers
  files: SheetFile[]
  /** Every value that its answers have had, the oldest first. */
  history: PastAnswer[]
  /** Slots whose signature is invalid because what it covers has changed. */
  fallen: string[]
  authorGone: boolean
}

/** The content of a report; the caller has checked access. */
export async function filledSheet(
  db: Queryable,
  appointment: AppointmentRow,
  kind: SheetKind,
): Promise<Filled> {
  const ofIt = eq(sheetAnswers.appointmentId, appointment.id)
  const [[row], stored, found, history] = await Promise.all([
    db.select().from(sheets).where(eq(sheets.appointmentId, appointment.id)),
    db.select().from(sheetAnswers).where(ofIt),
    filesOf(db, appointment.id, kind),
    answerHistoryOf(db, appointment.id),
  ])
  // Prefilled values became answers when it was sent; later changes of the home's data do not apply.
  const prefilled = row?.submittedAt
    ? await agreedBefore(db, appointment, kind, stored)
    : await prefilledFor(db, appointment, kind)
  const rows = new Map(stored.map((one) => [one.name, one]))
  const answered = Object.fromEntries(stored.map(({ name, value }) => [name, value]))
  const fallen = fallenIn(found, history, row, appointment)
  return {
    row: row ?? null,
    rows,
    prefilled,
    answers: { ...prefilled, ...answered },
    files: found.filter(({ slot }) => !fallen.includes(slot)),
    history,
    fallen,
    authorGone: row?.state === 'returned' && !(await isThere(db, appointment)),
  }
}

/** Every value that the answers of a report have had, the oldest first; the caller has checked access. */
export const answerHistoryOf = (db: Queryable, appointmentId: string): Promise<PastAnswer[]> =>
  db
    .select()
    .from(sheetAnswerHistory)
    .where(eq(sheetAnswerHistory.appointmentId, appointmentId))
    .orderBy(asc(sheetAnswerHistory.id))

/** Not an answer that was given again as it was. */
function isChange(
  { changedAt, name, value }: PastAnswer,
  nth: number,
  history: readonly PastAnswer[],
): boolean {
  const before = history.slice(0, nth).findLast((one) => one.name === name)
  if (!before) return true
  return +before.changedAt !== +changedAt && (value === null || value !== before.value)
}

function fallenIn(
  found: readonly SheetFile[],
  history: readonly PastAnswer[],
  row: SheetRow | undefined,
  { assigneeId }: AppointmentRow,
): string[] {
  if (row && isSent(row.state)) return []
  const changes = history.filter(isChange).map(({ arrivedAt, changedAt, changedBy }) => ({
    at: changedAt,
    arrivedAt,
    isOwn: changedBy === assigneeId,
  }))
  return fallenSignatures(
    found.filter(({ slot }) => isSignature(slot)),
    changes,
    row?.capturedAt && row.submittedAt ? { at: row.capturedAt, arrivedAt: row.submittedAt } : null,
  )
}

/**
 * Records sent before agreed values were stored are still compared with them; what their terminals are marked for was
 * stored last.
 */
async function agreedBefore(
  db: Queryable,
  { projectId }: AppointmentRow,
  kind: SheetKind,
  stored: readonly AnswerRow[],
): Promise<Answers> {
  const has = (asked: string) => stored.some(({ name }) => name === asked)
  if (kind === 'visit' || has('agreedTerminals75')) return {}
  const agreed = await agreedFor(db, projectId)
  return has('agreedMetres') ? { agreedTerminals75: agreed.agreedTerminals75 } : agreed
}

/** Whether the author is still there to complete a returned report. */
export async function isThere(
  db: Queryable,
  { assigneeId }: Pick<AppointmentRow, 'assigneeId'>,
): Promise<boolean> {
  const [author] = assigneeId ? await db.select().from(users).where(eq(users.id, assigneeId)) : []
  return author?.active === true && isTechnician(author)
}

/**
 * What the office corrected since the report was first sent, the oldest first. A correction is confirmed once its author
 * has sent the report again.
 */
export async function correctionsOf(
  db: Queryable,
  { id: readerId }: Pick<Actor, 'id'>,
  appointmentId: string,
): Promise<Correction[]> {
  const { actorId, data, entity, entityId, id, name } = events
  const trail = await db
    .select({ actorId, by: sql<string | null>`${users.fullName}`, data, name })
    .from(events)
    .leftJoin(users, eq(users.id, actorId))
    .where(and(eq(entity, 'sheet'), eq(entityId, appointmentId), inArray(name, ['submit', 'correct'])))
    .orderBy(asc(id))
  const first = trail.findIndex(isSending)
  const last = trail.findLastIndex(isSending)
  return trail.flatMap(({ actorId, by, data, name }, nth) =>
    name === 'correct' && first >= 0 && nth > first
      ? [{ ...(data as Pick<Correction, 'name'>), by, isOwn: actorId === readerId, isConfirmed: nth < last }]
      : [],
  )
}

const isSending = ({ name }: { name: string }) => name === 'submit'

/** The pictures that a report has, in the order they are asked. */
export async function filesOf(db: Queryable, appointmentId: string, kind: SheetKind): Promise<SheetFile[]> {
  const { arrivedAt, capturedAt, height, id, keptBecause, sentSha256, sha256, slot, width } = files
  const living = and(eq(files.appointmentId, appointmentId), isNull(files.replacedAt), isNull(files.faultId))
  const found = await db
    .select({ id, slot, sha256, sentSha256, width, height, capturedAt, arrivedAt, keptBecause })
    .from(files)
    .where(living)
    .orderBy(asc(files.capturedAt))
  const order = slotsOf[kind]
  return found
    .filter((file) => order.includes(file.slot))
    .toSorted((a, b) => order.indexOf(a.slot) - order.indexOf(b.slot))
    .map((file) => ({ ...file, proves: provenBy(kind, file.slot) }))
}

export const storedSlots = (found: readonly SheetFile[]): ReadonlySet<string> =>
  new Set(found.map(({ slot }) => slot))

/** The items requested again that are unchanged since; those that other answers removed from the form are excluded. */
export function openRedo({ answers, files: found, row, rows }: Filled): string[] {
  if (row?.state !== 'returned') return []
  const { kind, redo } = row
  return stillAsked(kind, Object.keys(redo), answers).filter(
    (name) => standsAs(found, rows, name) === redo[name],
  )
}

/** The revision of an answer, or the id of a slot's picture: it changes when the item is given again. */
export const standsAs = (found: readonly SheetFile[], rows: Filled['rows'], name: string) =>
  rows.get(name)?.revision ?? found.find(({ slot }) => slot === name)?.id ?? null

/** The facts of a report for the rules; one without a row is a draft. */
export const sheetFactsOf = (
  { assigneeId, confirmedAt, state }: Pick<AppointmentRow, 'assigneeId' | 'confirmedAt' | 'state'>,
  row: Pick<SheetRow, 'state'> | null,
  authorGone = false,
): SheetFacts => ({
  state: row?.state ?? 'draft',
  assigneeId,
  provisional: confirmedAt === null,
  appointmentState: state,
  authorGone,
})

export type LockedReport = Filled & { appointment: AppointmentRow; kind: SheetKind; facts: SheetFacts }

/**
 * A report locked, with its appointment, until the transaction ends. For actors who may not see that, neither exists.
 */
export async function lockReport(tx: Tx, actor: Actor, id: string): Promise<LockedReport> {
  const appointment = await lockForAuthor(tx, actor, id)
  const kind = sheetKindOf[appointment.service]
  if (!kind) return refuse('failed-precondition', 'Una asesoría se termina en su propia pantalla.')
  const filled = await filledSheet(tx, appointment, kind)
  const facts = sheetFactsOf(appointment, filled.row, filled.authorGone)
  return {
    ...filled,
    appointment,
    kind,
    facts: { ...facts, takenFrom: await takenFrom(tx, appointment, actor) },
  }
}

type Beginning = { actor: Actor; appointment: AppointmentRow; ticked: readonly string[]; now: Date }

/**
 * An installation begins when every risk was checked: those ticked before, and those ticked with the start, which are
 * stored.
 */
export async function assertRisks(tx: Tx, { actor, appointment, now, ticked }: Beginning): Promise<void> {
  const { id: appointmentId, service } = appointment
  if (service !== 'installation') return
  const ofIt = and(eq(sheetAnswers.appointmentId, appointmentId), inArray(sheetAnswers.name, [...riskNames]))
  const stored = await tx.select().from(sheetAnswers).where(ofIt)
  const isTicked = (name: string) => stored.some((one) => one.name === name && one.value === true)
  const open = riskNames.filter((name) => !isTicked(name) && !ticked.includes(name))
  if (open.length > 0)
    refuse('failed-precondition', 'Antes de empezar, marca toda la lista de seguridad.', {
      errors: Object.fromEntries(open.map((name) => [name, 'Falta marcarlo.'])),
    })
  const fresh = riskNames.filter((name) => !isTicked(name))
  if (fresh.length === 0) return
  await tx.insert(sheets).values({ appointmentId, kind: 'installation' }).onConflictDoNothing()
  await tx.delete(sheetAnswers).where(and(ofIt, inArray(sheetAnswers.name, fresh)))
  await tx.insert(sheetAnswers).values(
    fresh.map((name) => ({
      appointmentId,
      name,
      value: true,
      changedBy: actor.id,
      changedAt: now,
      revision: (stored.find((one) => one.name === name)?.revision ?? 0) + 1,
    })),
  )
}

const none = sql`false`

/** An installer reads the approved report of the visit, regardless of its author and age. */
const ofOwnInstallation = (actor: Actor) =>
  sql`${sheets.kind} = 'visit' and ${sheets.state} = 'approved' and exists (
    select 1 from appointments installation where installation.project_id = ${appointments.projectId}
      and installation.service = 'installation' and installation.state not in (${listed(failedStates)})
      and installation.assignee_id = ${actor.id} and installation.confirmed_at is not null
      and installation.starts_at between now() - interval '30 days' and now() + interval '60 days')`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => undefined,
  tecnician: (actor) => or(visibleTo(actor), ofOwnInstallation(actor)),
  gester: (actor) => and(visibleTo(actor), inArray(sheets.state, sheetStates.filter(isSent))),
  alliate: () => none,
}

/** The reports an actor may see, joined with their appointments; a customer's own once they are sent. */
export const sheetVisibleTo = (actor: Actor): SQL | undefined =>
  isCustomer(actor)
    ? and(eq(appointments.customerId, actor.id), ne(sheets.state, 'draft'))
    : seenByStaff[actor.kind](actor)
