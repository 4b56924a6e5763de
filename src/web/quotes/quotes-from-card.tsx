import { Link } from 'react-router'
import { isOpenQuote, quoteStateFacts } from '../../domain/quote.ts'
import type { QuotesFrom } from '../../server/quotes/of-appointment.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'

type QuotesFromCardProps = {
  appointmentId: string
  quotes: NonNullable<QuotesFrom>
  /** What one that is begun here is called. */
  begin: string
  /** Another may be begun after one that was answered. */
  several?: boolean
}

/** What was quoted from a visit, or for an installation, and the way to quote it. */
export function QuotesFromCard({ appointmentId, quotes, begin, several = false }: QuotesFromCardProps) {
  const isFree = several ? !quotes.some(({ state }) => isOpenQuote(state)) : quotes.length === 0
  const draft = quotes.find(({ state }) => state === 'draft')
  return (
    <Card title="Cotización">
      {quotes.length > 0 && (
        <ul className="grid gap-1">
          {quotes.map(({ folio, id, revision, state }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
              <Link
                to={`/admin/cotizations/detail-quote/${id}`}
                prefetch="intent"
                className="flex min-h-11 items-center"
              >
                {folio} · versión {revision}
              </Link>
              <Badge tone={quoteStateFacts[state].tone}>{quoteStateFacts[state].label}</Badge>
            </li>
          ))}
        </ul>
      )}
      {(draft || isFree) && (
        <LinkButton
          to={`/admin/cotizations/add-quote/${appointmentId}`}
          variant={draft ? 'ghost' : 'primary'}
          className="justify-self-start"
        >
          {draft ? 'Seguir editando' : begin}
        </LinkButton>
      )}
    </Card>
  )
}
