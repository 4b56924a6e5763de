import {
  dueQuoteReminder,
  earliestQuoteReminderHours,
  openQuoteStates,
  type QuoteReminder,
  quoteReminders,
} from '../../domain/quotes/quote.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { literals } from '../platform/database/lists.ts'
import { enqueue } from '../platform/jobs/jobs.ts'

type Waiting = { id: string; valid_until: Date; sent_at: Date; three_told: boolean; one_told: boolean }

/** Sends the reminders of quotes that end soon, to customers; answers how many. Two rounds at once send each once. */
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
 * Chooses once more from the quotes as they stand, held, and marks them in the transaction that sends: one that was
 * answered or withdrawn meanwhile is not among them, nor is one that another round holds.
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
/** Whoever got the nearer one needs the other no more. */
const marked: Record<QuoteReminder, string> = {
  quote_reminder_3d: 'reminded_3d_at = $2',
  quote_reminder_1d: 'reminded_1d_at = $2, reminded_3d_at = coalesce(reminded_3d_at, $2)',
}
