import type { QuoteContent } from '../../domain/quotes/content.ts'
import { counted } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'

/** "12 meses" */
const months = (count: number) => counted(count, 'mes', 'meses')

/** What a quote says besides its lines. */
export const Terms = ({ content }: { content: QuoteContent }) => (
  <Card title="Condiciones" className="lg:max-w-3xl">
    <DefinitionList
      items={[
        {
          term: 'Garantía',
          value: content.warrantyMonths > 0 && `${months(content.warrantyMonths)} sobre la instalación`,
        },
        { term: 'Qué no incluye', value: content.exclusions && <Text>{content.exclusions}</Text> },
        { term: 'Si cancelas', value: <Text>{content.refundTerms}</Text> },
        { term: 'Notas', value: content.notes && <Text>{content.notes}</Text> },
      ]}
    />
  </Card>
)

/** Typed in lines. */
const Text = ({ children }: { children: string }) => <span className="whitespace-pre-line">{children}</span>
