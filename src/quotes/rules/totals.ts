import { type Benefit, benefitWords } from '../../agencies/rules/codes.ts'
import { money, percent } from '../../shared/format.ts'
import {
  type ChargedLine,
  type DiscountLine,
  isCharged,
  type OptionId,
  optionOf,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from './content.ts'

/** A computed line, in centavos: before and after its share of the discount, its IVA, and the sum. */
export type LineTotal = {
  line: ChargedLine
  gross: number
  discount: number
  net: number
  iva: number
  total: number
}

/** The totals of lines, in centavos; `subtotal` is before discounts, `net` after them. */
export type Totals = {
  lines: readonly LineTotal[]
  subtotal: number
  discount: number
  net: number
  iva: number
  total: number
}

/** a / b, half-up; both whole and not negative. */
const halfUp = (a: bigint, b: bigint) => Number((2n * a + b) / (2n * b))

/** Centavos of a quantity in thousandths at a price in ten-thousandths of a peso, half-up. */
export const grossOf = ({ quantity, unitPrice }: Pick<ChargedLine, 'quantity' | 'unitPrice'>) =>
  halfUp(BigInt(quantity) * BigInt(unitPrice), 100_000n)

/** The IVA of centavos, half-up. */
const ivaOf = (net: number, rate: number) => halfUp(BigInt(net) * BigInt(rate), 100n)

/**
 * The totals of lines. Discounts never exceed the subtotal; they are spread over the lines in proportion, to the last
 * centavo, and each line's IVA is computed on its remainder.
 */
export function totalsOf(lines: readonly QuoteLine[]): Totals {
  const charged = lines.filter(isCharged)
  const gross = charged.map(grossOf)
  const subtotal = sum(gross)
  const discount = Math.min(subtotal, sum(lines.map((line) => takenOff(line, subtotal))))
  const shares = spread(discount, gross)
  const worked = charged.map((line, n): LineTotal => {
    const net = gross[n]! - shares[n]!
    const iva = ivaOf(net, line.iva)
    return { line, gross: gross[n]!, discount: shares[n]!, net, iva, total: net + iva }
  })
  const iva = sum(worked.map((one) => one.iva))
  const net = subtotal - discount
  return { lines: worked, subtotal, discount, net, iva, total: net + iva }
}

/** The totals of an option with the chosen add-ons; discounts do not apply to add-ons. */
export function totalsOfOption(
  option: Pick<QuoteOption, 'lines' | 'addOns'>,
  chosen: readonly string[] = [],
): Totals {
  const base = totalsOf(option.lines)
  const added = totalsOf(option.addOns.filter(({ id }) => chosen.includes(id)))
  return {
    lines: [...base.lines, ...added.lines],
    subtotal: base.subtotal + added.subtotal,
    discount: base.discount,
    net: base.net + added.net,
    iva: base.iva + added.iva,
    total: base.total + added.total,
  }
}

/** The totals of what a customer accepted of a quote; null before. */
export function agreedTotals({ acceptedAddOns, acceptedOption, content }: Accepted): Totals | null {
  const option = optionOf(content, acceptedOption ?? '')
  return option ? totalsOfOption(option, acceptedAddOns) : null
}
type Accepted = { content: QuoteContent; acceptedOption: string | null; acceptedAddOns: readonly string[] }

/**
 * The amount of each discount, in centavos: together exactly the discount of the totals; the last one takes the rest.
 */
export function discountsOf(lines: readonly QuoteLine[]): { line: DiscountLine; amount: number }[] {
  const { discount, subtotal } = totalsOf(lines)
  let left = discount
  return lines.flatMap((line) => {
    if (isCharged(line)) return []
    const amount = Math.min(left, takenOff(line, subtotal))
    left -= amount
    return [{ line, amount }]
  })
}

/** A sum of an option in words, in centavos; negative for a discount. */
type SumRow = { label: string; amount: number; isTotal?: true }

/**
 * How the total of an option comes about, the same on screens and papers: the lines without IVA add up to the subtotal,
 * and each further row follows from those above it. A share that leaves chosen add-ons out says of what it is.
 */
export function sumRows({ lines }: Pick<QuoteOption, 'lines'>, totals: Totals): SumRow[] {
  const base = totalsOf(lines).subtotal
  const of = base < totals.subtotal ? ` de ${money(base)}, sin adicionales` : ''
  return [
    { label: 'Subtotal sin IVA', amount: totals.subtotal },
    ...discountsOf(lines).map(({ amount, line }) => ({
      label: discountLabel(line) + (line.percent === null ? '' : of),
      amount: -amount,
    })),
    ...(totals.discount > 0 ? [{ label: 'Subtotal con descuento', amount: totals.net }] : []),
    {
      label: totals.lines.every(({ line }) => line.iva === 16) ? 'IVA 16\u00a0%' : 'IVA',
      amount: totals.iva,
    },
    { label: 'Total con IVA', amount: totals.total, isTotal: true },
  ]
}

/** "Descuento por volumen, 5 %"; a code's line already states its amount. */
export function discountLabel({ amount, description, id, percent: share }: DiscountLine): string {
  if (id === benefitLineId) return description
  const words = /^descuento/i.test(description) ? description : `Descuento: ${description}`
  return `${words}, ${share === null ? money(amount) : percent(share)}`
}

/** The deposit of a total, in centavos, half-up. */
export const depositOf = (total: number, percent: number) => halfUp(BigInt(total) * BigInt(percent), 100n)

/**
 * The share of discounts in the lines' subtotal, in hundredths of a percent, rounded up: 20.001 % is over 20 %. A
 * percentage counts exactly, not by its rounded centavos: 10 % and 10 % are 20 % of any sum.
 */
export function discountShareOf(lines: readonly QuoteLine[]): number {
  const { subtotal } = totalsOf(lines)
  if (subtotal === 0) return 0
  const off = lines.filter((line) => !isCharged(line))
  const percents = sum(off.map(({ percent }) => percent ?? 0))
  const amounts = BigInt(sum(off.map(({ amount }) => amount ?? 0)))
  const whole = BigInt(subtotal)
  return Math.min(100_00, percents + Number((amounts * 10_000n + whole - 1n) / whole))
}

/** The price with IVA of one more unit at a price in ten-thousandths of a peso, in centavos. */
export const priceWithIva = (unitPrice: number, rate: number) => {
  const net = grossOf({ quantity: 1000, unitPrice })
  return net + ivaOf(net, rate)
}

function takenOff(line: QuoteLine, subtotal: number): number {
  if (isCharged(line)) return 0
  return line.percent === null ? line.amount : halfUp(BigInt(subtotal) * BigInt(line.percent), 10_000n)
}

/**
 * Shares of an amount in proportion to weights, whole and exact: the remainder of rounding down goes, one each, to the
 * shares that lost most, the first among equals. No share exceeds its weight where the amount does not exceed their
 * sum.
 */
export function spread(amount: number, weights: readonly number[]): number[] {
  const whole = BigInt(sum(weights))
  if (whole === 0n) return weights.map(() => 0)
  const exact = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const shares = exact.map((product) => Number(product / whole))
  const left = amount - sum(shares)
  const byRemainder = exact
    .map((product, at) => ({ at, remainder: product % whole }))
    .sort((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
  for (const { at } of byRemainder.slice(0, left)) shares[at] = shares[at]! + 1
  return shares
}

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0)

/** The benefit of a customer's code, with the code's text. */
export type GivenBenefit = { codeText: string; benefit: Benefit }

/** The id of a code's line in every option of a quote; typed lines have numbers. */
export const benefitLineId = 'benefit'

/** The discount line of a code; null where its benefit is no discount. */
export function benefitLine(given: GivenBenefit | null): DiscountLine | null {
  if (given?.benefit.kind !== 'percent' && given?.benefit.kind !== 'amount') return null
  const { benefit, codeText } = given
  const line = { id: benefitLineId, kind: 'discount' as const, description: wordsOf(codeText, benefit) }
  return benefit.kind === 'percent'
    ? { ...line, percent: benefit.value, amount: null }
    : { ...line, amount: benefit.value, percent: null }
}

/** Stored as a line, which goes onto invoices: with plain spaces. */
const wordsOf = (codeText: string, benefit: Benefit) =>
  `Código ${codeText}: ${benefitWords(benefit)}`.replaceAll('\u00a0', ' ')

/** Lines with a code's line at their end, replacing an earlier one. */
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

/** The discount line of a code in an offer; the same in each option. */
export const benefitOf = ({ options }: Pick<QuoteContent, 'options'>) =>
  options.flatMap(({ lines }) => lines).find(({ id }) => id === benefitLineId) ?? null

/** A customer's choice before accepting a quote: an option, and the add-ons of each. */
export type QuoteChoice = { option: string | null; addOns: Partial<Record<string, readonly string[]>> }

/** The name of an add-on's box in a form: the same line may be in several options. */
export const addOnField = (option: OptionId, lineId: string) => `add-${option}-${lineId}`

/** The choice in a form that shows all options. */
export const quoteChoiceIn = (
  { options }: Pick<QuoteContent, 'options'>,
  fields: Readonly<Partial<Record<string, unknown>>>,
): QuoteChoice => ({
  option: options.find(({ id }) => id === fields.option)?.id ?? null,
  addOns: Object.fromEntries(options.map((option) => [option.id, addOnsIn(option, fields)])),
})

const addOnsIn = ({ addOns, id }: QuoteOption, fields: Readonly<Partial<Record<string, unknown>>>) =>
  addOns.filter((line) => fields[addOnField(id, line.id)]).map((line) => line.id)

/** The total and deposit of a choice, in centavos, IVA included; null before an option is chosen. */
export function choiceTotal(content: Pick<QuoteContent, 'options' | 'depositPercent'>, choice: QuoteChoice) {
  const option = choice.option === null ? undefined : optionOf(content, choice.option)
  if (!option) return null
  const { total } = totalsOfOption(option, choice.addOns[option.id] ?? [])
  return { option: option.id, total, deposit: depositOf(total, content.depositPercent) }
}

/**
 * The totals of options from the cheapest to the dearest without add-ons, IVA included, in centavos; and their largest
 * discount, in hundredths of a percent.
 */
export function offerOf({ options }: Pick<QuoteContent, 'options'>) {
  const all = options.map((option) => totalsOfOption(option).total)
  return {
    lowestTotal: Math.min(...all),
    highestTotal: Math.max(...all),
    discountShare: Math.max(...options.map(({ lines }) => discountShareOf(lines))),
  }
}
