import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, type Mover, type StaffKind } from '../access/rules/actor.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { atWorkStates, failedStates, isActive, onSiteServices } from '../appointments/rules/appointment.ts'
import { isId, type Queryable, type Tx } from '../platform/database/client.ts'
import { listed, record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects, tasks } from '../platform/database/schema/projects.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { dropFollowing, enqueue } from '../platform/jobs/jobs.ts'
import { hasCase } from '../projects/cases.ts'
import { refuse } from '../shared/refusal.ts'
import {
  isOpenQuote,
  type QuoteFacts,
  type QuoteMoveName,
  quoteMachine,
  quoteStateBy,
} from './rules/quote.ts'

export type QuoteRow = typeof quotes.$inferSelect

/** A quote with its project, and the facts for its transitions. */
export type LockedQuote = { quote: QuoteRow; project: typeof projects.$inferSelect; facts: QuoteFacts }

/**
 * A quote locked until the transaction ends, its project first, as in every transaction about money. It does not exist
 * for actors who may not see it.
 */
export async function lockQuote(tx: Tx, mover: Mover, id: string): Promise<LockedQuote> {
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

/** The facts of a stored quote for the rules. */
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
  // Only sending asks for it, and reads it there.
  approved: false,
  installationStarted: await hasInstallationStarted(db, project.id),
  depositPaid: project.depositPaidAt !== null,
})

/** An installation that turned out impossible does not count. */
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

/** Refuses a transition that is not allowed, and then one meant for an earlier version. */
export async function judge(
  tx: Tx,
  name: QuoteMoveName,
  mover: Mover,
  { facts, quote }: LockedQuote,
  version: number,
  now: Date,
): Promise<void> {
  quoteMachine.next(name, mover, facts, now)
  await assertVersion(tx, mover, 'quote', quote, version)
}

type Written = Partial<typeof quotes.$inferInsert>

/** Makes a move on a held quote, or refuses it; one event each. */
export async function transitionQuote(
  tx: Tx,
  mover: Mover,
  { facts, quote }: Pick<LockedQuote, 'facts' | 'quote'>,
  name: QuoteMoveName,
  now: Date,
  set: Written = {},
  trace: { reason?: string | null; data?: object } = {},
): Promise<QuoteRow> {
  const state = quoteMachine.next(name, mover, facts, now)
  // Neither its customer's viewing nor a reminder invalidates open forms.
  const version = name === 'view' || name === 'remind' ? quote.version : quote.version + 1
  const [moved] = await tx
    .update(quotes)
    .set({ ...set, state, version })
    .where(and(eq(quotes.id, quote.id), eq(quotes.state, facts.state), eq(quotes.version, quote.version)))
    .returning()
  if (!moved) return refuse('aborted')
  await record(tx, {
    entity: 'quote',
    entityId: quote.id,
    actorId: mover === 'system' ? null : mover.id,
    name,
    fromState: facts.state,
    toState: state,
    reason: trace.reason ?? null,
    ...(trace.data && { data: trace.data }),
  })
  return moved
}

/** The users whose screens show a change of a quote: its customer, the agency that referred them, and the desk. */
export const quoteAffectedUserIds = ({
  customerId,
  projectId,
}: Pick<QuoteRow, 'customerId' | 'projectId'>) => [customerId, projectId]

const none = sql`false`

/** Only authors of quotes see what was never sent. */
const wasSent = isNotNull(quotes.sentAt)

/**
 * Quotes of projects whose visit or installation is the actor's, for as long as they see it: 30 days back, 60 ahead.
 */
const ofOwnWork = (actor: Actor) => sql`exists (
  select 1 from appointments own where own.project_id = ${quotes.projectId}
    and own.service in (${listed(onSiteServices)}) and own.state not in (${listed(failedStates)})
    and own.assignee_id = ${actor.id} and own.confirmed_at is not null
    and own.starts_at between now() - interval '30 days' and now() + interval '60 days')`

