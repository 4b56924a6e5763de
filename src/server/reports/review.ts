import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { slotsOf } from '../../domain/reports/photos.ts'
import { missingIn, questionOf } from '../../domain/reports/progress.ts'
import { type Redo, sheetMachine } from '../../domain/reports/report.ts'
import { warrantyAfter } from '../../domain/reports/warranty.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { affectedUserIds } from '../appointments/transition.ts'
import { createBalanceCharge } from '../payments/charges.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { sheets } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { isThere, type LockedReport, lockReport, standsAs, storedSlots } from './rows.ts'
import { tellFinished } from './submit.ts'

/** The office takes a sheet as it is. `version` is the one it was read in. */
export const approveSheet = (db: Db, actor: Actor, id: string, version: number, now: Date) =>
  review(db, actor, id, { move: 'approve', version }, now)

export type Returning = {
  /** What is wrong, for its author. */
  reason: string
  /** Names of the answers and slots to be given anew. */
  redo: readonly string[]
  version: number
}

/** The office gives a sheet back to its author, who gets a letter. */
export const returnSheet = (db: Db, actor: Actor, id: string, wish: Returning, now: Date) =>
  review(db, actor, id, { move: 'return', ...wish }, now)

type Review = { move: 'approve'; version: number } | ({ move: 'return' } & Returning)

async function review(db: Db, actor: Actor, id: string, wish: Review, now: Date): Promise<void> {
  const appointment = await transaction(db, async (tx) => {
    const sheet = await lockReport(tx, actor, id)
    const state = sheetMachine.next(wish.move, actor, sheet.facts)
    if (sheet.row?.version !== wish.version) refuse('aborted')
    const told =
      wish.move === 'return'
        ? { returnReason: wish.reason, redo: redoOf(sheet, wish.redo) }
        : { returnReason: null, redo: {} }
    if (wish.move === 'return') await assertAuthor(tx, sheet)
    else assertWhole(sheet)
    await tx
      .update(sheets)
      .set({ ...told, state, reviewedAt: now, reviewedBy: actor.id, version: wish.version + 1 })
      .where(eq(sheets.appointmentId, id))
    await record(tx, {
      ...{ entity: 'sheet', entityId: id, actorId: actor.id, name: wish.move },
      ...{ fromState: sheet.facts.state, toState: state, reason: told.returnReason },
      ...(wish.move === 'return' && { data: { redo: Object.keys(told.redo) } }),
    })
    if (wish.move === 'approve' && sheet.kind === 'installation') await handOver(tx, sheet, now)
    if (wish.move === 'return')
      await enqueue(tx, 'letter', { letter: 'sheet_returned', appointmentId: id, to: 'person' })
    return sheet.appointment
  })
  announce(db, { people: affectedUserIds(appointment) })
}

/** What an approved record gives its customer, and asks of them: the warranty from the day of the work, the letter with the document, the balance. */
async function handOver(tx: Tx, { appointment, row }: LockedReport, now: Date): Promise<void> {
  const { finishedAt, id, projectId } = appointment
  // Records sent before approval decided have their warranty, and their customers a letter.
  const isFirst = row?.warrantyUntil == null
  if (isFirst) {
    const warrantyUntil = warrantyAfter(finishedAt ?? now)
    await tx.update(sheets).set({ warrantyUntil }).where(eq(sheets.appointmentId, id))
    await tellFinished(tx, id)
  }
  await createBalanceCharge(tx, projectId, now)
}

/** What is to be given anew, with what it is now. */
function redoOf({ files, kind, rows }: LockedReport, names: readonly string[]): Redo {
  const known = names.filter((name) => questionOf(kind, name) ?? slotsOf[kind].includes(name))
  return Object.fromEntries(known.map((name) => [name, standsAs(files, rows, name)]))
}

/** A correction may have taken an answer away. */
function assertWhole({ answers, files, kind }: LockedReport): void {
  const missing = missingIn(kind, answers, storedSlots(files))
  const first = missing.find(({ unsafe }) => unsafe) ?? missing[0]
  if (first?.unsafe)
    refuse(
      'failed-precondition',
      `No se aprueba. ${first.label}: ${first.message} Devuélvelo para que se repare y se pruebe otra vez.`,
    )
  if (first) refuse('failed-precondition', `Antes de aprobarlo, corrige «${first.label}»: ${first.message}`)
}

/** Somebody who left can't complete anything. */
async function assertAuthor(tx: Tx, { facts }: LockedReport) {
  if (await isThere(tx, facts)) return
  refuse('failed-precondition', 'Su técnico ya no trabaja aquí. Corrige tú el reporte y apruébalo.')
}
