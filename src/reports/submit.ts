import { eq } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { closeFaults } from '../appointments/faults.ts'
import { finishHeld } from '../appointments/field.ts'
import { isLeftToOffice, momentWords, refuseEnded, refuseOvertaken } from '../appointments/replay.ts'
import { affectedUserIds, isActive } from '../appointments/rules/appointment.ts'
import { isAtWork } from '../appointments/rules/next-stop.ts'
import type { AppointmentRow } from '../appointments/transition.ts'
import { endFee } from '../payments/charges.ts'
import { type Db, databaseFault, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { sheetAnswers, sheets } from '../platform/database/schema/appointments.ts'
import { followed, happened } from '../platform/follows.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer, claimReason } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { type LockedReport, lockReport, openRedo, storedSlots } from './rows.ts'
import { tooLongLoadTest } from './rules/limits.ts'
import { askedAgain, missingAs, missingIn, unsafeWords } from './rules/progress.ts'
import { type Answers, type Missing, sheetLabels, sheetMachine } from './rules/report.ts'

/**
 * When it was pressed, possibly long before it arrives; its author's note on ending the appointment; and whether it was
 * pressed offline, before the author could know that the appointment had been taken away.
 */
type Sending = { at: Date; note: string | null; mayClaim?: boolean }

/** Sends a complete report, and so ends the appointment as completed. Sent again, it is the same one. */
export async function submitSheet(
  db: Db,
  actor: Actor,
  id: string,
  { at, mayClaim = false, note }: Sending,
  now: Date,
): Promise<AppointmentRow> {
  const held = await transaction(db, async (tx) => {
    const sheet = await lockReport(tx, actor, id)
    const { appointment } = sheet
    if (isSent(sheet, actor, at) && (note === null || note === appointment.closingNote)) return appointment
    // A report of what began here stays its author's to end, however late it comes.
    const isLate =
      appointment.assigneeId === actor.id &&
      !isAtWork(appointment.state) &&
      isLeftToOffice(appointment, 'submit', at, now)
    const facts = isLate ? { ...sheet.facts, takenFrom: actor.id } : sheet.facts
    if (mayClaim && facts.takenFrom) return claim(tx, actor, { ...sheet, facts }, at, now)
    // One that was given back is sent again after its end.
    if (at < now && sheet.facts.state !== 'returned') await refuseEnded(tx, actor, appointment)
    if (at < now) await refuseOvertaken(tx, id, at)
    sheetMachine.next('submit', actor, sheet.facts)
    const ends = isActive(appointment.state)
    const done = ends
      ? await finishHeld(
          tx,
          actor,
          appointment,
          { outcome: 'completed', reason: null, closingNote: note },
          at,
        )
      : appointment
    await handIn(tx, actor, sheet, { at, now, ends })
    refuseTooLong(sheet, at)
    return done
  })
  announce(db, { people: affectedUserIds(held) })
  return held
}

/** Notifies its customer that a visit is over, or that an installation is handed over. */
export const tellFinished = (tx: Tx, appointmentId: string) =>
  enqueue(tx, 'letter', { letter: 'finished', appointmentId, to: 'customer' })

type Handing = { at: Date; now: Date; ends: boolean }

/** An installation ended with its record, as completed. */
export const installationFinished = followed<{ appointmentId: string }>('installation finished')

/** A complete report is submitted by its author, with all its effects; `ends`: its appointment ended with it. */
export async function handIn(
  tx: Tx,
  author: Pick<Actor, 'id'>,
  sheet: LockedReport,
  { at, ends, now }: Handing,
): Promise<void> {
  const { answers, appointment, kind } = sheet
  refuseIncomplete(sheet)
  await write(tx, author, sheet, { at, now })
  // An installation is handed over once the office has approved its record.
  const isMailed = ends && kind === 'visit'
  if (answers.feasibility === 'not_viable') await endFee(tx, appointment, 'notViable', now, { isMailed })
  if (!ends) return
  if (kind === 'installation') await happened(tx, installationFinished, { appointmentId: appointment.id })
  await closeFaults(tx, author, appointment.id, now)
  if (isMailed) await tellFinished(tx, appointment.id)
}

/**
 * Whether this very submission was processed before. One with an earlier time may be a new one, by a clock that went
 * back.
 */
const isSent = ({ facts, row }: LockedReport, actor: Actor, at: Date) =>
  row?.submittedBy === actor.id &&
  (facts.state === 'submitted' || facts.state === 'approved' || row.capturedAt?.getTime() === at.getTime())

async function write(
  tx: Tx,
  { id: submittedBy }: Pick<Actor, 'id'>,
  { answers, appointment, facts, kind, prefilled, row, rows }: LockedReport,
  { at, now }: { at: Date; now: Date },
) {
  const appointmentId = appointment.id
  // Prefilled values become answers from now on: the home's own data may change.
  const known = Object.entries(prefilled).filter(([name]) => !rows.has(name))
  if (known.length > 0)
    await tx.insert(sheetAnswers).values(
      known.map(([name, value]) => ({
        appointmentId,
        name,
        value: value ?? null,
        changedAt: at,
        arrivedAt: now,
        changedBy: submittedBy,
      })),
    )
  const set = { state: 'submitted' as const, submittedAt: now, submittedBy, capturedAt: at }
  await tx
    .insert(sheets)
    .values({ appointmentId, kind, ...set })
    .onConflictDoUpdate({
      target: sheets.appointmentId,
      set: { ...set, version: (row?.version ?? 0) + 1, updatedAt: now },
    })
  if (kind === 'installation') await keepSerial(tx, appointmentId, answers)
  await record(tx, {
    entity: 'sheet',
    entityId: appointmentId,
    actorId: submittedBy,
    name: 'submit',
    fromState: facts.state,
    toState: 'submitted',
    data: { pressedAt: at },
  })
}

/**
 * Stores a complete report that was sent after its appointment was taken from its author, and asks the manager. Received
 * again it is the same claim, also after it was answered.
 */
async function claim(
  tx: Tx,
  actor: Actor,
  sheet: LockedReport,
  at: Date,
  now: Date,
): Promise<AppointmentRow> {
  const { appointment, facts, row } = sheet
  if (row?.claimedBy === actor.id) return appointment
  sheetMachine.next('claim', actor, facts)
  refuseIncomplete(sheet)
  const fresh = { claimedAt: at, claimedBy: actor.id, claimAnsweredAt: null, claimRefusal: null }
  await tx
    .insert(sheets)
    .values({ appointmentId: appointment.id, kind: sheet.kind, ...fresh })
    .onConflictDoUpdate({
      target: sheets.appointmentId,
      set: { ...fresh, version: (row?.version ?? 0) + 1, updatedAt: now },
    })
  await record(tx, {
    entity: 'sheet',
    entityId: appointment.id,
    actorId: actor.id,
    name: 'claim',
    fromState: facts.state,
    toState: facts.state,
    data: { pressedAt: at },
  })
  const subject = `${actor.name ?? 'Su técnico'} hizo ${appointment.folio} y la firmó ${momentWords(at, now)}: ¿reabrir?`
  await askToCallCustomer(tx, appointment, { subject, reason: claimReason })
  return appointment
}

/** Refuses to submit an incomplete report, and lists what is missing. */
function refuseIncomplete(sheet: LockedReport): void {
  const { answers, files, kind } = sheet
  const missing = [...missingIn(kind, answers, storedSlots(files)), ...askedAgain(kind, openRedo(sheet))]
  if (missing.length === 0) return
  const [first] = missing
  if (missing.some(({ unsafe }) => unsafe)) refuseUnsafe(missing)
  const rest = missing.length === 1 ? '' : ` Y ${missing.length - 1} más.`
  const description = `Envía tu ${sheetLabels[kind].toLowerCase()} completo para terminar. ${first!.label}: ${first!.message}${rest}`
  refuse('failed-precondition', description, { missing })
}

/** Of an appointment that was taken away, the start is another person's: there the reviewer judges. */
function refuseTooLong({ answers, appointment, kind }: LockedReport, at: Date): void {
  const words = tooLongLoadTest(answers, appointment.startedAt, at)
  if (!words) return
  const missing = missingAs(kind, 'loadTestMinutes', words)
  refuse('failed-precondition', `${missing.label}: ${words}`, { missing: [missing] })
}

/** An installation that failed a test is neither left energized nor handed over. */
function refuseUnsafe(missing: readonly Missing[]): never {
  const failed = missing.filter(({ unsafe }) => unsafe)
  const reasons = failed.map(({ label, message }) => `${label}: ${message.replace(`${unsafeWords} `, '')}`)
  refuse(
    'failed-precondition',
    `${unsafeWords} ${reasons.join(' ')} Corrígelo y vuelve a probar, o corta la energía y termina la cita como «Quedó incompleta».`,
    { missing },
  )
}

const text = (value: Answers[string]) => (typeof value === 'string' && value !== '' ? value : null)

/** Stores which charger an installation has; a charger is installed once. */
export async function keepSerial(
  tx: Tx,
  appointmentId: string,
  { chargerBrand, chargerSerial }: Answers,
): Promise<void> {
  try {
    await tx
      .update(sheets)
      .set({ chargerBrand: text(chargerBrand), chargerSerial: text(chargerSerial) })
      .where(eq(sheets.appointmentId, appointmentId))
  } catch (error) {
    if (databaseFault(error).constraint !== 'sheets_serial_once') throw error
    const message = 'Ese número de serie ya está en otra instalación. Revisa la placa.'
    refuse('already-exists', message, { errors: { chargerSerial: message } })
  }
}
