import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, assertCustomer } from '../access/rules/actor.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments, faults, files, sheets } from '../platform/database/schema/appointments.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer } from '../projects/open-project.ts'
import type { FaultReport } from '../reports/rules/schema.ts'
import { isUnderWarranty } from '../reports/rules/warranty.ts'
import { refuse } from '../shared/refusal.ts'
import { activeStates, affectedUserIds } from './rules/appointment.ts'
import { type AppointmentRow, lockAppointment } from './transition.ts'
import { stateIn } from './visibility.ts'

type Report = Pick<FaultReport, 'appointmentId' | 'faultId' | 'description'>

/**
 * A customer reports a fault of their installation: an urgent call, and an e-mail. Sent again, it is the same report.
 */
export async function reportFault(db: Db, actor: Actor, report: Report, now: Date): Promise<void> {
  assertCustomer(actor)
  const held = await transaction(db, async (tx) => {
    const installation = await lockAppointment(tx, actor, report.appointmentId)
    if (await isReported(tx, actor, report)) return null
    await refuseWithoutWarranty(tx, installation, now)
    const { appointmentId, description, faultId: id } = report
    const visitId = await visitOnItsWay(tx, installation)
    const [made] = await tx
      .insert(faults)
      .values({ id, appointmentId, customerId: actor.id, description, visitId })
      .onConflictDoNothing()
      .returning()
    if (!made) refuse('already-exists', 'Ya tenemos un reporte tuyo abierto. Agrégale fotos ahí mismo.')
    await record(tx, {
      entity: 'fault',
      entityId: id,
      actorId: actor.id,
      name: 'report',
      data: { appointmentId },
    })
    const subject = `Garantía: falla reportada en la instalación ${installation.folio}`
    await askToCallCustomer(tx, installation, { subject, reason: 'fault' })
    await enqueue(tx, 'letter', { letter: 'fault_received', appointmentId, to: 'customer' })
    return installation
  })
  if (held) announce(db, { people: affectedUserIds(held) })
}

async function isReported(tx: Tx, actor: Actor, { appointmentId, faultId }: Report): Promise<boolean> {
  const [known] = await tx.select().from(faults).where(eq(faults.id, faultId))
  if (!known) return false
  if (known.customerId !== actor.id || known.appointmentId !== appointmentId) refuse('not-found')
  return true
}

async function refuseWithoutWarranty(tx: Tx, { id }: AppointmentRow, now: Date) {
  const [sheet] = await tx
    .select({ until: sheets.warrantyUntil })
    .from(sheets)
    .where(eq(sheets.appointmentId, id))
  if (!isUnderWarranty(sheet?.until ?? null, now))
    refuse('failed-precondition', 'Tu garantía ya terminó. Escríbenos y vemos cómo ayudarte.')
}

/** A visit that is already booked answers it. */
async function visitOnItsWay(tx: Tx, { projectId }: AppointmentRow): Promise<string | null> {
  const [visit] = await tx
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      and(
        eq(appointments.projectId, projectId),
        eq(appointments.service, 'technical_visit'),
        stateIn(activeStates),
      ),
    )
  return visit?.id ?? null
}

/** A part of the statement that books a visit ("booked"): it answers its customer's open faults. */
export const answerFaults = `update faults set visit_id = booked.id, version = faults.version + 1, updated_at = now()
    from booked, appointments installation where installation.customer_id = :customerId
      and faults.appointment_id = installation.id and faults.closed_at is null`

/** The report of the visit for a fault was sent: the fault is closed. */
export async function closeFaults(
  tx: Tx,
  { id: actorId }: Pick<Actor, 'id'>,
  visitId: string,
  now: Date,
): Promise<void> {
  const closed = await tx
    .update(faults)
    .set({ closedAt: now, version: sql`${faults.version} + 1` })
    .where(and(eq(faults.visitId, visitId), isNull(faults.closedAt)))
    .returning({ id: faults.id })
  for (const { id } of closed)
    await record(tx, { entity: 'fault', entityId: id, actorId, name: 'close', data: { visitId } })
}

const visit = alias(appointments, 'visit')

const told = {
  id: faults.id,
  appointmentId: faults.appointmentId,
  description: faults.description,
  createdAt: faults.createdAt,
  closedAt: faults.closedAt,
  visit: { id: visit.id, folio: visit.folio, state: visit.state, startsAt: visit.startsAt },
}

/** What a customer reported of an installation of theirs, the latest first, each with its photos and the visit that answers it. */
export async function ownFaults(db: Queryable, { id }: Actor, appointmentId: string) {
  const rows = await db
    .select(told)
    .from(faults)
    .leftJoin(visit, eq(visit.id, faults.visitId))
    .where(and(eq(faults.customerId, id), eq(faults.appointmentId, appointmentId)))
    .orderBy(desc(faults.createdAt))
  return withPhotos(db, rows)
}

/** The faults that a visit answers, or that were reported of an installation; the caller has checked access. */
export async function faultsAbout(db: Queryable, appointmentId: string) {
  const rows = await db
    .select(told)
    .from(faults)
    .leftJoin(visit, eq(visit.id, faults.visitId))
    .where(or(eq(faults.visitId, appointmentId), eq(faults.appointmentId, appointmentId)))
    .orderBy(desc(faults.createdAt))
  return withPhotos(db, rows)
}

/** Since when a customer's fault is open, in any project; null when none is. */
export async function openFaultSince(
  db: Queryable,
  customerId: string,
  projectId: string,
): Promise<Date | null> {
  const [open] = await db
    .select({ since: faults.createdAt })
    .from(faults)
    .innerJoin(appointments, eq(appointments.id, faults.appointmentId))
    .where(
      and(eq(faults.customerId, customerId), eq(appointments.projectId, projectId), isNull(faults.closedAt)),
    )
    .orderBy(asc(faults.createdAt))
    .limit(1)
  return open?.since ?? null
}

/** Since when a fault is open in some projects, by project; those without one are absent. */
export async function openFaultsOf(db: Queryable, projectIds: readonly string[]): Promise<Map<string, Date>> {
  const rows = await db
    .select({
      projectId: appointments.projectId,
      since: sql<Date>`min(${faults.createdAt})`.mapWith(faults.createdAt),
    })
    .from(faults)
    .innerJoin(appointments, eq(appointments.id, faults.appointmentId))
    .where(and(inArray(appointments.projectId, [...projectIds]), isNull(faults.closedAt)))
    .groupBy(appointments.projectId)
  return new Map(rows.map(({ projectId, since }) => [projectId, since]))
}

async function withPhotos<Row extends { id: string }>(db: Queryable, rows: readonly Row[]) {
  if (rows.length === 0) return []
  const { arrivedAt, capturedAt, faultId, height, id, keptBecause, sha256, slot, width } = files
  const photos = await db
    .select({ id, slot, sha256, width, height, capturedAt, arrivedAt, keptBecause, faultId })
    .from(files)
    .where(
      and(
        inArray(
          faultId,
          rows.map((row) => row.id),
        ),
        isNull(files.replacedAt),
      ),
    )
    .orderBy(asc(slot))
  return rows.map((row) => ({ ...row, photos: photos.filter((photo) => photo.faultId === row.id) }))
}

export type Fault = Awaited<ReturnType<typeof ownFaults>>[number]
