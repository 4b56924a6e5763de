import { Check } from 'lucide-react'
import { optionNames, optionOf } from '../../domain/quotes/content.ts'
import { totalsOfOption } from '../../domain/quotes/totals.ts'
import { money } from '../../domain/shared/format.ts'
import type { OwnQuote } from '../../server/quotes/own.ts'
import { FiscalLinkCard } from '../invoices/fiscal-link-card.tsx'
import { Card } from '../ui/card.tsx'
import { amountOf, Metres, Sums } from './option-parts.tsx'
import { Terms } from './terms.tsx'

/** What was agreed: the option with what was added to it, and its conditions. */
export function AcceptedOption({ quote: { accepted, content } }: { quote: OwnQuote }) {
  const option = accepted && optionOf(content, accepted.option)
  if (!option) return null
  const totals = totalsOfOption(option, accepted.addOns)
  return (
    <>
      <Card title={`Lo que acordamos: ${optionNames[option.id]}`} className="lg:max-w-3xl">
        <ul className="grid gap-2 text-[0.9375rem]">
          {totals.lines.map(({ line, total }) => (
            <li key={line.id} className="flex gap-2">
              <Check aria-hidden className="mt-0.5 size-4.5 shrink-0 text-brand" />
              <span className="min-w-0 flex-1 wrap-anywhere">
                {line.description} <span className="text-mute">{amountOf(line)}</span>
              </span>
              <span className="shrink-0">{money(total)}</span>
            </li>
          ))}
        </ul>
        <Metres option={option} />
        <Sums option={option} totals={totals} />
      </Card>
      <Terms content={content} />
      <FiscalLinkCard className="lg:max-w-3xl" />
    </>
  )
}
