import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { benefitOf } from '../../domain/benefit-line.ts'
import { refuse } from '../../domain/refusal.ts'
import { clients } from '../database/ally-schema.ts'
import type { Tx } from '../database/database.ts'
import { wasUsedElsewhere } from './benefit.ts'
import type { QuoteRow } from './changes.ts'

/** Notes that an accepted quote took the benefit of a code; refuses where its customer had it in another project meanwhile. */
export async function takeBenefit(
  tx: Tx,
  { content, customerId, projectId }: Pick<QuoteRow, 'content' | 'customerId' | 'projectId'>,
): Promise<void> {
  if (!benefitOf(content)) return
  const free = or(isNull(clients.benefitProjectId), eq(clients.benefitProjectId, projectId))
  await tx
    .update(clients)
    .set({ benefitProjectId: projectId })
    .where(and(eq(clients.id, latestTie(customerId)), free))
  if (await wasUsedElsewhere(tx, customerId, projectId))
    refuse(
      'failed-precondition',
      'El descuento de tu código ya se aplicó en tu otra cotización. Pide cambios y te enviamos una versión sin él.',
    )
}

/** The one that stands, or else the last that did: what was offered by it is kept. */
const latestTie = (
  customerId: string,
) => sql`(select tie.id from clients tie where tie.customer_id = ${customerId}
  order by tie.ended_at is null desc, tie.created_at desc limit 1)`

/** What was agreed came to nothing: its customer may have the benefit elsewhere. */
export const freeBenefit = (tx: Tx, projectId: string) =>
  tx.update(clients).set({ benefitProjectId: null }).where(eq(clients.benefitProjectId, projectId))