const seenByStaff: Record<StaffKind, (actor: Actor) => SQL | undefined> = {
  manager: () => undefined,
  analyst: () => isNotDeleted(quotes.customerId),
  tecnician: (actor) => and(wasSent, ofOwnWork(actor)),
  alliate: (actor) => (actor.agencyId ? and(wasSent, eq(quotes.agencyId, actor.agencyId)) : none),
  gester: () => and(wasSent, hasCase(quotes.projectId), isNotDeleted(quotes.customerId)),
}

/** The quotes an actor may see. For all other actors they do not exist; `seesAmounts` decides what they see of them. */
export const quotesVisibleTo = (actor: Actor): SQL | undefined =>
  isCustomer(actor) ? and(eq(quotes.customerId, actor.id), wasSent) : seenByStaff[actor.kind](actor)

/** What each kind of staff reads of a quote: everything, the work without amounts, or the state only. */
export const readsOfQuotes: Record<StaffKind, 'all' | 'scope' | 'state'> = {
  manager: 'all',
  analyst: 'all',
  tecnician: 'scope',
  gester: 'scope',
  alliate: 'state',
}

/** A locked quote in its state by the clock: it may have expired before it was stored so. */
export async function expireIfOver(tx: Tx, held: LockedQuote, now: Date): Promise<LockedQuote> {
  const { facts, quote } = held
  if (!isOpenQuote(quote.state) || quoteStateBy(facts, now) !== 'expired') return held
  const expired = await transitionQuote(tx, 'system', held, 'expire', now, { endedAt: quote.validUntil })
  return { ...held, quote: expired, facts: { ...facts, state: expired.state } }
}

type QuoteSubject = Pick<QuoteRow, 'id' | 'customerId' | 'projectId'>

/** A task for users who write quotes. */
export async function askDesk(
  tx: Tx,
  { customerId, id, projectId }: QuoteSubject,
  what: { subject: string; reason: string; urgent?: boolean },
): Promise<void> {
  const [customer] = await tx.select({ phone: users.phone }).from(users).where(eq(users.id, customerId))
  const phone = customer?.phone ?? null
  await tx.insert(tasks).values({ ...what, personId: customerId, projectId, quoteId: id, phone })
}

/** Withdraws a held quote; its customer is notified of a sent one, unless the letter of its sending still waits: that is dropped. */
export async function withdrawHeld(
  tx: Tx,
  actor: Actor,
  held: Pick<LockedQuote, 'facts' | 'quote'>,
  reason: string | null,
  now: Date,
): Promise<QuoteRow> {
  const set = { endedAt: now, reason }
  const isUntold = held.quote.state === 'sent' && (await dropFollowing(tx, [held.quote]))
  const moved = await transitionQuote(tx, actor, held, 'withdraw', now, set, { reason })
  if (moved.sentAt && !isUntold)
    await enqueue(tx, 'letter', { letter: 'quote_withdrawn', quoteId: moved.id, to: 'customer' })
  return moved
}

/** Extra work is agreed before it is done: refuses once the installation is over. Returns the assignee. */
export async function assertOpenInstallation(tx: Tx, { appointmentId }: QuoteRow): Promise<string | null> {
  const [installation] = await tx
    .select({ state: appointments.state, assigneeId: appointments.assigneeId })
    .from(appointments)
    .where(eq(appointments.id, appointmentId))
    .for('share')
  if (!installation || !isActive(installation.state))
    return refuse('failed-precondition', 'La instalación ya terminó: ya no se le puede agregar trabajo.')
  return installation.assigneeId
}

/** An installation in progress is not quoted again: its balance would never be charged, or payments refunded. */
export function assertNotBegun({ facts }: Pick<LockedQuote, 'facts'>): void {
  if (facts.installationStarted)
    refuse(
      'failed-precondition',
      'La instalación ya empezó: su cotización ya no cambia. Lo que falte se cotiza como trabajo adicional.',
    )
}
