import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/actor.ts'
import { refuse } from '../../domain/refusal.ts'
import { visibleTo } from '../appointments/visible.ts'
import { appointments } from '../database/appointment-schema.ts'
import { type Db, type Tx, transaction } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { projects } from '../database/project-schema.ts'
import { attachInstead, type Taken, takeDocument } from '../documents/intake.ts'
import { documentOfProject } from '../documents/queries.ts'
import { record } from '../events/changes.ts'
import type { Drive } from '../files/drive.ts'
import { announce } from '../live/announcements.ts'
import { tellReady } from '../payments/follow.ts'
import { holdProject } from '../payments/rows.ts'
import { openProjectOf } from './queries.ts'

/** The permit of a customer's condominium that is in; null where none is. */
export async function ownPermit(db: Db, actor: Actor) {
  const project = await openProjectOf(db, actor.id)
  return project && documentOfProject(db, actor, project.id, 'condominium_permit')
}

/**
 * A customer hands in their condominium's permit, or another one in its place. With it the installation may be ready; the
 * same paper sent twice is one change.
 */
export async function handInPermit(db: Db, drive: Drive, actor: Actor, file: File, now: Date): Promise<void> {
  if (actor.role !== 'customer') refuse('permission-denied')
  const project = await openProjectOf(db, actor.id)
  if (!project?.permitNeeded) return refuse('failed-precondition', 'Tu instalación no necesita ese permiso.')
  const about = { purpose: 'condominium_permit', customerId: actor.id, projectId: project.id } as const
  const taken = await takeDocument(db, drive, actor, { ...about, file, field: 'permit' })
  await transaction(db, (tx) => keep(tx, actor, project.id, taken, now))
  announce(db, { people: [actor.id, project.id] })
}

async function keep(tx: Tx, actor: Actor, projectId: string, taken: Taken, now: Date): Promise<void> {
  const held = await holdProject(tx, projectId)
  if (held.closedAt || !held.permitNeeded) refuse('aborted')
  if ((await attachInstead(tx, taken, now)) !== taken.id) return
  const [project] = await tx
    .update(projects)
    .set({ permitReceivedAt: sql`coalesce(${projects.permitReceivedAt}, ${now})` })
    .where(eq(projects.id, projectId))
    .returning()
  await record(tx, {
    ...{ entity: 'project', entityId: projectId, actorId: actor.id, name: 'permit' },
    data: { documentId: taken.id },
  })
  await tellReady(tx, project!)
}

/** Of the project of a technical visit, whether it needs a permit and what came in, for the office; null for others, and where none is needed. */
export async function permitAfterVisit(db: Db, actor: Actor, appointmentId: string) {
  if (!isId(appointmentId) || (actor.kind !== 'manager' && actor.kind !== 'analyst')) return null
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
