import { eq, sql } from 'drizzle-orm'
import { benefitOf } from '../../domain/quotes/totals.ts'
import type { Tx } from '../platform/database/database.ts'
import { clients } from '../platform/database/schema/agencies.ts'
import type { QuoteRow } from './changes.ts'

/** Notes that an accepted quote took the benefit of a code: the customer's next project has it no more. */
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

/** The one that stands, or else the last that did: what was offered by it is kept. */
const latestTie = (
  customerId: string,
) => sql`(select tie.id from clients tie where tie.customer_id = ${customerId}
  order by tie.ended_at is null desc, tie.created_at desc limit 1)`

/** What was agreed came to nothing: its customer may have the benefit elsewhere. */
export const freeBenefit = (tx: Tx, projectId: string) =>
  tx.update(clients).set({ benefitProjectId: null }).where(eq(clients.benefitProjectId, projectId))
