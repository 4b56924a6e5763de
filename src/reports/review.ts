import { eq, inArray } from 'drizzle-orm'
import { type Actor, isManager, isOffice } from '../access/rules/actor.ts'
import { affectedUserIds } from '../appointments/rules/appointment.ts'
import { type AppointmentRow, transition } from '../appointments/transition.ts'
import { createBalanceCharge } from '../payments/charges.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { sheets } from '../platform/database/schema/appointments.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import {
  conditionsOf,
  holdByLimit,
  meetCondition,
  noteConditions,
  raiseTask,
} from '../projects/conditions.ts'
import { askToCallCustomer, lockProject } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { answersOf, approvedVisit, findingsFor, heldFor } from './prefilled.ts'
import { correctionsOf, isThere, type LockedReport, lockReport, standsAs, storedSlots } from './rows.ts'
import { measuredWords } from './rules/answers.ts'
import { bearsWith, limitIn } from './rules/passport.ts'
import { slotsOf } from './rules/photos.ts'
import { missingAs, missingIn, questionOf } from './rules/progress.ts'
import { decidesClaims, type Redo, sheetMachine } from './rules/report.ts'
import { isUnconfirmed, unconfirmedWords } from './rules/review.ts'
import { warrantyAfter } from './rules/warranty.ts'
import { handIn, tellFinished } from './submit.ts'

type Approving = {
  /** The one that was read. */
  version: number
  /** Where there is no case with CFE here: the office saw what is met, and the kW that CFE contracted. */
  proven?: boolean
  approvedKilowatts?: number | null
}

/** The office approves a report as it is. */
export const approveSheet = (db: Db, actor: Actor, id: string, input: Approving, now: Date) =>
  review(db, actor, id, { move: 'approve', ...input }, now)

type Returning = {
  /** The reason, for its author. */
  reason: string
  /** Names of the answers and slots requested again. */
  redo: readonly string[]
  version: number
}

/** The office returns a report to its author, who gets an e-mail. */
export const returnSheet = (db: Db, actor: Actor, id: string, input: Returning, now: Date) =>
  review(db, actor, id, { move: 'return', ...input }, now)

/**
 * The office asks the technician of a visit that was carried out for the report it has none of: from then on it is one that
 * was returned. Sent twice, it is one request.
 */
export async function askForReport(db: Db, actor: Actor, id: string, now: Date): Promise<void> {
  const appointment = await transaction(db, async (tx) => {
    const report = await lockReport(tx, actor, id)
    if (report.row?.state === 'returned') return report.appointment
    const state = sheetMachine.next('ask', actor, report.facts)
    const { outcome } = report.appointment
    if (outcome !== null && outcome !== 'completed')
      refuse('failed-precondition', 'La visita no se terminó: agenda otra.')
    if (!(await isThere(tx, report.facts)))
      refuse('failed-precondition', 'Su técnico ya no trabaja aquí: agenda otra visita.')
    const asked = { state, returnReason: missingReport, reviewedAt: now, reviewedBy: actor.id }
    await tx
      .insert(sheets)
      .values({ appointmentId: id, kind: report.kind, ...asked })
      .onConflictDoUpdate({
        target: sheets.appointmentId,
        set: { ...asked, version: (report.row?.version ?? 0) + 1 },
      })
    await record(tx, {
      entity: 'sheet',
      entityId: id,
      actorId: actor.id,
      name: 'ask',
      fromState: report.facts.state,
      toState: state,
    })
    await enqueue(tx, 'letter', { letter: 'sheet_returned', appointmentId: id, to: 'person' })
    return report.appointment
  })
  announce(db, { people: affectedUserIds(appointment) })
}

const missingReport = 'Falta el reporte de esta visita.'

type Review = ({ move: 'approve' } & Approving) | ({ move: 'return' } & Returning)

async function review(db: Db, actor: Actor, id: string, input: Review, now: Date): Promise<void> {
  const appointment = await transaction(db, async (tx) => {
    const sheet = await lockReport(tx, actor, id)
    const state = sheetMachine.next(input.move, actor, sheet.facts)
    await assertVersion(tx, actor, 'sheet', { id, version: sheet.row?.version ?? 0 }, input.version)
    const told =
      input.move === 'return'
        ? { returnReason: input.reason, redo: redoOf(sheet, input.redo) }
        : { returnReason: null, redo: {} }
    if (input.move === 'return') await assertAuthor(tx, sheet)
    else await assertWhole(tx, actor, sheet, input, now)
    await tx
      .update(sheets)
      .set({ ...told, state, reviewedAt: now, reviewedBy: actor.id, version: input.version + 1 })
      .where(eq(sheets.appointmentId, id))
    await record(tx, {
      entity: 'sheet',
      entityId: id,
      actorId: actor.id,
      name: input.move,
      fromState: sheet.facts.state,
      toState: state,
      reason: told.returnReason,
      ...(input.move === 'return' && { data: { redo: Object.keys(told.redo) } }),
      ...(input.move === 'approve' &&
        input.approvedKilowatts && { data: { approvedKilowatts: input.approvedKilowatts } }),
    })
    if (input.move === 'approve' && sheet.kind === 'installation') await handOver(tx, sheet, now)
    if (input.move === 'approve' && sheet.kind === 'visit') await noteFindings(tx, actor, sheet, now)
    if (input.move === 'return')
      await enqueue(tx, 'letter', { letter: 'sheet_returned', appointmentId: id, to: 'person' })
    return sheet.appointment
  })
  announce(db, { people: affectedUserIds(appointment) })
}

