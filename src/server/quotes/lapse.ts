import { eq, sql } from 'drizzle-orm'
import { pendingCheckoutStates } from '../../domain/payments/payment.ts'
import { depositGraceDays } from '../../domain/quotes/quote.ts'
import { log } from '../app/log.ts'
import { cancelDemands } from '../payments/demands.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { literals } from '../platform/database/literals.ts'
import { projects } from '../platform/database/schema/project-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { freeBenefit } from './benefit-taken.ts'
import { concernedByQuote, holdQuote, type QuoteRow, writeQuote } from './changes.ts'

/** Ends accepted quotes whose deposit nobody paid in time; answers how many. */
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
      log.error({ err, quote: id }, 'a quote did not lapse')
      return null
    })
    if (!lapsed) continue
    announce(db, { people: concernedByQuote(lapsed) })
    count++
  }
  return count
}

/** Money on its way is looked at first: a proof that somebody reviews, a voucher that was made. */
const unpaid = `quotes.state = 'accepted' and quotes.kind = 'installation' and projects.deposit_paid_at is null
  and not exists (select 1 from payments where payments.project_id = quotes.project_id and (payments.state = 'in_review'
    or exists (select 1 from checkouts where checkouts.payment_id = payments.id and checkouts.state in (${literals(pendingCheckoutStates)}))))`

const lapse = (db: Db, id: string, now: Date): Promise<QuoteRow | null> =>
  transaction(db, async (tx) => {
    const held = await holdQuote(tx, 'system', id)
    if (!(await isUnpaid(tx, id))) return null
    const lapsed = await writeQuote(tx, 'system', held, 'lapse', now, { endedAt: now })
    await tx.update(projects).set({ quoteAcceptedAt: null }).where(eq(projects.id, held.project.id))
    await freeBenefit(tx, held.project.id)
    await cancelDemands(tx, id, 'La cotización terminó sin su anticipo.', now)
    await enqueue(tx, 'letter', { letter: 'quote_lapsed', quoteId: id, to: 'customer' })
    return lapsed
  })

/** Asked again of what is held: it may have been paid since. */
async function isUnpaid(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`select 1 from quotes join projects on projects.id = quotes.project_id where quotes.id = ${id} and ${sql.raw(unpaid)}`,
  )
  return rows.length > 0
}
