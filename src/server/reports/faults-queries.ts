import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import type { Queryable } from '../platform/database/client.ts'
import { appointments, faults, files } from '../platform/database/schema/appointments.ts'

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

/** The faults that a visit answers, or that were reported of an installation; whoever asks has been let see it. */
export async function faultsAbout(db: Queryable, appointmentId: string) {
  const rows = await db
    .select(told)
    .from(faults)
    .leftJoin(visit, eq(visit.id, faults.visitId))
    .where(or(eq(faults.visitId, appointmentId), eq(faults.appointmentId, appointmentId)))
    .orderBy(desc(faults.createdAt))
  return withPhotos(db, rows)
}

/** Since when a customer's fault is open, wherever it is; null when none is. */
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

/** Since when a fault is open in some projects, by project; those without one are not there. */
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
