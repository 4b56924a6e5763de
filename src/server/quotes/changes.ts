import { and, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { type Actor, isCustomer, type Mover, type StaffKind } from '../../domain/access/actor.ts'
import { atWorkStates, failedStates, onSiteServices } from '../../domain/appointments/appointment.ts'
import { pendingCheckoutStates } from '../../domain/payments/payment.ts'
import {
  depositGraceDays,
  dueQuoteReminder,
  earliestQuoteReminderHours,
  isOpenQuote,
  openQuoteStates,
  type QuoteFacts,
  type QuoteMoveName,
  type QuoteReminder,
  quoteMachine,
  quoteReminders,
  quoteStateBy,
} from '../../domain/quotes/quote.ts'
import { benefitOf } from '../../domain/quotes/totals.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { isNotDeleted } from '../accounts/privacy.ts'
import { log } from '../app/stop.ts'
import { hasCase } from '../cfe/rows.ts'
import { cancelCharges } from '../payments/charges.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { listed, literals, record } from '../platform/database/lists.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'

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
export function judge(
  name: QuoteMoveName,
  mover: Mover,
  { facts, quote }: LockedQuote,
  version: number,
  now: Date,
): void {
  quoteMachine.next(name, mover, facts, now)
  if (quote.version !== version) refuse('aborted')
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
  // A customer's viewing does not invalidate open forms.
  const version = name === 'view' ? quote.version : quote.version + 1
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

/** Marks quotes past their term as expired, and notifies their customers; returns how many. */
export async function expireQuotes(db: Db, now: Date): Promise<number> {
  const over = await db
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(inArray(quotes.state, openQuoteStates), lt(quotes.validUntil, now)))
  let count = 0
  for (const { id } of over) {
    // One that fails must not keep the others waiting; the next round takes it up again.
    const ended = await expireOne(db, id, now).catch((err) => {
      log.error({ err, quote: id }, 'quote expiry failed')
      return null
    })
    if (!ended) continue
    announce(db, { people: quoteAffectedUserIds(ended) })
    count++
  }
  return count
}

const expireOne = (db: Db, id: string, now: Date) =>
  transaction(db, async (tx) => {
    const held = await lockQuote(tx, 'system', id)
    const { quote } = await expireIfOver(tx, held, now)
    if (quote === held.quote) return null
    await enqueue(tx, 'letter', { letter: 'quote_expired', quoteId: id, to: 'customer' })
    return quote
  })

/** A locked quote in its state by the clock: it may have expired before it was stored so. */
export async function expireIfOver(tx: Tx, held: LockedQuote, now: Date): Promise<LockedQuote> {
  const { facts, quote } = held
  if (!isOpenQuote(quote.state) || quoteStateBy(facts, now) !== 'expired') return held
  const expired = await transitionQuote(tx, 'system', held, 'expire', now, { endedAt: quote.validUntil })
  return { ...held, quote: expired, facts: { ...facts, state: expired.state } }
}

/** Records that an accepted quote used the benefit of a code: the customer's next project does not get it. */
export async function takeBenefit(
  tx: Tx,
  { content, customerId, projectId }: Pick<QuoteRow, 'content' | 'customerId' | 'projectId'>,
): Promise<void> {
  if (!benefitOf(content)) return
  await tx
    .update(clients)
    .set({ benefitProjectId: projectId })
    .where(eq(clients.id, latestTie(customerId)))
}

/** The current attribution, or else the last one: the offer made by it is kept. */
const latestTie = (
  customerId: string,
) => sql`(select tie.id from clients tie where tie.customer_id = ${customerId}
  order by tie.ended_at is null desc, tie.created_at desc limit 1)`

/** An accepted quote was cancelled: its customer may use the benefit elsewhere. */
export const freeBenefit = (tx: Tx, projectId: string) =>
  tx.update(clients).set({ benefitProjectId: null }).where(eq(clients.benefitProjectId, projectId))

/** Ends accepted quotes whose deposit was not paid in time; returns how many. */
export async function lapseQuotes(db: Db, now: Date): Promise<number> {
  const { rows } = await db.$client.query<{ id: string }>(
    `select quotes.id from quotes join projects on projects.id = quotes.project_id
     where ${unpaid} and quotes.valid_until < $1::timestamptz - make_interval(days => $2)`,
    [now, depositGraceDays],
  )
  let count = 0
  for (const { id } of rows) {
    // One that fails must not keep the others waiting; the next round takes it up again.
    const lapsed = await lapse(db, id, now).catch((err) => {
      log.error({ err, quote: id }, 'quote lapse failed')
      return null
    })
    if (!lapsed) continue
    announce(db, { people: quoteAffectedUserIds(lapsed) })
    count++
  }
  return count
}

/** Money on its way counts first: a proof under review, an issued voucher. */
const unpaid = `quotes.state = 'accepted' and quotes.kind = 'installation' and projects.deposit_paid_at is null
  and not exists (select 1 from payments where payments.project_id = quotes.project_id and (payments.state = 'in_review'
    or exists (select 1 from checkouts where checkouts.payment_id = payments.id and checkouts.state in (${literals(pendingCheckoutStates)}))))`

const lapse = (db: Db, id: string, now: Date): Promise<QuoteRow | null> =>
  transaction(db, async (tx) => {
    const held = await lockQuote(tx, 'system', id)
    if (!(await isUnpaid(tx, id))) return null
    const lapsed = await transitionQuote(tx, 'system', held, 'lapse', now, { endedAt: now })
    await tx.update(projects).set({ quoteAcceptedAt: null }).where(eq(projects.id, held.project.id))
    await freeBenefit(tx, held.project.id)
    await cancelCharges(tx, id, 'La cotización terminó sin su anticipo.', now)
    await enqueue(tx, 'letter', { letter: 'quote_lapsed', quoteId: id, to: 'customer' })
    return lapsed
  })

/** Checked again on the locked row: it may have been paid since. */
async function isUnpaid(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`select 1 from quotes join projects on projects.id = quotes.project_id where quotes.id = ${id} and ${sql.raw(unpaid)}`,
  )
  return rows.length > 0
}

