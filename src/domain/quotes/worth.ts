import {
  type CatalogueItem,
  type ChargedLine,
  isCharged,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from './content.ts'
import { grossOf, priceWithIva, totalsOf, totalsOfOption } from './totals.ts'

/** An item of the catalogue as it is now, active or not, with its cost where it is known. */
export type PricedItem = CatalogueItem & { unitCost: number | null }

/** How far an offer is below what it should come to, in hundredths of a percent, and whether an option is below its cost. */
export type Worth = { belowList: number; belowCost: boolean }

/**
 * Measures an offer by what nobody types: the catalogue's prices of this moment, and what its report proposes. Each option is
 * worth the dearer of the two, so that a line left out, or written by hand, lowers nothing of what it is measured by.
 */
export function worthOf(
  { options }: Pick<QuoteContent, 'options'>,
  catalogue: readonly PricedItem[],
  proposal: readonly QuoteOption[],
): Worth {
  const each = options.map((option) =>
    measured(option, proposal.find(({ id }) => id === option.id) ?? null, catalogue),
  )
  return {
    belowList: Math.max(0, ...each.map(({ belowList }) => belowList)),
    belowCost: each.some(({ belowCost }) => belowCost),
  }
}

function measured(
  option: QuoteOption,
  proposed: QuoteOption | null,
  catalogue: readonly PricedItem[],
): Worth {
  const listed = (lines: readonly QuoteLine[]) => totalsOf(atList(lines, catalogue)).total
  const base = Math.max(
    listed(option.lines),
    proposed ? totalsOf(proposed.lines).total + moreMetres(option, proposed) : 0,
  )
  const [plain, withAll] = [
    totalsOfOption(option),
    totalsOfOption(
      option,
      option.addOns.map(({ id }) => id),
    ),
  ]
  const cost = Math.max(costOf(option.lines, catalogue), costOf(proposed?.lines ?? [], catalogue))
  // Every line's IVA is rounded by itself.
  const rounding = option.lines.length + option.addOns.length
  const [further, should] = [option.metres?.furtherPrice, proposed?.metres?.furtherPrice]
  return {
    belowList: Math.max(
      below(plain.total, base, rounding),
      below(withAll.total, base + listed(option.addOns), rounding),
      further === undefined ? 0 : below(further, should ?? 0, 0),
    ),
    belowCost: plain.net < cost || withAll.net < cost + costOf(option.addOns, catalogue),
  }
}

/** What is promised beyond the metres of the proposal, at its price of each further one. */
function moreMetres({ metres }: QuoteOption, proposed: QuoteOption): number {
  if (!metres || !proposed.metres) return 0
  const more = Math.max(0, metres.included - proposed.metres.included)
  return Math.round((more * priceWithIva(proposed.metres.furtherPrice, 16)) / 10)
}

/** The lines that are charged, at the catalogue's prices where it knows them. */
const atList = (lines: readonly QuoteLine[], catalogue: readonly PricedItem[]): ChargedLine[] =>
  lines.filter(isCharged).map((line) => {
    const item = itemOf(line, catalogue)
    return item ? { ...line, unitPrice: item.unitPrice, iva: item.iva } : line
  })

const costOf = (lines: readonly QuoteLine[], catalogue: readonly PricedItem[]): number =>
  lines.filter(isCharged).reduce((sum, line) => {
    const unitPrice = itemOf(line, catalogue)?.unitCost ?? 0
    return sum + grossOf({ quantity: line.quantity, unitPrice })
  }, 0)

/** By the code it carries; one that was typed in the catalogue's own words is that item, too. */
const itemOf = ({ code, description }: ChargedLine, catalogue: readonly PricedItem[]) =>
  catalogue.find((item) => item.code === code) ?? catalogue.find((item) => item.description === description)

/** Rounded up, as a discount's share is: 20.001 % is over 20 %. */
function below(amount: number, reference: number, rounding: number): number {
  const missing = reference - amount - rounding
  if (reference <= 0 || missing <= 0) return 0
  const whole = BigInt(reference)
  return Number((BigInt(missing) * 10_000n + whole - 1n) / whole)
}
