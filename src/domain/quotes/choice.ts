import { type OptionId, optionOf, type QuoteContent, type QuoteOption } from './content.ts'
import { depositOf, discountShareOf, totalsOfOption } from './totals.ts'

/** What a customer picks of a quote before accepting it: an option, and what is added to each. */
export type QuoteChoice = { option: string | null; addOns: Partial<Record<string, readonly string[]>> }

/** What the box of an add-on is called in a form: the same line may stand in several options. */
export const addOnField = (option: OptionId, lineId: string) => `add-${option}-${lineId}`

/** What is ticked in a form that shows all options. */
export const quoteChoiceIn = (
  { options }: Pick<QuoteContent, 'options'>,
  fields: Readonly<Partial<Record<string, unknown>>>,
): QuoteChoice => ({
  option: options.find(({ id }) => id === fields.option)?.id ?? null,
  addOns: Object.fromEntries(options.map((option) => [option.id, addOnsIn(option, fields)])),
})

const addOnsIn = ({ addOns, id }: QuoteOption, fields: Readonly<Partial<Record<string, unknown>>>) =>
  addOns.filter((line) => fields[addOnField(id, line.id)]).map((line) => line.id)

/** What a choice comes to, in centavos, IVA included; null before an option is chosen. */
export function choiceTotal(content: Pick<QuoteContent, 'options' | 'depositPercent'>, choice: QuoteChoice) {
  const option = choice.option === null ? undefined : optionOf(content, choice.option)
  if (!option) return null
  const { total } = totalsOfOption(option, choice.addOns[option.id] ?? [])
  return { option: option.id, total, deposit: depositOf(total, content.depositPercent) }
}

/** What options come to, from the cheapest to the dearest without add-ons, IVA included, in centavos; and their largest discount, in hundredths of a percent. */
export function offerOf({ options }: Pick<QuoteContent, 'options'>) {
  const all = options.map((option) => totalsOfOption(option).total)
  return {
    lowestTotal: Math.min(...all),
    highestTotal: Math.max(...all),
    discountShare: Math.max(...options.map(({ lines }) => discountShareOf(lines))),
  }
}
