import { proposeOptions } from '../../domain/quotes/proposal.ts'
import { type Worth, worthOf } from '../../domain/quotes/worth.ts'
import type { Queryable } from '../platform/database/database.ts'
import { answersOf } from '../reports/prefilled.ts'
import type { QuoteRow } from './changes.ts'
import { pricedCatalogue } from './queries.ts'

/** Measures what a quote offers by the catalogue of this moment and, of an installation, by its visit's report. */
export async function measuredWorth(
  db: Queryable,
  { appointmentId, content, kind }: Pick<QuoteRow, 'appointmentId' | 'content' | 'kind'>,
): Promise<Worth> {
  const catalogue = await pricedCatalogue(db)
  const answers = kind === 'installation' ? await answersOf(db, appointmentId) : {}
  return worthOf(content, catalogue, proposeOptions(answers, catalogue)?.options ?? [])
}
