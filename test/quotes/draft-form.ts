import type { QuoteContent } from '../../src/quotes/rules/content.ts'
import { fieldsOf, typedOf } from '../../src/quotes/rules/draft.ts'
import { addDays, localDate, toMinutes } from '../../src/shared/calendar.ts'
import { content, line, option } from '../kit/quotes.ts'

/** What a small draft says: one option of one line, $1,160 with IVA, half of it as deposit. */
export const smallContent = (now: Date): QuoteContent =>
  content({
    options: [option('essential', { addOns: [], metres: null, lines: [line('1')] })],
    validUntil: addDays(localDate(toMinutes(now)), 15),
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
