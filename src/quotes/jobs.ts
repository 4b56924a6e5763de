import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { cancelCharges } from '../payments/charges.ts'
import { pendingCheckoutStates } from '../payments/rules/payment.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { quotes } from '../platform/database/schema/payments.ts'
import { projects } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { freeBenefit } from './benefit.ts'
import { depositGraceDays, openQuoteStates } from './rules/quote.ts'
import {
  dueQuoteReminder,
  earliestQuoteReminderHours,
  type QuoteReminder,
  quoteReminders,
} from './rules/reminder.ts'
import {
  expireIfOver,
  lockQuote,
  type QuoteRow,
  quoteAffectedUserIds,
  transitionQuote,
} from './transition.ts'

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
    await cancelCharges(tx, id, 'La cotización terminó sin su anticipo.', now, 'expired')
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
