import type { QuoteContent } from '../../domain/quotes/content.ts'
import { longDate } from '../../domain/shared/format.ts'
import { Alert } from '../ui/alert.tsx'
import { QuoteOptions } from './quote-options.tsx'
import { Terms } from './terms.tsx'

/** A draft as its customer would see it, of the same parts. */
export const BuildPreview = ({ content }: { content: QuoteContent }) => (
  <section aria-label="Vista previa" className="grid gap-4">
    <Alert tone="info" title="Así la verá el cliente">
      Podrá aceptarla hasta el {longDate(content.validUntil)}. Todavía no se guarda ni se envía.
    </Alert>
    <QuoteOptions content={content} />
    <Terms content={content} />
  </section>
)
