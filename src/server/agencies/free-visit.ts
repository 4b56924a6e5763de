import { and, eq, isNull, sql } from 'drizzle-orm'
import { cancelRows, followSums } from '../payments/follow.ts'
import type { Queryable, Tx } from '../platform/database/database.ts'
import { clients, codes } from '../platform/database/schema/agencies.ts'
import { payments } from '../platform/database/schema/money-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'

/** Whether its customer's code makes the visits of a project free; what a code gives is for one project. */
export async function hasFreeVisit(db: Queryable, projectId: string): Promise<boolean> {
  const isElsewhere = sql`exists (select from clients other where other.customer_id = ${projects.customerId}
    and other.benefit_project_id is not null and other.benefit_project_id <> ${projects.id})`
  const [given] = await db
    .select({ id: clients.id })
    .from(projects)
    .innerJoin(clients, and(eq(clients.customerId, projects.customerId), isNull(clients.endedAt)))
    .innerJoin(codes, eq(codes.id, clients.codeId))
    .where(and(eq(projects.id, projectId), eq(codes.benefitKind, 'free_visit'), sql`not ${isElsewhere}`))
  return given !== undefined
}

/** Asks no more for visits' fees that were not paid, of projects that are held: a code made them free. */
export async function cancelFees(tx: Tx, projectIds: readonly string[], now: Date): Promise<void> {
  for (const projectId of projectIds) {
    const unpaid = and(
      eq(payments.projectId, projectId),
      eq(payments.concept, 'visit_fee'),
      eq(payments.state, 'pending'),
    )
    if ((await tx.$count(payments, unpaid)) === 0) continue
    await cancelRows(tx, unpaid, 'Tu código incluye la visita.', now)
    await followSums(tx, projectId, { reason: 'Tu código incluye la visita.' }, now)
  }
}
