import { unitPrice } from '../../shared/format.ts'
import { metresOf, quantityOf, unitPriceOf, unitPriceText } from '../../shared/money.ts'
import type { CatalogueItem } from './content.ts'
import { isByMetre, wiresIn } from './metres.ts'

type PricedLine = Record<'kind' | 'code' | 'description' | 'unit' | 'quantity' | 'unitPrice', string>
type PricedOption<Line> = {
  lines: readonly Line[]
  addOns: readonly Line[]
  /** The metres that its lines were counted with, and the price of each further one. */
  counted: string
  furtherPrice: string
}

/** An item whose price in a draft is not the catalogue's, in ten-thousandths of a peso without IVA. */
type PriceChange = { code: string; description: string; unit: string; from: number; to: number }

/** The prices of a draft that the catalogue has otherwise today, each once however many lines have it. */
export function pricesApart<Line extends PricedLine>(
  options: readonly PricedOption<Line>[],
  catalogue: readonly CatalogueItem[],
): PriceChange[] {
  const found = options.flatMap(({ addOns, lines }) =>
    [...lines, ...addOns].flatMap((line): PriceChange[] => {
      const from = unitPriceOf(line.unitPrice)
      const to = priceOf(line, catalogue)
      const { code, description, unit } = line
      return from === null || to === null || from === to ? [] : [{ code, description, unit, from, to }]
    }),
  )
  return [...new Map(found.map((one) => [`${one.code} ${one.from}`, one])).values()]
}

/** The descriptions of a draft's lines whose item the catalogue no longer has in use, each once. */
export const retiredIn = <Line extends PricedLine>(
  options: readonly Pick<PricedOption<Line>, 'lines' | 'addOns'>[],
  catalogue: readonly CatalogueItem[],
): string[] => [
  ...new Set(
    options
      .flatMap(({ addOns, lines }) => [...lines, ...addOns])
      .filter(({ code, kind }) => kind !== 'discount' && code !== '' && !itemOf(code, catalogue))
      .map(({ description }) => description),
  ),
]

/** What the catalogue has otherwise than a draft, in words; null where it agrees. */
export function catalogueDoubt<Line extends PricedLine>(
  options: readonly PricedOption<Line>[],
  catalogue: readonly CatalogueItem[],
): string | null {
  const apart = pricesApart(options, catalogue).map(priceChangeWords)
  const retired = retiredIn(options, catalogue)
  const said = [...apart, ...(retired.length > 0 ? [`ya no se usa: ${retired.join(', ')}`] : [])]
  return said.length > 0 ? said.join('; ') : null
}

/** "Cable: de $36.00 a $50.00 por m". */
export const priceChangeWords = ({ description, from, to, unit }: PriceChange) =>
  `${description}: de ${unitPrice(from)} a ${unitPrice(to)} por ${unit}`

/** An option at the catalogue's prices; a further metre too, where its price was that of the lines by the metre. */
export function repriced<Line extends PricedLine, Option extends PricedOption<Line>>(
  option: Option & PricedOption<Line>,
  catalogue: readonly CatalogueItem[],
): Option {
  const atToday = (line: Line): Line => {
    const price = priceOf(line, catalogue)
    return price === null || price === unitPriceOf(line.unitPrice)
      ? line
      : { ...line, unitPrice: unitPriceText(price) }
  }
  const lines = option.lines.map(atToday)
  const isOfLines = unitPriceOf(option.furtherPrice) === furtherPrice(option.lines, option.counted)
  return {
    ...option,
    lines,
    addOns: option.addOns.map(atToday),
    ...(isOfLines && { furtherPrice: unitPriceText(furtherPrice(lines, option.counted)) }),
  }
}

const itemOf = (code: string, catalogue: readonly CatalogueItem[]) =>
  catalogue.find((item) => item.code === code)

const priceOf = ({ code, kind }: PricedLine, catalogue: readonly CatalogueItem[]) =>
  kind === 'discount' || code === '' ? null : (itemOf(code, catalogue)?.unitPrice ?? null)

/** What one more metre of all lines by the metre costs. */
const furtherPrice = (lines: readonly PricedLine[], counted: string): number =>
  lines.filter(isByMetre).reduce((sum, { quantity, unitPrice }) => {
    const times = wiresIn(quantityOf(quantity) ?? 0, metresOf(counted) ?? 0) ?? 0
    return sum + times * (unitPriceOf(unitPrice) ?? 0)
  }, 0)
