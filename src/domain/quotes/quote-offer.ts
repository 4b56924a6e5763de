import type { QuoteContent } from './quote-content.ts'
import { shareOf, totalsOfOption } from './quote-totals.ts'

/** What options come to, from the cheapest to the dearest without add-ons, IVA included, in centavos; and their largest discount, in hundredths of a percent. */
export function offerOf({ options }: Pick<QuoteContent, 'options'>) {
  const all = options.map((option) => totalsOfOption(option).total)
  return {
    lowestTotal: Math.min(...all),
    highestTotal: Math.max(...all),
    discountShare: Math.max(...options.map(({ lines }) => shareOf(lines))),
  }
}
