import { quoteStateFacts } from '../../domain/quotes/quote.ts'
import type { QuoteDetail } from '../../server/quotes/detail.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'

const kindWords = { installation: 'Instalación', extra_work: 'Trabajo adicional' } as const

/** The head of a quote's screen: its folio, how it stands, and the way to the next thing to write. */
export const QuoteHeader = ({ quote }: { quote: QuoteDetail }) => (
  <PageHeader
    title={quote.folio || 'Cotización'}
    subtitle={
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={quoteStateFacts[quote.state].tone}>{quoteStateFacts[quote.state].label}</Badge>
        <span>
          {kindWords[quote.kind]} · Versión {quote.revision}
        </span>
      </span>
    }
    back={{ to: '/admin/cotizations', label: 'Cotizaciones' }}
    actions={
      quote.reads === 'all' &&
      quote.state === 'draft' && (
        <LinkButton to={`/admin/cotizations/add-quote/${quote.visit.id}`}>Seguir editando</LinkButton>
      )
    }
  />
)
