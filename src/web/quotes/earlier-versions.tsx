import { FileText } from 'lucide-react'
import { quoteStateFacts } from '../../domain/quotes/quote.ts'
import { shortDate } from '../../domain/shared/format.ts'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import type { OwnStory } from './own-loader.ts'

/** Every version that was sent before, to be read as it was. */
export function EarlierVersions({ versions }: { versions: OwnStory['earlier'] }) {
  if (versions.length === 0) return null
  return (
    <Card title="Versiones anteriores" className="lg:max-w-3xl">
      <ul className="grid gap-4">
        {versions.map(({ folio, id, revision, sentAt, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3">
            <span className="grid gap-0.5">
              <span>
                {folio}, versión {revision}
              </span>
              <span className="text-sm text-mute">Enviada el {shortDate(sentAt)}</span>
            </span>
            <span className="flex items-center gap-3">
              <Badge tone={quoteStateFacts[state].tone}>{quoteStateFacts[state].label}</Badge>
              <PaperLink id={id} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The document of a version. */
export const PaperLink = ({ id, children = 'PDF' }: { id: string; children?: string }) => (
  <a className={buttonClass('ghost')} href={`/papers/quote/${id}.pdf`}>
    <FileText aria-hidden className="size-5" />
    {children}
  </a>
)
