import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { tasks } from '../platform/database/schema/office-schema.ts'
import { addresses } from '../platform/database/schema/project-schema.ts'

/** Who does what must be done by hand. */
export const takesTasks = (actor: Pick<Actor, 'kind'>) => actor.kind === 'manager' || actor.kind === 'analyst'

/** The reason of a task that asks whether we reach a home; it is answered by a yes or a no. */
export const areaReason = 'coverage'

const shownAtOnce = 50

/** What waits to be done by hand, what is urgent first, then the oldest; nothing for those who can't take it. `total` counts all of it. */
export async function openTasks(db: Db, actor: Actor) {
  if (!takesTasks(actor)) return { rows: [], total: 0 }
  const rows = await db
    .select({
      id: tasks.id,
      subject: tasks.subject,
      reason: tasks.reason,
      /** The home that is asked about. */
      home: addresses,
      phone: tasks.phone,
      urgent: tasks.urgent,
      appointment: { id: appointments.id, service: appointments.service },
      quoteId: tasks.quoteId,
      createdAt: tasks.createdAt,
      person: users.fullName,
      total: sql<number>`count(*) over ()::int`,
    })
    .from(tasks)
    .leftJoin(users, eq(users.id, tasks.personId))
    .leftJoin(appointments, eq(appointments.id, tasks.appointmentId))
    .leftJoin(
      addresses,
      and(
        eq(tasks.reason, areaReason),
        eq(addresses.projectId, tasks.projectId),
        eq(addresses.area, 'to_verify'),
        isNull(addresses.archivedAt),
      ),
    )
    .where(isNull(tasks.doneAt))
    .orderBy(desc(tasks.urgent), asc(tasks.dueAt), asc(tasks.id))
    .limit(shownAtOnce)
  return { rows: rows.map(({ total, ...task }) => task), total: rows[0]?.total ?? 0 }
}
