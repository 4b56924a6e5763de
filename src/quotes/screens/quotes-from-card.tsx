import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import type { QuotesFrom } from '../detail.ts'

/** The quotes of a visit, or for an installation; nothing for users who don't write quotes, or while there is none. */
export function QuotesFromCard({ quotes }: { quotes: QuotesFrom }) {
  if (!quotes || quotes.length === 0) return null
  return (
    <Card title="Cotización">
      <ul className="grid gap-1">
        {quotes.map(({ folio, id, revision, shown }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4">
            <Link
              to={`/admin/cotizations/detail-quote/${id}`}
              prefetch="intent"
              className="flex min-h-11 items-center"
            >
              {folio} · versión {revision}
            </Link>
            <Badge tone={shown.tone}>{shown.label}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}
