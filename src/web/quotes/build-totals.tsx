import type { QuoteLine } from '../../domain/quotes/content.ts'
import { mostDiscountShare } from '../../domain/quotes/quote.ts'
import { depositOf, shareOf, totalsOf } from '../../domain/quotes/totals.ts'
import { money, percent } from '../../domain/shared/format.ts'
import { wholeOf } from '../../domain/shared/money.ts'
import { withoutEnding } from '../../domain/shared/text.ts'

type TotalsProps = {
  /** As far as they can be read, a code's with them. */
  lines: readonly QuoteLine[]
  /** As it is typed; null where there is none. */
  depositPercent: string | null
}

/** What an option comes to as it is typed, by the same reckoning as everywhere else. */
export function BuildTotals({ lines, depositPercent }: TotalsProps) {
  const totals = totalsOf(lines)
  const deposit = wholeOf(withoutEnding(depositPercent ?? '', '%'))
  const share = shareOf(lines)
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-[0.9375rem]">
        <Sum term="Subtotal" value={money(totals.subtotal)} />
        {totals.discount > 0 && (
          <Sum term={`Descuento (${percent(share)})`} value={money(-totals.discount)} />
        )}
        <Sum term="IVA" value={money(totals.iva)} />
        <Sum term="Total con IVA" value={money(totals.total)} strong />
        {deposit !== null && deposit <= 100 && (
          <Sum term={`Anticipo (${deposit} %)`} value={money(depositOf(totals.total, deposit))} />
        )}
      </dl>
      {share > mostDiscountShare && (
        <p className="text-sm font-medium text-wait">
          El descuento pasa del {percent(mostDiscountShare)}: solo la gerencia puede enviarla así.
        </p>
      )}
    </div>
  )
}

const Sum = ({ term, value, strong = false }: { term: string; value: string; strong?: boolean }) => (
  <>
    <dt className={strong ? 'font-semibold' : 'text-mute'}>{term}</dt>
    <dd className={strong ? 'text-right text-lg/6 font-semibold' : 'text-right'}>{value}</dd>
  </>
)
