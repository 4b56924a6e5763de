import { and, eq, sql } from 'drizzle-orm'
import type { Mover } from '../../domain/access/actor.ts'
import { atWorkStates } from '../../domain/appointments/appointment.ts'
import { type QuoteFacts, type QuoteMoveName, quoteMachine } from '../../domain/quotes/quote.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import type { Queryable, Tx } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { listed } from '../platform/database/literals.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { quotesVisibleTo } from './visible.ts'

export type QuoteRow = typeof quotes.$inferSelect
/** A quote with its project, and what its moves are judged by. */
export type HeldQuote = { quote: QuoteRow; project: typeof projects.$inferSelect; facts: QuoteFacts }

/**
 * A quote held until the transaction ends, its project before it: whoever moves money holds that first. For whoever may
 * not see it, it does not exist.
 */
export async function holdQuote(tx: Tx, mover: Mover, id: string): Promise<HeldQuote> {
  if (!isId(id)) refuse('not-found')
  const [found] = await tx.select({ projectId: quotes.projectId }).from(quotes).where(eq(quotes.id, id))
  if (!found) return refuse('not-found')
  const [project] = await tx.select().from(projects).where(eq(projects.id, found.projectId)).for('update')
  const seen = mover === 'system' ? undefined : quotesVisibleTo(mover)
  const [quote] = await tx
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), seen))
    .for('update')
  if (!quote || !project) return refuse('not-found')
  return { quote, project, facts: await factsOfQuote(tx, quote, project) }
}

type Project = Pick<typeof projects.$inferSelect, 'id' | 'depositPaidAt'>

/** What the rules ask about a stored quote. */
export const factsOfQuote = async (
  db: Queryable,
  quote: Pick<QuoteRow, 'state' | 'customerId' | 'validUntil' | 'discountShare' | 'belowList' | 'belowCost'>,
  project: Project,
): Promise<QuoteFacts> => ({
  state: quote.state,
  customerId: quote.customerId,
  validUntil: quote.validUntil,
  discountShare: quote.discountShare,
  belowList: quote.belowList,
  belowCost: quote.belowCost,
  installationStarted: await hasInstallationStarted(db, project.id),
  depositPaid: project.depositPaidAt !== null,
})

/** One that turned out not to be possible counts for nothing. */
async function hasInstallationStarted(db: Queryable, projectId: string): Promise<boolean> {
  const [begun] = await db
    .select({ id: appointments.id })
    .from(appointments)
    .where(
      sql`${appointments.projectId} = ${projectId} and ${appointments.service} = 'installation'
        and (${appointments.state} in (${listed(atWorkStates)})
          or (${appointments.state} = 'done' and ${appointments.outcome} is distinct from 'not_possible'))`,
    )
    .limit(1)
  return begun !== undefined
}

/** Refuses a move that can't be made, and then one that was meant for an earlier version. */
export function judge(
  name: QuoteMoveName,
  mover: Mover,
  { facts, quote }: HeldQuote,
  version: number,
  now: Date,
): void {
  quoteMachine.next(name, mover, facts, now)
  if (quote.version !== version) refuse('aborted')
}

type Written = Partial<typeof quotes.$inferInsert>

/** Makes a move on a held quote, or refuses it; one event each. */
export async function writeQuote(
  tx: Tx,
  mover: Mover,
  { facts, quote }: Pick<HeldQuote, 'facts' | 'quote'>,
  name: QuoteMoveName,
  now: Date,
  set: Written = {},
  trace: { reason?: string | null; data?: object } = {},
): Promise<QuoteRow> {
  const state = quoteMachine.next(name, mover, facts, now)
  // That its customer looked at it changes nothing of what the open forms were shown.
  const version = name === 'view' ? quote.version : quote.version + 1
  const [moved] = await tx
    .update(quotes)
    .set({ ...set, state, version })
    .where(and(eq(quotes.id, quote.id), eq(quotes.state, facts.state), eq(quotes.version, quote.version)))
    .returning()
  if (!moved) return refuse('aborted')
  await record(tx, {
    ...{ entity: 'quote', entityId: quote.id, actorId: mover === 'system' ? null : mover.id, name },
    ...{ fromState: facts.state, toState: state, reason: trace.reason ?? null },
    ...(trace.data && { data: trace.data }),
  })
  return moved
}

/** Whose screens show a change of a quote: its customer's, those of the agency that sent them, and the desk's. */
export const concernedByQuote = ({ customerId, projectId }: Pick<QuoteRow, 'customerId' | 'projectId'>) => [
  customerId,
  projectId,
]