/**
 * The effects of an approved record for its customer: the warranty from the day of the work, the e-mail with the
 * document, the balance.
 */
async function handOver(tx: Tx, { appointment, row }: LockedReport, now: Date): Promise<void> {
  const { finishedAt, id, projectId } = appointment
  // Records sent before approvals existed already have their warranty and letter.
  const isFirst = row?.warrantyUntil == null
  if (isFirst) {
    const warrantyUntil = warrantyAfter(finishedAt ?? now)
    await tx.update(sheets).set({ warrantyUntil }).where(eq(sheets.appointmentId, id))
    await tellFinished(tx, id)
  }
  await createBalanceCharge(tx, projectId, now, { isMailed: isFirst })
}

/** The items requested again, with their current revision. */
function redoOf({ files, kind, rows }: LockedReport, names: readonly string[]): Redo {
  const known = names.filter((name) => questionOf(kind, name) ?? slotsOf[kind].includes(name))
  return Object.fromEntries(known.map((name) => [name, standsAs(files, rows, name)]))
}

async function noteFindings(tx: Tx, actor: Actor, { answers, appointment }: LockedReport, now: Date) {
  const { id: visitId, projectId } = appointment
  const found = await findingsFor(tx, projectId, answers)
  await noteConditions(tx, actor, { found, projectId, visitId }, now)
}

/** A correction may have removed an answer, and what the visit found may not be met yet. */
async function assertWhole(
  tx: Tx,
  actor: Actor,
  report: LockedReport,
  stated: Approving,
  now: Date,
): Promise<void> {
  const { answers, appointment, files, kind } = report
  await lockProject(tx, appointment.projectId)
  await assertMeasured(tx, report)
  const missing = missingIn(kind, answers, storedSlots(files))
  const first = missing.find(({ unsafe }) => unsafe) ?? missing[0]
  if (first?.unsafe)
    refuse(
      'failed-precondition',
      `No se aprueba. ${first.label}: ${first.message} Devuélvelo para que se repare y se pruebe otra vez.`,
    )
  if (first) refuse('failed-precondition', `Antes de aprobarlo, corrige «${first.label}»: ${first.message}`)
  await assertConfirmed(tx, actor, report)
  if (kind === 'installation') await assertConditions(tx, actor, report, stated, now)
}

/** What the visit found is met, stated by the office where there is no case, or waited for at a current that the home bears. */
async function assertConditions(
  tx: Tx,
  actor: Actor,
  { answers, appointment }: LockedReport,
  { approvedKilowatts, proven }: Approving,
  now: Date,
): Promise<void> {
  const { projectId } = appointment
  const met = { actorId: actor.id, projectId }
  const visit = await approvedVisit(tx, projectId)
  for (const { isStateable, kind, why } of await heldFor(tx, projectId, answers)) {
    const isRaised =
      typeof approvedKilowatts === 'number' &&
      visit &&
      bearsWith(await answersOf(tx, visit.id), approvedKilowatts)
    if (!isStateable || !(kind === 'load_increase' ? isRaised : proven)) refuse('failed-precondition', why)
    await meetCondition(tx, { ...met, kind, how: 'office' }, now)
  }
  if (answers.worksDone === true) await meetCondition(tx, { ...met, kind: 'works', how: 'record' }, now)
  if (typeof answers.chargerSet !== 'number') return
  await holdByLimit(tx, projectId, answers.chargerSet)
  if (typeof answers.agreedLimit === 'number' && limitIn(await conditionsOf(tx, projectId)) === null)
    await askToCallCustomer(tx, appointment, raiseTask(answers.chargerSet))
}

/** Before the office was refused it, it could overwrite a measurement, of which a failed test was lost. */
async function assertMeasured(tx: Tx, { appointment, kind, rows }: LockedReport): Promise<void> {
  const others = [...rows.values()].filter(
    ({ changedBy, name }) => changedBy !== appointment.assigneeId && questionOf(kind, name)?.measured,
  )
  if (others.length === 0) return
  const ids = others.map(({ changedBy }) => changedBy)
  const writers = await tx.select().from(users).where(inArray(users.id, ids))
  const written = others.find(({ changedBy }) => writers.some((one) => one.id === changedBy && isOffice(one)))
  if (!written) return
  const { label } = missingAs(kind, written.name, measuredWords)
  refuse('failed-precondition', `«${label}». ${measuredWords}`)
}

/** Who corrected a report does not approve it alone: its author sends it again, or another person of the office approves it; a
 * manager may where its author is gone.
 */
