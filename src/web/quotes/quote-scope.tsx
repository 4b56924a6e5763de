import { optionNames } from '../../domain/quotes/content.ts'
import { dateTime, shortDate } from '../../domain/shared/format.ts'
import type { QuoteDetail } from '../../server/quotes/detail.ts'
import { ScopeLines } from '../reports/scope-lines.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

type Read = Exclude<QuoteDetail, { reads: 'all' }>

/** A quote for those who read no amounts: whose it is, how it stands and, where that is theirs, what is to be done. */
export function QuoteScope({ quote }: { quote: Read }) {
  const { acceptedAt, customer, sentAt, validUntil } = quote
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Cotización">
        <DefinitionList
          items={[
            { term: 'Cliente', value: customer },
            { term: 'Enviada', value: sentAt && shortDate(sentAt) },
            { term: 'Vigente hasta', value: validUntil && shortDate(validUntil) },
            { term: 'Aceptada', value: acceptedAt && dateTime(acceptedAt) },
          ]}
        />
      </Card>
      {quote.reads === 'scope' &&
        quote.scope.map(({ accepted, lines, option }) => (
          <Card
            key={option}
            title={
              accepted ? 'Lo que se acordó' : `Opción ${optionNames[option as keyof typeof optionNames]}`
            }
          >
            <ScopeLines lines={lines} />
          </Card>
        ))}
    </div>
  )
}
