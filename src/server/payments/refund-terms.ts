import { and, eq, isNotNull } from 'drizzle-orm'
import { fullRefundUntil } from '../../domain/payments/payment.ts'
import type { Queryable } from '../platform/database/database.ts'
import { appointments } from '../platform/database/schema/appointment-schema.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'
import { editedSettings } from '../settings/queries.ts'

/** By what a quote that is over was given back: all of it, or less what was bought. */
export type RefundTerms = { isWhole: boolean; until: Date; endedAt: Date }

/**
 * The terms of a quote that was cancelled after it was accepted; null of any other. Everything is given back within the
 * working days that were promised, and before the installation began.
 */
export async function refundTermsOf(db: Queryable, quoteId: string | null): Promise<RefundTerms | null> {
  const [quote] = quoteId
    ? await db
        .select()
        .from(quotes)
        .where(and(eq(quotes.id, quoteId), eq(quotes.state, 'cancelled')))
    : []
  if (!quote?.acceptedAt || !quote.endedAt) return null
  const { settings } = await editedSettings(db)
  const until = fullRefundUntil(quote.acceptedAt, settings.holidays)
  const begun = and(
    eq(appointments.projectId, quote.projectId),
    eq(appointments.service, 'installation'),
    isNotNull(appointments.startedAt),
  )
  const [installation] = await db
    .select({ startedAt: appointments.startedAt })
    .from(appointments)
    .where(begun)
    .limit(1)
  return { isWhole: quote.endedAt < until && !installation, until, endedAt: quote.endedAt }
}
