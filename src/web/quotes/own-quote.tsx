import { isOpenQuote } from '../../domain/quotes/quote.ts'
import { Alert } from '../ui/alert.tsx'
import { Details } from '../ui/details.tsx'
import { AcceptForm } from './accept-form.tsx'
import { Answers } from './answer-forms.tsx'
import type { OwnQuotesPage, OwnStory } from './own-loader.ts'
import { QuoteChanges } from './quote-changes.tsx'
import { QuoteOptions } from './quote-options.tsx'
import { QuoteStanding } from './quote-standing.tsx'
import { Terms } from './terms.tsx'

type OwnQuoteViewProps = { story: OwnStory; page: OwnQuotesPage }

/** The quote of an installation as its customer reads and answers it. */
export function OwnQuoteView({ story, page }: OwnQuoteViewProps) {
  const { agreed, before, current, difference } = story
  const isOpen = isOpenQuote(current.state)
  return (
    <>
      <QuoteStanding quote={current} page={page} />
      {agreed && isOpen && (
        <Alert tone="info" title={`La versión ${agreed.revision}, que ya aceptaste, sigue en pie`}>
          Si aceptas esta, la reemplaza y lo que pagaste cuenta para ella. Si no, todo queda como está.
        </Alert>
      )}
      {before && difference && (
        <QuoteChanges difference={difference} before={before.revision} isOpen={isOpen} />
      )}
      {isOpen ? (
        <>
          <AcceptForm quote={current} isMain />
          <Answers quote={current} />
        </>
      ) : (
        current.state !== 'accepted' && (
          <Details summary="Ver lo que te ofrecimos">
            <QuoteOptions content={current.content} />
            <Terms content={current.content} />
          </Details>
        )
      )}
    </>
  )
}