type Waiting = { id: string; valid_until: Date; sent_at: Date; three_told: boolean; one_told: boolean }

/**
 * Sends the reminders of quotes that expire soon, to customers; returns how many. Two rounds at once send each once.
 */
export async function remindOfQuotes(db: Db, now: Date): Promise<number> {
  const waiting = await waitingFor(db, now)
  let count = 0
  for (const kind of quoteReminders) {
    const due = waiting.filter((one) => dueQuoteReminder(rule(one), now) === kind)
    if (due.length > 0) count += await transaction(db, (tx) => remind(tx, kind, due, now))
  }
  return count
}

const rule = (one: Waiting) => ({
  validUntil: one.valid_until,
  sentAt: one.sent_at,
  reminded: { quote_reminder_3d: one.three_told, quote_reminder_1d: one.one_told },
})

async function waitingFor(db: Db, now: Date): Promise<Waiting[]> {
  const until = new Date(now.getTime() + earliestQuoteReminderHours * 3_600_000)
  const { rows } = await db.$client.query<Waiting>(
    `select id, valid_until, sent_at, reminded_3d_at is not null as three_told, reminded_1d_at is not null as one_told
     from quotes
     where state in (${literals(openQuoteStates)}) and (reminded_3d_at is null or reminded_1d_at is null)
       and valid_until > $1 and valid_until <= $2`,
    [now, until],
  )
  return rows
}

/**
 * Selects again from the locked quotes, and marks them in the transaction that sends: answered and withdrawn ones are
 * excluded, and those that another round holds.
 */
async function remind(tx: Tx, kind: QuoteReminder, due: readonly Waiting[], now: Date): Promise<number> {
  const { rows } = await tx.$client.query<{ id: string }>(
    `with chosen as (
       select one.id from quotes one join unnest($1::uuid[]) as due (id) on due.id = one.id
       where one.state in (${literals(openQuoteStates)}) and ${unsent[kind]}
       for update of one skip locked
     )
     update quotes set ${marked[kind]} from chosen where quotes.id = chosen.id returning quotes.id`,
    [due.map(({ id }) => id), now],
  )
  for (const { id } of rows) await enqueue(tx, 'letter', { letter: kind, quoteId: id, to: 'customer' })
  return rows.length
}

const unsent: Record<QuoteReminder, string> = {
  quote_reminder_3d: 'one.reminded_3d_at is null',
  quote_reminder_1d: 'one.reminded_1d_at is null',
}

/** A customer who got the nearer reminder does not need the other. */
const marked: Record<QuoteReminder, string> = {
  quote_reminder_3d: 'reminded_3d_at = $2',
  quote_reminder_1d: 'reminded_1d_at = $2, reminded_3d_at = coalesce(reminded_3d_at, $2)',
}
