import { and, eq, sql } from 'drizzle-orm'
import { demandsAfter } from '../../domain/payments/ledger.ts'
import { record } from '../platform/database/changes.ts'
import type { Tx } from '../platform/database/database.ts'
import { payments } from '../platform/database/schema/money-schema.ts'
import { events } from '../platform/database/schema/office-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { proposeCredit } from './propose.ts'
import { ledgerFactsOf, updatePayment } from './rows.ts'

/**
 * What follows from the sums of a project whose row is held: demands ask for no more than is owed, the deposit is paid or not,
 * its customer hears once that the installation can be booked, and what is too much is proposed for a refund.
 */
export async function followSums(
  tx: Tx,
  projectId: string,
  why: { reason: string; quoteId?: string },
  now: Date,
): Promise<void> {
  const before = await ledgerFactsOf(tx, projectId)
  for (const [at, asked] of demandsAfter(before.facts).entries()) {
    const row = before.facts.rows[at]!
    if (asked === 0) await cancelRows(tx, eq(payments.id, row.id), 'Ya está pagado.', now)
    else if (asked !== null && asked !== row.amount) await updatePayment(tx, row, { amount: asked })
  }
  const { credit, quote } = before.ledger
  const project = await keepDepositPaid(tx, projectId, quote !== null && quote.depositDue === 0, now)
  await tellReady(tx, project)
  await proposeCredit(tx, { projectId, customerId: project.customerId, amount: credit, ...why }, now)
}

async function keepDepositPaid(tx: Tx, id: string, isPaid: boolean, now: Date) {
  const paidAt = isPaid ? sql`coalesce(${projects.depositPaidAt}, ${now})` : null
  const [project] = await tx
    .update(projects)
    .set({ depositPaidAt: paidAt })
    .where(eq(projects.id, id))
    .returning()
  return project!
}

/** Ends demands that nobody has to pay any more. */
export async function cancelRows(
  tx: Tx,
  which: ReturnType<typeof and>,
  reason: string,
  now: Date,
): Promise<void> {
  const ended = await tx
    .update(payments)
    .set({ state: 'cancelled', updatedAt: now, version: sql`${payments.version} + 1` })
    .where(which)
    .returning({ id: payments.id })
  for (const { id } of ended)
    await record(tx, {
      ...{ entity: 'payment', entityId: id, actorId: null, name: 'cancel', fromState: 'pending' },
      ...{ toState: 'cancelled', reason },
    })
}

type Readiness = Pick<
  typeof projects.$inferSelect,
  'id' | 'closedAt' | 'quoteAcceptedAt' | 'depositPaidAt' | 'permitNeeded' | 'permitReceivedAt'
>

/** Tells a customer, once for each acceptance, that the installation can be booked; the project's row is held. */
export async function tellReady(tx: Tx, project: Readiness): Promise<void> {
  const { closedAt, depositPaidAt, id, permitNeeded, permitReceivedAt, quoteAcceptedAt } = project
  if (closedAt || !quoteAcceptedAt || !depositPaidAt || (permitNeeded && !permitReceivedAt)) return
  const acceptedAt = quoteAcceptedAt.toISOString()
  const told = and(eq(events.entity, 'project'), eq(events.entityId, id), eq(events.name, 'ready'))
  const [known] = await tx
    .select({ id: events.id })
    .from(events)
    .where(and(told, sql`${events.data} ->> 'acceptedAt' = ${acceptedAt}`))
    .limit(1)
  if (known) return
  await record(tx, { entity: 'project', entityId: id, actorId: null, name: 'ready', data: { acceptedAt } })
  await enqueue(tx, 'letter', { letter: 'installation_ready', projectId: id, to: 'customer' })
}
