import { money, quantity as quantityInWords, thousands } from '../../shared/format.ts'
import { metresOf, quantityOf, quantityText } from '../../shared/money.ts'
import {
  type ChargedLine,
  isCharged,
  optionNames,
  type QuoteContent,
  type QuoteLine,
  type QuoteOption,
} from './content.ts'
import { priceWithIva } from './totals.ts'

/** How many conductors of one line may lie beside each other along the cable's route. */
const mostTimes = 4

/** Whether a line is charged by the metre, by its unit. */
export const isByMetre = ({ kind, unit }: { kind: string; unit: string }) =>
  kind !== 'discount' && /^\s*(m|metros?)\s*$/i.test(unit)

/** How many times a quantity in thousandths is so many tenths of a metre; null where it is no whole number of times. */
export function wiresIn(quantity: number, metres: number): number | null {
  const times = quantity / (metres * 100)
  return Number.isInteger(times) && times >= 1 && times <= mostTimes ? times : null
}

/**
 * The metres, in tenths, that an option's lines were counted with: those it promises where a line agrees, else those
 * with which most lines agree; null where it has no line by the metre.
 */
export function metresCounted({ lines, metres }: Pick<QuoteOption, 'lines' | 'metres'>): number | null {
  const quantities = lines
    .filter(isCharged)
    .filter(isByMetre)
    .map(({ quantity }) => quantity)
  const agreeing = (tenths: number) => quantities.filter((each) => wiresIn(each, tenths) !== null).length
  if (metres && agreeing(metres.included) > 0) return metres.included
  const found = quantities.filter((each) => each % 100 === 0).map((each) => each / 100)
  return found.toSorted((a, b) => agreeing(b) - agreeing(a))[0] ?? null
}

type TypedByMetre = { kind: string; unit: string; quantity: string }

/** The typed lines for other metres: those that stood for the metres before. One changed by hand stays as it is. */
export function recounted<Line extends TypedByMetre>(
  lines: readonly Line[],
  before: string,
  after: string,
): readonly Line[] {
  const from = metresOf(before)
  const to = metresOf(after)
  if (!from || !to) return lines
  return lines.map((line) => {
    const times = isByMetre(line) ? wiresIn(quantityOf(line.quantity) ?? 0, from) : null
    return times === null ? line : { ...line, quantity: quantityText(times * to * 100) }
  })
}

/** The lines by the metre that do not stand for the metres that their option promises. */
export const linesApart = (lines: readonly QuoteLine[], metres: number | null): ChargedLine[] =>
  metres
    ? lines.filter(isCharged).filter((line) => isByMetre(line) && wiresIn(line.quantity, metres) === null)
    : []

/** "12 m", of tenths. */
export const metresInWords = (tenths: number) => `${thousands(tenths / 10)}\u00a0m`

/**
 * What a customer reads of an option's metres: those of the route, which lines of several conductors exceed. Where a
 * line has fewer, nothing is promised beside it.
 */
export function metresPromise({ lines, metres }: QuoteOption): string | null {
  if (!metres) return null
  const { furtherPrice, included } = metres
  const further = `Cada metro adicional cuesta ${money(priceWithIva(furtherPrice, 16))} con IVA.`
  const isShort = linesApart(lines, included).some(({ quantity }) => quantity < included * 100)
  return isShort
    ? further
    : `Incluye ${metresInWords(included)} de recorrido, del tablero al cargador. ${further}`
}

/**
 * Why the lines of an offer do not stand for the metres that it promises, and a sign of just these figures, which its
 * author confirms; null where they do.
 */
export function metresDoubt({ options }: Pick<QuoteContent, 'options'>) {
  const apart = options.flatMap(({ addOns, id, lines, metres }) => {
    const included = metres?.included ?? null
    return linesApart([...lines, ...addOns], included).map((line) => ({ id, included: included ?? 0, line }))
  })
  if (apart.length === 0) return null
  const words = apart.map(
    ({ id, included, line }) =>
      `${optionNames[id]} promete ${metresInWords(included)} y lleva ${quantityInWords(line.quantity)}\u00a0m de «${line.description}».`,
  )
  const sign = apart.map(({ id, included, line }) => `${id} ${included} ${line.id} ${line.quantity}`)
  return { words: words.join(' '), sign: sign.join(', ') }
}
