import { and, eq, isNull, ne } from 'drizzle-orm'
import { type Actor, isItsCustomer, isTechnician } from '../access/rules/actor.ts'
import { takenFrom } from '../appointments/authorship.ts'
import { appointmentMachine, isTakenAway } from '../appointments/rules/transitions.ts'
import { type AppointmentRow, factsOf, lastChangeOf, lockAppointment } from '../appointments/transition.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { faults, files, sheets } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import { type Drive, keysOf } from '../platform/storage/drive.ts'
import { refuse } from '../shared/refusal.ts'
import { sheetFactsOf } from './rows.ts'
import { extraSlots, faultSlots, isSignature, noShowSlot, samePictureWords, slotsOf } from './rules/photos.ts'
import { sheetKindOf, sheetMachine } from './rules/report.ts'

type NewFile = typeof files.$inferInsert & { capturedAt: Date }

/**
 * Writes the row of a picture: current, if it was taken later than the slot's picture, else already replaced. Returns
 * the keys of the one no longer needed.
 */
export async function takeSlot(tx: Tx, file: NewFile, now: Date): Promise<string[]> {
  const [before] = await tx
    .select()
    .from(files)
    .where(
      and(
        eq(files.appointmentId, file.appointmentId),
        eq(files.slot, file.slot),
        file.faultId ? eq(files.faultId, file.faultId) : isNull(files.faultId),
        isNull(files.replacedAt),
      ),
    )
  const isLater = !before || takenBefore(before, file)
  if (before && isLater) await tx.update(files).set({ replacedAt: now }).where(eq(files.id, before.id))
  await tx.insert(files).values({ ...file, replacedAt: isLater ? null : now })
  const gone = isLater ? before : file
  return gone ? Object.values(keysOf(gone)) : []
}

/** Two taken in the same millisecond are still ordered. */
const takenBefore = (one: Pick<NewFile, 'id' | 'capturedAt'>, other: Pick<NewFile, 'id' | 'capturedAt'>) =>
  (one.capturedAt.getTime() - other.capturedAt.getTime() || (one.id < other.id ? -1 : 1)) < 0

/**
 * Each photo of a sheet shows something different: the same picture in another slot is refused. A signed paper may
 * carry both signatures.
 */
export async function refuseTwin(
  tx: Tx,
  { id, service }: Pick<AppointmentRow, 'id' | 'service'>,
  slot: string,
  sentSha256: string,
): Promise<void> {
  const kind = sheetKindOf[service]
  const isPhoto = (one: string) => kind !== null && slotsOf[kind].includes(one) && !isSignature(one)
  if (kind === null || !isPhoto(slot)) return
  const same = await tx
    .select({ slot: files.slot })
    .from(files)
    .where(
      and(
        eq(files.appointmentId, id),
        eq(files.sentSha256, sentSha256),
        ne(files.slot, slot),
        isNull(files.replacedAt),
      ),
    )
  const twin = same.find((one) => isPhoto(one.slot))
  if (twin) refuse('already-exists', samePictureWords(kind, twin.slot))
}

/** Removes one of the additional photos. A missing one counts as removed. */
export async function dropFile(
  db: Db,
  drive: Drive,
  actor: Actor,
  { appointmentId, id }: { appointmentId: string; id: string },
  now: Date,
): Promise<void> {
  if (!isId(appointmentId) || !isId(id)) refuse('not-found')
  const gone = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, appointmentId)
    const [file] = await tx
      .select()
      .from(files)
      .where(and(eq(files.id, id), eq(files.appointmentId, appointmentId), isNull(files.replacedAt)))
    if (!file) return []
    await assertMayStore(tx, actor, held, file, now)
    if (!extraSlots.includes(file.slot))
      refuse('failed-precondition', 'Esta foto hace falta. Toma otra en su lugar.')
    await tx.update(files).set({ replacedAt: now }).where(eq(files.id, id))
    return Object.values(keysOf(file))
  })
  for (const key of gone) await drive.delete(key)
  announce(db, { people: [] })
}

type Place = { slot: string; faultId?: string | null; capturedAt: Date }

/** Refuses actors who may not put a picture into a slot of a locked appointment: each kind of slot has its rule. */
export async function assertMayStore(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  { capturedAt, faultId, slot }: Place,
  now: Date,
): Promise<void> {
  const kind = sheetKindOf[held.service]
  if (kind === null) refuse('invalid-argument', 'Esta cita no lleva fotos.')
  if (faultSlots.includes(slot)) return assertOwnFault(tx, actor, held, faultId)
  if (slot === noShowSlot) return assertNoShow(tx, actor, held, capturedAt, now)
  if (!slotsOf[kind].includes(slot)) refuse('invalid-argument', 'Esta cita no lleva esa foto.')
  await assertMayWrite(tx, actor, held)
}

/** Whoever may report a no-show now, or reported one on site before they knew that it was taken from them. */
async function assertNoShow(tx: Tx, actor: Actor, held: AppointmentRow, taken: Date, now: Date) {
  const facts = factsOf(held)
  const last = await lastChangeOf(tx, held.id)
  if (last && isTechnician(actor) && isTakenAway('noShow', actor, facts, last, taken)) return
  // The step by which they arrived may have been too old to count; the office still sees what they found.
  const isOnWay = facts.state === 'assigned' || facts.state === 'en_route'
  const arrived = isOnWay ? ({ ...facts, state: 'in_progress' } as const) : facts
  appointmentMachine.next('noShow', actor, arrived, now)
}

/** The author of the sheet, while it can be edited. */
async function assertMayWrite(tx: Tx, actor: Actor, held: AppointmentRow) {
  const [sheet] = await tx
    .select({ state: sheets.state })
    .from(sheets)
    .where(eq(sheets.appointmentId, held.id))
  const facts = { ...sheetFactsOf(held, sheet ?? null), takenFrom: await takenFrom(tx, held, actor) }
  sheetMachine.next('write', actor, facts)
}

/** The customer adds photos to a fault until it is closed. */
async function assertOwnFault(
  tx: Tx,
  actor: Actor,
  held: AppointmentRow,
  faultId: string | null | undefined,
) {
  if (!isItsCustomer(actor, held)) refuse('permission-denied')
  const [open] = await tx
    .select({ id: faults.id })
    .from(faults)
    .where(and(eq(faults.id, faultId ?? held.id), eq(faults.appointmentId, held.id), isNull(faults.closedAt)))
  if (!open) refuse('failed-precondition', 'Ese reporte de falla ya no está abierto.')
}
