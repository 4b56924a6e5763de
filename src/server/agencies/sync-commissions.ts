import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import {
  commissionMachine,
  commissionOf,
  daysUntilApproved,
  notYetApproved,
} from '../../domain/agencies/commissions.ts'
import { optionOf } from '../../domain/quotes/content.ts'
import { totalsOfOption } from '../../domain/quotes/totals.ts'
import { ledgerFactsOf, lockProject } from '../payments/payments-rows.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { clients, commissions } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { agencies, projects } from '../platform/database/schema/projects.ts'
import { announce } from '../platform/live/announcements.ts'

/**
 * Writes what an agency earned by an installation that was just finished, in the transaction that finishes it: by the terms
 * of this moment, on what its customer accepted, without IVA. Nothing without an agency, an accepted quote or terms; of an
 * installation, or a quote, that earned already, nothing more. Answers whether it wrote one.
 */
export async function commissionFor(tx: Tx, appointmentId: string): Promise<boolean> {
  const [earned] = await tx
    .select({
      agencyId: agencies.id,
      allyId: clients.allyId,
      projectId: projects.id,
      quote: { id: quotes.id, content: quotes.content },
      option: sql<string>`coalesce(${quotes.acceptedOption}, '')`,
      addOns: quotes.acceptedAddOns,
      termsKind: agencies.commissionKind,
      termsValue: agencies.commissionValue,
      earnedAt: sql`${appointments.finishedAt}`.mapWith(appointments.finishedAt),
    })
    .from(appointments)
    .innerJoin(projects, eq(projects.id, appointments.projectId))
    .innerJoin(agencies, eq(agencies.id, projects.agencyId))
    .innerJoin(quotes, and(eq(quotes.projectId, projects.id), isAcceptedInstallation))
    .leftJoin(clients, and(eq(clients.customerId, projects.customerId), isNull(clients.endedAt)))
    .where(and(eq(appointments.id, appointmentId), isDone))
  if (!earned) return false
  const { addOns, option, quote, ...row } = earned
  const accepted = optionOf(quote.content, option)
  const basis = accepted ? totalsOfOption(accepted, addOns).net : 0
  const amount = commissionOf({ kind: row.termsKind, value: row.termsValue }, basis)
  if (amount === 0) return false
  const [written] = await tx
    .insert(commissions)
    .values({ ...row, kind: 'commission', appointmentId, quoteId: quote.id, basis, amount })
    .onConflictDoNothing()
    .returning({ id: commissions.id })
  if (!written) return false
  const data = { agencyId: row.agencyId, amount }
  await record(tx, { ...entityOf(written.id), actorId: null, name: 'earn', toState: 'pending', data })
  return true
}

const isDone = and(
  eq(appointments.service, 'installation'),
  eq(appointments.state, 'done'),
  eq(appointments.outcome, 'completed'),
)
const isAcceptedInstallation = and(eq(quotes.kind, 'installation'), eq(quotes.state, 'accepted'))
const entityOf = (entityId: string) => ({ entity: 'commission', entityId })

/** Approves the commissions whose days are over and of which their customers owe nothing; answers how many. */
export async function syncCommissions(db: Db, now: Date): Promise<number> {
  const { agencyId, earnedAt, id, projectId } = commissions
  // Days are counted by the calendar, so this may be some hours early: the rule judges each.
  const since = new Date(now.getTime() - (daysUntilApproved - 1) * 24 * 3_600_000)
  const waiting = await db
    .select({ agencyId, id, projectId })
    .from(commissions)
    .where(and(eq(commissions.kind, 'commission'), eq(commissions.state, 'pending'), lte(earnedAt, since)))
    .orderBy(asc(earnedAt), asc(id))
  const approved: string[] = []
  for (const one of waiting)
    if (await transaction(db, (tx) => approve(tx, one, now))) approved.push(one.agencyId)
  if (approved.length > 0) announce(db, { people: [...new Set(approved)], desk: false })
  return approved.length
}

/** With its adjustments, which wait as it does. What is owed is asked of the project's ledger, its row held. */
async function approve(
  tx: Tx,
  { agencyId, id, projectId }: { agencyId: string; id: string; projectId: string },
  now: Date,
): Promise<boolean> {
  await lockProject(tx, projectId)
  const [held] = await tx.select().from(commissions).where(eq(commissions.id, id)).for('update')
  if (held?.state !== 'pending') return false
  const { accepted, ledger } = await ledgerFactsOf(tx, projectId)
  const stands = accepted.some((quote) => quote.id === held.quoteId)
  if (notYetApproved({ finishedAt: held.earnedAt, owed: ledger.owed, stands }, now)) return false
  const state = commissionMachine.next('approve', 'system', held)
  const adjusting = tx.select({ id: commissions.id }).from(commissions).where(eq(commissions.adjustsId, id))
  for (const which of [eq(commissions.id, id), inArray(commissions.id, adjusting)])
    await tx
      .update(commissions)
      .set({ state, approvedAt: now, version: sql`${commissions.version} + 1` })
      .where(and(which, eq(commissions.state, 'pending')))
  const moved = { fromState: held.state, toState: state, data: { agencyId, amount: held.amount } }
  await record(tx, { ...entityOf(id), actorId: null, name: 'approve', ...moved })
  return true
}
