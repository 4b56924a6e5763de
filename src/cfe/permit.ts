import { and, eq, isNull, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { type Actor, assertCustomer, isOffice, isStaff } from '../access/rules/actor.ts'
import { visibleTo } from '../appointments/visibility.ts'
import {
  attachInstead,
  documentOfProject,
  keepPapers,
  type Taken,
  takeDocument,
} from '../documents/documents.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { projects, tasks } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { notifyReady } from '../projects/conditions.ts'
import { lockProject, openProjectOf } from '../projects/open-project.ts'
import { approvedVisit } from '../reports/prefilled.ts'
import { refuse } from '../shared/refusal.ts'
import { bringPermit } from './open.ts'
import { announceCase, type CaseRow } from './rows.ts'

/** The permit received of a customer's condominium; null where there is none. */
export async function ownPermit(db: Db, actor: Actor) {
  const project = await openProjectOf(db, actor)
  return project && documentOfProject(db, actor, project.id, 'condominium_permit')
}

/** A customer uploads their condominium's permit, or replaces it, to be reviewed; the same paper sent twice is one change. */
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
    .select({ id: projects.id, validAt: projects.permitValidAt, returned: projects.permitReturned })
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
  if (!project) return null
  return { ...project, document: await documentOfProject(db, actor, project.id, 'condominium_permit') }
}

export type PermitAfterVisit = Awaited<ReturnType<typeof permitAfterVisit>>

/**
 * The condominium's permit of a project whose row is locked came in or was replaced, wherever it was uploaded: it goes to
 * the open cases with CFE too. From staff it counts at once, from a customer once it is reviewed. Returns the changed cases.
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
  const before = await tx
    .select({ returned: projects.permitReturned })
    .from(projects)
    .where(eq(projects.id, projectId))
  // The same file again changes something only after a return, or from staff.
  if (documentId !== taken.id && !before[0]?.returned && !isStaff(actor)) return cases
  await tx
    .update(projects)
    .set({
      permitReceivedAt: sql`coalesce(${projects.permitReceivedAt}, ${now})`,
      permitValidAt: isStaff(actor) ? now : null,
      permitReturned: null,
    })
    .where(eq(projects.id, projectId))
  await record(tx, {
    entity: 'project',
    entityId: projectId,
    actorId: actor.id,
    name: 'permit',
    data: { documentId },
  })
  if (!isStaff(actor)) await askForReview(tx, projectId)
  else {
    await closeTask(tx, projectId, { doneAt: now, takenBy: actor.id, result: 'Permiso validado.' })
    await notifyReady(tx, projectId)
  }
  return cases
}

/** The reason of a task that asks to look at a permit: it is answered on the page of its visit. */
export const permitReason = 'permit'

/** Asks the office to look at a permit. */
async function askForReview(tx: Tx, projectId: string): Promise<void> {
  const visit = await approvedVisit(tx, projectId)
  if (!visit) return
  const { customerId: personId, id: appointmentId } = visit
  const subject = 'Revisa el permiso del condominio: está en la página de la visita.'
  await closeTask(tx, projectId, { doneAt: sql`now()`, result: 'Llegó otro permiso.' })
  await tx.insert(tasks).values({ subject, reason: permitReason, personId, projectId, appointmentId })
}

const closeTask = (tx: Tx, projectId: string, how: PgUpdateSetSource<typeof tasks>) =>
  tx
    .update(tasks)
    .set(how)
    .where(and(eq(tasks.projectId, projectId), eq(tasks.reason, permitReason), isNull(tasks.doneAt)))

type PermitReview = {
  /** The file that was looked at: another one may have come since. */
  seen: string
  /** Why another one is asked for; null finds it right. */
  reason: string | null
}

/** The office finds the permit after a visit right, or asks its customer for another one. */
export async function reviewPermit(
  db: Db,
  actor: Actor,
  appointmentId: string,
  { reason, seen }: PermitReview,
  now: Date,
): Promise<void> {
  const { id } = (await permitAfterVisit(db, actor, appointmentId)) ?? refuse('not-found')
  const customerId = await transaction(db, async (tx) => {
    const project = await lockProject(tx, id)
    const document = await documentOfProject(tx, actor, id, 'condominium_permit')
    if (document?.id !== seen || !project.permitReceivedAt) refuse('aborted')
    await judgePermit(tx, actor, { projectId: id, reason }, now)
    return project.customerId
  })
  announce(db, { people: [customerId, id] })
}

/** Keeps what a reviewer found of the permit of a project, whose row is locked. */
export async function judgePermit(
  tx: Tx,
  actor: Actor,
  { isInCase = false, projectId, reason }: { projectId: string; reason: string | null; isInCase?: boolean },
  now: Date,
): Promise<void> {
  const found =
    reason === null
      ? { permitValidAt: now, permitReturned: null }
      : { permitValidAt: null, permitReceivedAt: null, permitReturned: reason }
  await tx.update(projects).set(found).where(eq(projects.id, projectId))
  const name = reason === null ? 'permit_valid' : 'permit_returned'
  await record(tx, { entity: 'project', entityId: projectId, actorId: actor.id, name, reason })
  const result = reason === null ? 'Permiso validado.' : 'Se pidió otro permiso.'
  await closeTask(tx, projectId, { doneAt: now, takenBy: actor.id, result })
  if (reason === null) await notifyReady(tx, projectId)
  // A case sends its own e-mail.
  else if (!isInCase) await enqueue(tx, 'letter', { letter: 'permit_returned', projectId, to: 'customer' })
}
