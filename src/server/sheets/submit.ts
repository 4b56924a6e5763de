import type { Actor } from '../../domain/actor.ts'
import { isActive } from '../../domain/appointment.ts'
import { localDate, toMinutes } from '../../domain/calendar.ts'
import { warrantyMonths } from '../../domain/installation-record.ts'
import { refuse } from '../../domain/refusal.ts'
import { sheetLabels, sheetStateAfter } from '../../domain/sheet.ts'
import { askedAgain, missingIn } from '../../domain/sheet-progress.ts'
import { concernedBy, type Held } from '../appointments/changes.ts'
import { finishHeld } from '../appointments/field.ts'
import { refuseOvertaken } from '../appointments/pressed.ts'
import { commissionFor } from '../commissions/follow.ts'
import { type Db, type Tx, transaction } from '../database/database.ts'
import { sheetAnswers, sheets } from '../database/sheet-schema.ts'
import { record } from '../events/changes.ts'
import { closeFaults } from '../faults/changes.ts'
import { enqueue } from '../jobs/jobs.ts'
import { announce } from '../live/announcements.ts'
import { demandBalance } from '../payments/demands.ts'
import { endFee } from '../payments/fee.ts'
import { type HeldSheet, holdSheet, openRedo, takenIn } from './rows.ts'
import { keepSerial } from './serial.ts'

/** When it was pressed, which may be long before we hear of it, and what its author adds on ending the appointment. */
export type Sending = { at: Date; note: string | null }

/**
 * Sends a sheet to which nothing is missing, and with it ends the appointment as completed. Sent again, it is the same one.
 */
export async function submitSheet(
  db: Db,
  actor: Actor,
  id: string,
  { at, note }: Sending,
  now: Date,
): Promise<Held> {
  const held = await transaction(db, async (tx) => {
    const sheet = await holdSheet(tx, actor, id)
    const { appointment } = sheet
    if (isSent(sheet, actor, at) && (note === null || note === appointment.closingNote)) return appointment
    if (at < now) await refuseOvertaken(tx, id, at)
    sheetStateAfter('submit', actor, sheet.facts)
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
    refuseIncomplete(sheet)
    await write(tx, actor, sheet, { at, now })
    await followMoney(tx, sheet, now)
    if (ends && sheet.kind === 'installation') await commissionFor(tx, id)
    if (ends) await closeFaults(tx, actor, id, now)
    if (ends) await enqueue(tx, 'letter', { letter: 'finished', appointmentId: id, to: 'customer' })
    return done
  })
  announce(db, { people: concernedBy(held) })
  return held
}

/** What a sheet that was sent makes due, or gives back: an installation's balance, and the fee of a visit to where none is possible. */
async function followMoney(tx: Tx, { answers, appointment, kind }: HeldSheet, now: Date): Promise<void> {
  if (kind === 'installation') await demandBalance(tx, appointment.projectId, now)
  else if (answers.feasibility === 'not_viable') await endFee(tx, appointment, 'notViable', now)
}

/** Whether this very sending was heard before. One of an earlier time may be a new one, by a clock that went back. */
const isSent = ({ facts, row }: HeldSheet, actor: Actor, at: Date) =>
  row?.submittedBy === actor.id &&
  (facts.state === 'submitted' || facts.state === 'approved' || row.capturedAt?.getTime() === at.getTime())

function refuseIncomplete(sheet: HeldSheet): void {
  const { answers, files, kind } = sheet
  const missing = [...missingIn(kind, answers, takenIn(files)), ...askedAgain(kind, openRedo(sheet))]
  if (missing.length === 0) return
  const [first] = missing
  const rest = missing.length === 1 ? '' : ` Y ${missing.length - 1} más.`
  const description = `Envía tu ${sheetLabels[kind].toLowerCase()} completo para terminar. ${first!.label}: ${first!.message}${rest}`
  refuse('failed-precondition', description, { missing })
}

async function write(
  tx: Tx,
  { id: submittedBy }: Actor,
  { answers, appointment, facts, kind, prefilled, row, rows }: HeldSheet,
  { at, now }: { at: Date; now: Date },
) {
  const appointmentId = appointment.id
  // What was only known is from now on answered: the home's own data may change.
  const known = Object.entries(prefilled).filter(([name]) => !rows.has(name))
  if (known.length > 0)
    await tx.insert(sheetAnswers).values(
      known.map(([name, value]) => ({
        ...{ appointmentId, name, value: value ?? null },
        ...{ changedAt: at, arrivedAt: now, changedBy: submittedBy },
      })),
    )
  const set = {
    ...{ state: 'submitted' as const, submittedAt: now, submittedBy, capturedAt: at },
    warrantyUntil:
      kind === 'installation' ? (row?.warrantyUntil ?? warrantyAfter(appointment.finishedAt ?? at)) : null,
  }
  await tx
    .insert(sheets)
    .values({ appointmentId, kind, ...set })
    .onConflictDoUpdate({
      target: sheets.appointmentId,
      set: { ...set, version: (row?.version ?? 0) + 1, updatedAt: now },
    })
  if (kind === 'installation') await keepSerial(tx, appointmentId, answers)
  await record(tx, {
    ...{ entity: 'sheet', entityId: appointmentId, actorId: submittedBy, name: 'submit' },
    ...{ fromState: facts.state, toState: 'submitted', data: { pressedAt: at } },
  })
}

/** The last day of a warranty that begins at an instant. */
const warrantyAfter = (end: Date) =>
  Temporal.PlainDate.from(localDate(toMinutes(end)))
    .add({ months: warrantyMonths })
    .toString()
