import { optionNames, optionOf } from '../../domain/quotes/content.ts'
import { dateTime, money } from '../../domain/shared/format.ts'
import type { WholeQuote } from '../../server/quotes/detail.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

/** What was agreed, and who signed it; nothing before. */
export function AcceptedCard({ quote }: { quote: WholeQuote }) {
  const { acceptedAddOns, acceptedAt, acceptedOption, acceptedTotal, depositAmount } = quote
  const option = acceptedOption && optionOf(quote.content, acceptedOption)
  if (!acceptedAt || !option || acceptedTotal === null) return null
  const added = option.addOns.filter(({ id }) => acceptedAddOns.includes(id))
  return (
    <Card title="Lo que se acordó">
      <DefinitionList
        items={[
          { term: 'Opción', value: optionNames[option.id] },
          { term: 'Con', value: added.map(({ description }) => description).join(', ') },
          { term: 'Total', value: `${money(acceptedTotal)} con IVA` },
          { term: 'Anticipo', value: depositAmount ? money(depositAmount) : null },
          { term: 'Firmó', value: quote.acceptedName },
          { term: 'Cuándo', value: dateTime(acceptedAt) },
          {
            term: 'Huella',
            value: <code className="text-sm break-all text-mute">{quote.acceptedDigest}</code>,
          },
        ]}
      />
    </Card>
  )
}