async function assertConfirmed(
  tx: Tx,
  actor: Actor,
  { appointment, authorGone }: LockedReport,
): Promise<void> {
  if (authorGone && isManager(actor)) return
  const corrections = await correctionsOf(tx, actor, appointment.id)
  if (corrections.some(isUnconfirmed)) refuse('failed-precondition', unconfirmedWords)
}

/** An author who left cannot complete it. */
async function assertAuthor(tx: Tx, { facts }: LockedReport) {
  if (await isThere(tx, facts)) return
  refuse(
    'failed-precondition',
    'Su técnico ya no trabaja aquí. Corrige tú el reporte y que lo apruebe alguien más.',
  )
}

/**
 * Reopens an appointment that was taken from its technician: it ends as completed at the time and by the author of the
 * claim.
 */
export async function reopenClaim(
  db: Db,
  actor: Actor,
  { taskId }: { taskId: string },
  now: Date,
): Promise<void> {
  const [before, after] = await transaction(db, async (tx) => {
    const { author, pressed, sheet } = await holdClaim(tx, actor, taskId)
    const held = sheet.appointment
    const then = { assigneeId: author, ...(await timeThen(tx, held, pressed)) }
    const done = await transition(
      tx,
      actor,
      held,
      'reopen',
      now,
      {
        ...then,
        outcome: 'completed',
        finishedAt: pressed,
        startedAt: held.startedAt ?? then.startsAt,
        confirmedAt: held.confirmedAt ?? now,
        pausedAt: null,
        late: false,
        closingReason: null,
        closingNote: null,
      },
      { data: { ...then, outcome: 'completed', pressedAt: pressed } },
    )
    await handIn(tx, { id: author }, { ...sheet, appointment: done }, { at: pressed, now, ends: true })
    await answer(tx, actor, { taskId, held, refusal: null, result: 'Se reabrió.' }, now)
    await enqueue(tx, 'letter', {
      letter: 'claim_reopened',
      appointmentId: held.id,
      to: 'person',
      personId: author,
    })
    return [held, done] as const
  })
  announce(db, { people: [...affectedUserIds(before), ...affectedUserIds(after)] })
}

/** Leaves an appointment as it is, and notifies its technician of the reason; the claim's content stays with it. */
export async function declineClaim(
  db: Db,
  actor: Actor,
  { taskId, words }: { taskId: string; words: string },
  now: Date,
): Promise<void> {
  const [held, author] = await transaction(db, async (tx) => {
    const { author, sheet } = await holdClaim(tx, actor, taskId)
    const { appointment: held } = sheet
    await answer(tx, actor, { taskId, held, refusal: words, result: `No se reabrió: ${words}` }, now)
    await enqueue(tx, 'letter', {
      letter: 'claim_declined',
      appointmentId: held.id,
      to: 'person',
      personId: author,
    })
    return [held, author] as const
  })
  announce(db, { people: [...affectedUserIds(held), author] })
}

type Claim = { sheet: LockedReport; author: string; pressed: Date }

/** An unanswered claim, with its appointment locked. */
async function holdClaim(tx: Tx, actor: Actor, taskId: string): Promise<Claim> {
  if (!decidesClaims(actor)) refuse('permission-denied')
  const [task] = await tx.select().from(tasks).where(eq(tasks.id, taskId))
  if (!task?.appointmentId) return refuse('not-found')
  const sheet = await lockReport(tx, actor, task.appointmentId)
  const { claimAnsweredAt, claimedAt, claimedBy } = sheet.row ?? {}
  if (!claimedAt || !claimedBy || claimAnsweredAt)
    return refuse('failed-precondition', 'Alguien más ya lo decidió.')
  return { sheet, author: claimedBy, pressed: claimedAt }
}

/** The appointment's time as it was known on site. */
async function timeThen(tx: Tx, held: AppointmentRow, at: Date) {
  const { rows } = await tx.$client.query<{ starts_at: Date; minutes: number }>(
    `select (data ->> 'startsAt')::timestamptz as starts_at, coalesce((data ->> 'minutes')::int, $3) as minutes from events
     where entity = 'appointment' and entity_id = $1 and data ->> 'startsAt' is not null and at <= $2 order by id desc limit 1`,
    [held.id, at, held.minutes],
  )
  const [then] = rows
  return then
    ? { startsAt: then.starts_at, minutes: then.minutes }
    : { startsAt: held.startsAt, minutes: held.minutes }
}

type Answer = { taskId: string; held: AppointmentRow; refusal: string | null; result: string }

async function answer(tx: Tx, actor: Actor, { held, refusal, result, taskId }: Answer, now: Date) {
  const takenBy = actor.id
  await tx
    .update(sheets)
    .set({ claimAnsweredAt: now, claimRefusal: refusal })
    .where(eq(sheets.appointmentId, held.id))
  await tx.update(tasks).set({ doneAt: now, takenBy, result }).where(eq(tasks.id, taskId))
  await record(tx, {
    entity: 'sheet',
    entityId: held.id,
    actorId: takenBy,
    reason: refusal,
    name: refusal === null ? 'reopen' : 'decline',
  })
}
