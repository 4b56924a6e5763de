import { Link } from 'react-router'
import { quoteStateFacts } from '../../domain/quotes/quote.ts'
import { shortDate } from '../../domain/shared/format.ts'
import type { WholeQuote } from '../../server/quotes/detail.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'

/** The other quotes of the project, the newest first. */
export function DeskVersions({ versions }: Pick<WholeQuote, 'versions'>) {
  if (versions.length === 0) return null
  return (
    <Card title="Otras versiones y trabajos">
      <ul className="grid gap-1">
        {versions.map(({ createdAt, folio, id, kind, revision, sentAt, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <Link
              to={`/admin/cotizations/detail-quote/${id}`}
              prefetch="intent"
              className="flex min-h-11 items-center wrap-anywhere"
            >
              {folio} · {kind === 'extra_work' ? 'trabajo adicional' : `versión ${revision}`}
            </Link>
            <span className="flex items-center gap-3">
              <span className="text-sm text-mute">{shortDate(sentAt ?? createdAt)}</span>
              <Badge tone={quoteStateFacts[state].tone}>{quoteStateFacts[state].label}</Badge>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
