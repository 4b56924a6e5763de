import { isOpenQuote, quoteStateFacts } from '../../domain/quotes/quote.ts'
import { money } from '../../domain/shared/format.ts'
import type { OwnQuote } from '../../server/quotes/own.ts'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { AcceptForm } from './accept-form.tsx'
import { Answers } from './answer-forms.tsx'
import { PaperLink } from './earlier-versions.tsx'
import type { OwnQuotesPage } from './own-loader.ts'
import { Validity } from './validity.tsx'

type ExtraWorkProps = { quotes: readonly OwnQuote[]; page: OwnQuotesPage }

/** What came up on site, besides the quote: it is done, and charged, only once its customer accepts it. */
export const ExtraWork = ({ quotes, page }: ExtraWorkProps) =>
  quotes.map((quote) => (
    <section key={quote.id} className="grid gap-4">
      <Card
        title="Trabajo adicional"
        aside={
          <Badge tone={quoteStateFacts[quote.state].tone}>
            {isOpenQuote(quote.state) ? 'Te toca' : quoteStateFacts[quote.state].label}
          </Badge>
        }
        className="lg:max-w-3xl"
      >
        <p>{wordsOf(quote)}</p>
        {isOpenQuote(quote.state) && <Validity until={quote.validUntil} now={page.now} />}
        <p className="flex flex-wrap gap-3">
          <PaperLink id={quote.id}>Descargar en PDF</PaperLink>
          {quote.accepted && (
            <LinkButton variant="ghost" to="/payments">
              Ver mis pagos
            </LinkButton>
          )}
        </p>
      </Card>
      {isOpenQuote(quote.state) && (
        <>
          <AcceptForm quote={quote} />
          <Answers quote={quote} />
        </>
      )}
    </section>
  ))

function wordsOf({ accepted, folio, state }: OwnQuote): string {
  if (isOpenQuote(state))
    return `En tu instalación hace falta algo que no estaba en tu cotización (${folio}). Sin tu aceptación no se hace ni se cobra.`
  return accepted
    ? `Aceptaste ${money(accepted.total)} con IVA (${folio}).`
    : `No se hace ni se cobra (${folio}).`
}
