import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Queryable, Tx } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { conditions, events, projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import type { Condition, ConditionKind, Finding } from '../reports/rules/report.ts'

/** The conditions of a project of a query, as a column of it. */
export const conditionsHere: SQL<Condition[]> = sql<Condition[]>`(
  select coalesce(json_agg(json_build_object('kind', kind, 'limitAmps', limit_amps, 'heldAmps', held_amps,
    'isMet', met_at is not null, 'blocksBooking', blocks_booking and exists (select from cfe_cases
      where cfe_cases.project_id = conditions.project_id and cfe_cases.kind <> 'name_change')) order by kind), '[]')
  from conditions where conditions.project_id = ${projects.id})`

/** The conditions of a project. The caller has checked access. */
export async function conditionsOf(db: Queryable, projectId: string): Promise<Condition[]> {
  const [row] = await db
    .select({ conditions: conditionsHere })
    .from(projects)
    .where(eq(projects.id, projectId))
  return row?.conditions ?? []
}

/**
 * Keeps what an approved visit found. What the visit before found and this one does not is met: the home was measured
 * again. What a visit finds twice stays as it is.
 */
export async function noteConditions(
  tx: Tx,
  actor: Pick<Actor, 'id'>,
  { found, projectId, visitId, ...mailed }: Found,
  now: Date,
): Promise<void> {
  const before = await conditionsOf(tx, projectId)
  for (const finding of found) {
    const again = { visitId, ...finding, metAt: null, metBy: null, heldAmps: null }
    await tx
      .insert(conditions)
      .values({ projectId, ...again, createdAt: now })
      .onConflictDoUpdate({
        target: [conditions.projectId, conditions.kind],
        set: again,
        // A second meter that CFE installed stays.
        setWhere: sql`${conditions.visitId} <> ${visitId} and (${conditions.metAt} is null or ${conditions.kind} <> 'second_meter')`,
      })
  }
  for (const { isMet, kind } of before)
    if (!isMet && !found.some((one) => one.kind === kind))
      await meetCondition(tx, { actorId: actor.id, kind, projectId, how: 'visit', ...mailed }, now)
}

type Found = { found: readonly Finding[]; projectId: string; visitId: string; isMailed?: boolean }

type Meeting = {
  projectId: string
  kind: ConditionKind
  actorId: string | null
  /** By what it was met, for the history. */
  how: 'visit' | 'case' | 'record' | 'office'
  isMailed?: boolean
}

/** A condition of a project is met, once; with it the installation may be ready. */
export async function meetCondition(
  tx: Tx,
  { actorId, how, isMailed, kind, projectId }: Meeting,
  now: Date,
): Promise<void> {
  const open = and(eq(conditions.projectId, projectId), eq(conditions.kind, kind), isNull(conditions.metAt))
  const met = await tx.update(conditions).set({ metAt: now, metBy: actorId }).where(open).returning()
  if (met.length === 0) return
  await record(tx, {
    entity: 'project',
    entityId: projectId,
    actorId,
    name: 'condition_met',
    data: { kind, how },
  })
  await notifyReady(tx, projectId, { isMailed })
}

/** The charger was approved at a current that the home bears while its condition is open. */
export async function holdByLimit(tx: Tx, projectId: string, heldAmps: number): Promise<void> {
  const open = and(eq(conditions.projectId, projectId), isNull(conditions.metAt))
  await tx
    .update(conditions)
    .set({ heldAmps })
    .where(and(open, sql`${conditions.limitAmps} >= ${heldAmps}`))
}

/**
 * Notifies a customer, once for each acceptance, that the installation can be booked; the project's row is locked.
 * `isMailed`: another e-mail of this event says so.
 */
export async function notifyReady(
  tx: Tx,
  id: string,
  { isMailed }: { isMailed?: boolean | undefined } = {},
): Promise<void> {
  const [project] = await tx
    .select({ quoteAcceptedAt: projects.quoteAcceptedAt })
    .from(projects)
    .where(and(eq(projects.id, id), sql`is_ready(projects)`))
  if (!project?.quoteAcceptedAt) return
  const acceptedAt = project.quoteAcceptedAt.toISOString()
  const notified = and(eq(events.entity, 'project'), eq(events.entityId, id), eq(events.name, 'ready'))
  const [known] = await tx
    .select({ id: events.id })
    .from(events)
    .where(and(notified, sql`${events.data} ->> 'acceptedAt' = ${acceptedAt}`))
    .limit(1)
  if (known) return
  await record(tx, { entity: 'project', entityId: id, actorId: null, name: 'ready', data: { acceptedAt } })
  if (!isMailed) await enqueue(tx, 'letter', { letter: 'installation_ready', projectId: id, to: 'customer' })
}

/** The office's task to raise a limited charger, which was left at some amperes. */
export const raiseTask = (amps: number) => ({
  subject: `CFE ya dio la carga: agenda con el cliente subir la corriente de su cargador, que quedó a ${amps}\u00a0A.`,
  reason: 'load_granted',
})
