import type { QuoteContent } from '../../src/domain/quotes/content.ts'
import { fieldsOf, typedOf } from '../../src/domain/quotes/draft.ts'
import { addDays, localDate, toMinutes } from '../../src/domain/shared/calendar.ts'

/** What a small draft says: one option of one line, $1,160 with IVA, half of it as deposit. */
export const smallContent = (now: Date): QuoteContent => ({
  options: [
    {
      id: 'essential',
      summary: '',
      addOns: [],
      metres: null,
      lines: [
        {
          id: '1',
          kind: 'labor',
          description: 'Instalación',
          unit: 'servicio',
          quantity: 1000,
          unitPrice: 1000_0000,
          iva: 16,
          satProduct: '72151500',
          satUnit: 'E48',
        },
      ],
    },
  ],
  depositPercent: 50,
  validUntil: addDays(localDate(toMinutes(now)), 15),
  warrantyMonths: 12,
  exclusions: '',
  refundTerms: 'Lo que diga la ley.',
  notes: '',
})

/** The same with so many hundredths of a percent off. */
export const discounted = ({ options, ...rest }: QuoteContent, percent: number): QuoteContent => ({
  ...rest,
  options: options.map(({ lines, ...option }) => ({
    ...option,
    lines: [...lines, { id: 'd', kind: 'discount', description: 'Descuento', amount: null, percent }],
  })),
})

/** The form of the builder with that in it. */
export const draftForm = (now: Date): Record<string, string> => ({
  ...fieldsOf(typedOf(smallContent(now))),
  version: '0',
})
