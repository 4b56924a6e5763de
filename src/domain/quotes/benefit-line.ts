import { type Benefit, benefitWords } from '../agencies/code.ts'
import type { DiscountLine, QuoteContent, QuoteLine } from './quote-content.ts'

/** What a customer's code gives, with the code's text. */
export type GivenBenefit = { codeText: string; benefit: Benefit }

/** The id of a code's line in every option of a quote; those of typed lines are numbers. */
export const benefitLineId = 'benefit'

/** The line by which a code takes something off a quote; null where it gives nothing there. */
export function benefitLine(given: GivenBenefit | null): DiscountLine | null {
  if (given?.benefit.kind !== 'percent' && given?.benefit.kind !== 'amount') return null
  const { benefit, codeText } = given
  const line = { id: benefitLineId, kind: 'discount' as const, description: wordsOf(codeText, benefit) }
  return benefit.kind === 'percent'
    ? { ...line, percent: benefit.value, amount: null }
    : { ...line, amount: benefit.value, percent: null }
}

const wordsOf = (codeText: string, benefit: Benefit) => `Código ${codeText}: ${benefitWords(benefit)}`

/** Lines with a code's line at their end, in the place of any that was there. */
export const linesWith = (lines: readonly QuoteLine[], line: DiscountLine | null): readonly QuoteLine[] => [
  ...lines.filter(({ id }) => id !== benefitLineId),
  ...(line ? [line] : []),
]

/** The content with a code's line in each option or, for null, without it. */
export const withBenefit = (content: QuoteContent, given: GivenBenefit | null): QuoteContent => ({
  ...content,
  options: content.options.map((option) => ({
    ...option,
    lines: linesWith(option.lines, benefitLine(given)),
  })),
})

/** The line by which what is offered takes something off by a code; the same in each option. */
export const benefitOf = ({ options }: Pick<QuoteContent, 'options'>) =>
  options.flatMap(({ lines }) => lines).find(({ id }) => id === benefitLineId) ?? null
