import { and, eq, sql } from 'drizzle-orm'
import { type Actor, assertCustomer, isOffice } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { visibleTo } from '../appointments/visibility.ts'
import { bringPermit } from '../cfe/open.ts'
import { announceCase, type CaseRow } from '../cfe/rows.ts'
import {
  attachInstead,
  documentOfProject,
  keepPapers,
  type Taken,
  takeDocument,
} from '../documents/documents.ts'
import { lockProject } from '../payments/rows.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { notifyReady } from './conditions.ts'
import { openProjectOf } from './open-project.ts'

/** The permit received of a customer's condominium; null where there is none. */
export async function ownPermit(db: Db, actor: Actor) {
  const project = await openProjectOf(db, actor)
  return project && documentOfProject(db, actor, project.id, 'condominium_permit')
}

/**
 * A customer uploads their condominium's permit, or replaces it. With it the installation may be ready; the same paper
 * sent twice is one change.
 */
export async function handInPermit(db: Db, drive: Drive, actor: Actor, file: File, now: Date): Promise<void> {
  assertCustomer(actor)
  const project = await openProjectOf(db, actor)
  if (!project?.permitNeeded) return refuse('failed-precondition', 'Tu instalación no necesita ese permiso.')
  const projectId = project.id
  const about = { purpose: 'condominium_permit', customerId: actor.id, projectId } as const
  const taken = await takeDocument(db, drive, actor, { ...about, file, field: 'permit' })
  const change = () =>
    transaction(db, async (tx) => {
      const held = await lockProject(tx, projectId)
      if (held.closedAt || !held.permitNeeded) refuse('aborted')
      return receivePermit(tx, actor, { ...taken, projectId }, now)
    })
  const cases = await keepPapers({ db, drive }, [taken], now, change)
  announce(db, { people: [actor.id, projectId] })
  for (const one of cases) announceCase(db, one)
}

/**
 * Whether the project of a technical visit needs a permit and which one came in, for the office; null for others, and
 * where none is needed.
 */
export async function permitAfterVisit(db: Db, actor: Actor, appointmentId: string) {
  if (!isId(appointmentId) || !isOffice(actor)) return null
  const [project] = await db
    .select({ id: projects.id })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .where(
      and(
        eq(appointments.id, appointmentId),
        eq(appointments.service, 'technical_visit'),
        eq(projects.permitNeeded, true),
        visibleTo(actor),
      ),
    )
  return project ? { document: await documentOfProject(db, actor, project.id, 'condominium_permit') } : null
}

export type PermitAfterVisit = Awaited<ReturnType<typeof permitAfterVisit>>

/**
 * The condominium's permit of a project whose row is locked came in or was replaced, wherever it was uploaded: it
 * counts for the installation, which may be ready with it, and for the open cases with CFE. Returns the changed cases.
 */
export async function receivePermit(
  tx: Tx,
  actor: Actor,
  taken: Taken & { projectId: string },
  now: Date,
): Promise<CaseRow[]> {
  const { projectId } = taken
  const documentId = await attachInstead(tx, taken, now)
  const cases = await bringPermit(tx, actor, { projectId, documentId }, now)
  if (documentId !== taken.id) return cases
  await tx
    .update(projects)
    .set({ permitReceivedAt: sql`coalesce(${projects.permitReceivedAt}, ${now})` })
    .where(eq(projects.id, projectId))
  await record(tx, {
    entity: 'project',
    entityId: projectId,
    actorId: actor.id,
    name: 'permit',
    data: { documentId },
  })
  await notifyReady(tx, projectId)
  return cases
}
