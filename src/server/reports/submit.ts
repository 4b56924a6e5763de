import type { Actor } from '../../domain/access/actor.ts'
import { isActive } from '../../domain/appointments/appointment.ts'
import { sheetMachine } from '../../domain/reports/report.ts'
import { commissionFor } from '../agencies/follow.ts'
import { concernedBy, type Held } from '../appointments/appointments-changes.ts'
import { finishHeld } from '../appointments/field.ts'
import { refuseOvertaken } from '../appointments/pressed.ts'
import { endFee } from '../payments/fee.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { sheetAnswers, sheets } from '../platform/database/schema/sheet-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { closeFaults } from './changes.ts'
import { claim } from './claim.ts'
import { refuseIncomplete } from './complete.ts'
import { type HeldSheet, holdSheet } from './rows.ts'
import { keepSerial } from './serial.ts'

/**
 * When it was pressed, which may be long before we hear of it, what its author adds on ending the appointment, and whether it
 * was pressed where nobody could know that the appointment had been taken away.
 */
export type Sending = { at: Date; note: string | null; mayClaim?: boolean }

/**
 * Sends a sheet to which nothing is missing, and with it ends the appointment as completed. Sent again, it is the same one.
 */
export async function submitSheet(
  db: Db,
  actor: Actor,
  id: string,
  { at, mayClaim = false, note }: Sending,
  now: Date,
): Promise<Held> {
  const held = await transaction(db, async (tx) => {
    const sheet = await holdSheet(tx, actor, id)
    const { appointment } = sheet
    if (isSent(sheet, actor, at) && (note === null || note === appointment.closingNote)) return appointment
    if (mayClaim && sheet.facts.takenFrom) return claim(tx, actor, sheet, at, now)
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
    return done
  })
  announce(db, { people: concernedBy(held) })
  return held
}

/** Writes to its customer that a visit is over, or that an installation is theirs. */
export const tellFinished = (tx: Tx, appointmentId: string) =>
  enqueue(tx, 'letter', { letter: 'finished', appointmentId, to: 'customer' })

type Handing = { at: Date; now: Date; ends: boolean }

/** A whole sheet becomes its author's word, with all that follows from it; `ends`: its appointment ended with it. */
export async function handIn(
  tx: Tx,
  author: Pick<Actor, 'id'>,
  sheet: HeldSheet,
  { at, ends, now }: Handing,
): Promise<void> {
  const { answers, appointment, kind } = sheet
  refuseIncomplete(sheet)
  await write(tx, author, sheet, { at, now })
  if (answers.feasibility === 'not_viable') await endFee(tx, appointment, 'notViable', now)
  if (!ends) return
  if (kind === 'installation') await commissionFor(tx, appointment.id)
  await closeFaults(tx, author, appointment.id, now)
  // An installation is handed over once the office has approved its record.
  if (kind === 'visit') await tellFinished(tx, appointment.id)
}

/** Whether this very sending was heard before. One of an earlier time may be a new one, by a clock that went back. */
const isSent = ({ facts, row }: HeldSheet, actor: Actor, at: Date) =>
  row?.submittedBy === actor.id &&
  (facts.state === 'submitted' || facts.state === 'approved' || row.capturedAt?.getTime() === at.getTime())

async function write(
  tx: Tx,
  { id: submittedBy }: Pick<Actor, 'id'>,
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
    ...{ entity: 'sheet', entityId: appointmentId, actorId: submittedBy, name: 'submit' },
    ...{ fromState: facts.state, toState: 'submitted', data: { pressedAt: at } },
  })
}
