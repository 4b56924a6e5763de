import { and, eq, isNull } from 'drizzle-orm'
import { type Actor, isCustomer, isOffice } from '../access/rules/actor.ts'
import { type Db, isId, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import type { ProjectOwner } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { personStatusOf } from '../users/queries.ts'
import { managesPeople } from '../users/rules/user.ts'
import { projectFile, projectHeadsOf } from './queries.ts'
import { areaReason, takesTasks } from './tasks.ts'

/**
 * Everything about one customer on one page, as far as the actor may see it: who they are, all their projects with their
 * homes, and one of the projects in full, `wanted` or else the open one. Null for a customer whom the actor may not see:
 * the manager sees all, the others those of a project that they find in the list of projects. Of a customer who was
 * merged it is that of the one that stands.
 */
export async function customerFile(
  db: Db,
  actor: Actor,
  customerId: string,
  wanted: string | null,
  now: Date,
) {
  if (!isId(customerId)) return null
  const read = (id: string) =>
    Promise.all([db.select(contact).from(users).where(eq(users.id, id)), projectHeadsOf(db, actor, id)])
  const asked = await read(customerId)
  const standsFor = asked[0][0]?.mergedIntoId
  const [[person], own] = standsFor ? await read(standsFor) : asked
  if (!person) return null
  const { deletedAt, mergedIntoId, ...shown } = person
  const isKnown = managesPeople(actor) && isCustomer(shown) && deletedAt === null
  if (own.length === 0 && !isKnown) return null
  const chosen = own.find(({ id }) => id === wanted) ?? own[0]
  const [project, access, areaTask] = await Promise.all([
    chosen ? projectFile(db, actor, chosen, now) : null,
    isCustomer(shown) && shown.active ? personStatusOf(db, actor, person.id, now) : null,
    chosen ? areaTaskOf(db, actor, chosen.id) : null,
  ])
  const office = isOffice(actor)
  return {
    ...shown,
    emailVerified: office ? shown.emailVerified : null,
    /** What the manager corrects; null for others, and for an account that is closed. */
    access,
    projects: own.map(({ address, createdAt, id, stored: { stage } }) => ({ id, createdAt, address, stage })),
    project,
    areaTask,
    isOffice: office,
  }
}

export type CustomerFile = NonNullable<Awaited<ReturnType<typeof customerFile>>>

const contact = {
  id: users.id,
  name: users.name,
  lastname: users.lastname,
  email: users.email,
  emailVerified: users.emailVerified,
  phone: users.phone,
  role: users.role,
  active: users.active,
  createdAt: users.createdAt,
  deletedAt: users.deletedAt,
  mergedIntoId: users.mergedIntoId,
  version: users.version,
}

/** The task that asks whether we reach the project's home; null where there is none, or it is not the actor's. */
export async function areaTaskOf(db: Db, actor: Actor, projectId: string): Promise<string | null> {
  if (!takesTasks(actor)) return null
  const open = and(eq(tasks.projectId, projectId), eq(tasks.reason, areaReason), isNull(tasks.doneAt))
  const [task] = await db.select({ id: tasks.id }).from(tasks).where(open).limit(1)
  return task?.id ?? null
}

/** The reason of a task that records a call with a customer; it is done when it is written. */
const callReason = 'customer_call'

/** Records what was said in a call with a customer. */
export async function noteCustomerCall(
  db: Db,
  actor: Actor,
  { id, projectId = null }: ProjectOwner,
  result: string,
  now: Date,
): Promise<void> {
  if (!takesTasks(actor)) refuse('permission-denied')
  const file = await customerFile(db, actor, id, projectId, now)
  if (!file) return refuse('not-found')
  await transaction(db, async (tx) => {
    const about = { personId: file.id, projectId: file.project?.id ?? null, reason: callReason }
    const done = { doneAt: now, takenBy: actor.id, result }
    const [made] = await tx
      .insert(tasks)
      .values({ ...about, ...done, subject: 'Llamada con el cliente' })
      .returning({ id: tasks.id })
    await record(tx, { entity: 'task', entityId: made!.id, actorId: actor.id, name: 'close', reason: result })
  })
  announce(db, { people: [] })
}
