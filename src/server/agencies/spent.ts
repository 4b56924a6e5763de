import { sql } from 'drizzle-orm'
import { openQuoteStates } from '../../domain/quotes/quote.ts'
import type { Tx } from '../platform/database/database.ts'
import { listed } from '../platform/database/literals.ts'
import type { ClientRow } from './hold.ts'

/**
 * Whether what a customer's code gives was had: its quote was accepted, or its free visit took place; or may still be had, by
 * an offer that was sent with it and stands. Such a use is one for good, or a code for one would give to two.
 * `now` is null of whoever accepts nothing any more.
 */
export async function isSpent(tx: Tx, living: ClientRow, now: Date | null): Promise<boolean> {
  if (living.benefitProjectId) return true
  const { rows } = await tx.execute<{ spent: boolean }>(sql`
    select exists (
      select from quotes where customer_id = ${living.customerId} and state in (${listed(openQuoteStates)})
        and valid_until >= ${now} and content @> '{"options": [{"lines": [{"id": "benefit"}]}]}'
    ) or exists (
      select from appointments visit join codes on codes.id = ${living.codeId} and codes.benefit_kind = 'free_visit'
      where visit.customer_id = ${living.customerId} and visit.service = 'technical_visit'
        and visit.state = 'done' and visit.outcome = 'completed' and visit.starts_at >= ${living.joinedAt}
        and not exists (select from payments where payments.appointment_id = visit.id
          and payments.concept = 'visit_fee' and payments.state = 'paid'
          and payments.reversed_at is null)
    ) as spent`)
  return rows[0]?.spent ?? false
}
