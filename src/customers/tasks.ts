import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { isOffice } from '../access/rules/actor.ts'
import { permitReason } from '../cfe/permit.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { countBeside, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { addresses, projects, tasks } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'
import { claimReason } from '../projects/open-project.ts'
import { countOf } from '../shared/count.ts'
import { refuse } from '../shared/refusal.ts'

/** Who handles manual tasks. */
export const takesTasks = isOffice

/** The reason of a task that asks whether we reach a home; it is answered by a yes or a no. */
export const areaReason = 'coverage'

/** The reason of a task that asks for the next version of a quote; sending that closes it. */
export const changesReason = 'quote_changes'

/** The reasons of tasks about a quote whose customer answered it: until they are closed it is not listed to be quoted. */
export const requoteReasons = [changesReason, 'quote_rejected']

/** A customer asks for another quote of their installation: it is among those to quote, and no task. */
const isOpen = sql`${tasks.doneAt} is null and not (${tasks.reason} = 'quote_renewal'
  and exists (select from ${quotes} asked join projects on projects.id = asked.project_id
    where asked.id = ${tasks.quoteId} and asked.kind = 'installation' and projects.closed_at is null))`
const isUrgent = sql`${isOpen} and ${tasks.urgent}`
const isChange = sql`${isOpen} and not ${tasks.urgent} and ${tasks.reason} = ${sql.raw(`'${changesReason}'`)}`

/** How many there are in all, urgent, and about a quote to change. */
const counts = {
  total: countBeside(tasks, isOpen),
  urgents: countBeside(tasks, isUrgent),
  changes: countBeside(tasks, isChange),
}

/** The quote that its customer wants to have changed. */
const changedQuote = {
  appointmentId: quotes.appointmentId,
  folio: quotes.folio,
  revision: quotes.revision,
  reason: quotes.reason,
}

const openColumns = {
  id: tasks.id,
  subject: tasks.subject,
  reason: tasks.reason,
  /** The home in question. */
  home: addresses,
  phone: tasks.phone,
  urgent: tasks.urgent,
  appointment: { id: appointments.id, service: appointments.service },
  quoteId: tasks.quoteId,
  quote: changedQuote,
  createdAt: tasks.createdAt,
  person: users.fullName,
  personId: users.id,
  counts,
}

const shownAtOnce = 50

/** Open manual tasks, urgent ones first, then those about a quote, then the oldest; none for those who cannot take them. */
export async function openTasks(db: Db, actor: Actor, most = shownAtOnce) {
  if (!takesTasks(actor)) return { rows: [], count: countOf(0), urgents: 0, changes: 0 }
  const rows = await db
    .select(openColumns)
    .from(tasks)
    .leftJoin(users, eq(users.id, tasks.personId))
    .leftJoin(appointments, eq(appointments.id, tasks.appointmentId))
    .leftJoin(quotes, and(eq(tasks.reason, changesReason), eq(quotes.id, tasks.quoteId)))
    .leftJoin(
      addresses,
      and(
        eq(tasks.reason, areaReason),
        eq(addresses.projectId, tasks.projectId),
        eq(addresses.area, 'to_verify'),
        isNull(addresses.archivedAt),
      ),
    )
    .where(isOpen)
    .orderBy(
      desc(tasks.urgent),
      sql`(${tasks.reason} = ${changesReason}) desc`,
      asc(tasks.dueAt),
      asc(tasks.id),
    )
    .limit(most)
  const { changes = 0, total = 0, urgents = 0 } = rows[0]?.counts ?? {}
  return {
    rows: rows.map(({ counts: _, ...task }) => task),
    count: countOf(total),
    urgents,
    changes,
  }
}

/** Closes a task with its outcome; a second user is refused because it is done. */
export async function closeTask(
  db: Db,
  actor: Actor,
  { taskId, result }: { taskId: string; result: string },
  now: Date,
): Promise<void> {
  if (!takesTasks(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const [task] = await tx.select({ reason: tasks.reason }).from(tasks).where(eq(tasks.id, taskId))
    if (task?.reason === claimReason)
      refuse('failed-precondition', 'Aquí decide la gerencia si la cita se reabre.')
    const [done] = await tx
      .update(tasks)
      .set({ doneAt: now, takenBy: actor.id, result })
      .where(and(eq(tasks.id, taskId), isNull(tasks.doneAt)))
      .returning({ reason: tasks.reason, projectId: tasks.projectId })
    if (!done) return refuse('failed-precondition', 'Alguien más ya lo atendió.')
    if (done.reason === permitReason && (await waitsForReview(tx, done.projectId)))
      refuse('failed-precondition', 'Di en la página de la visita si el permiso sirve.')
    if (done.reason === areaReason && (await waitsForAnswer(tx, done.projectId)))
      refuse('failed-precondition', 'Di si llegamos o no a su domicilio.')
    await record(tx, { entity: 'task', entityId: taskId, actorId: actor.id, name: 'close', reason: result })
  })
  announce(db, { people: [] })
}

/** Whether a project's permit still waits for its reviewer. */
const waitsForReview = async (tx: Tx, projectId: string | null) =>
  (await tx.$count(
    projects,
    and(
      eq(projects.id, projectId ?? ''),
      isNotNull(projects.permitReceivedAt),
      isNull(projects.permitValidAt),
    ),
  )) > 0

/** Whether a project's current home still waits for the answer whether we serve it. */
async function waitsForAnswer(tx: Tx, projectId: string | null): Promise<boolean> {
  if (!projectId) return false
  const here = and(eq(addresses.projectId, projectId), isNull(addresses.archivedAt))
  const [home] = await tx.select({ area: addresses.area }).from(addresses).where(here)
  return home?.area === 'to_verify'
}
