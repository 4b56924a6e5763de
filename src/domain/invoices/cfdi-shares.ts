import type { Totals } from '../quotes/totals.ts'

/** What an amount is made of, in centavos: what bears 16 % and its IVA, and what bears 0 %. */
export type Share = { base16: number; iva16: number; base0: number }

export const shareTotal = ({ base16, iva16, base0 }: Share) => base16 + iva16 + base0
export const noShare: Share = { base16: 0, iva16: 0, base0: 0 }
export const together = (shares: readonly Share[]): Share =>
  shares.reduce(
    (sum, one) => ({
      base16: sum.base16 + one.base16,
      iva16: sum.iva16 + one.iva16,
      base0: sum.base0 + one.base0,
    }),
    noShare,
  )

/** What the lines of a quote come to, by their rates. */
export const shareOfLines = ({ lines }: Pick<Totals, 'lines'>): Share =>
  together(
    lines.map(({ line, net, iva }) =>
      line.iva === 16 ? { base16: net, iva16: iva, base0: 0 } : { base16: 0, iva16: 0, base0: net },
    ),
  )

/**
 * The next part of a whole, after those that were taken before: its pieces come to the amount exactly, those of all parts
 * to the whole. The IVA follows the whole's as closely as the SAT allows: it wants that of each part to be 16 % of its base
 * but for what rounding does to one figure, and the whole's was rounded line by line.
 */
export function nextShare(whole: Share, before: Share, amount: number): Share {
  const reached = shareTotal(before) + amount
  const base0 = Math.min(amount, Math.max(0, portion(whole.base0, reached, shareTotal(whole)) - before.base0))
  const gross = amount - base0
  const gross16 = whole.base16 + whole.iva16
  const wished = portion(whole.iva16, gross + before.base16 + before.iva16, gross16) - before.iva16
  const iva16 = allowedNear(wished, gross)
  return { base16: gross - iva16, iva16, base0 }
}

/** part · of / whole, half-up. */
const portion = (part: number, of: number, whole: number) =>
  whole === 0 ? 0 : Number((2n * BigInt(part) * BigInt(of) + BigInt(whole)) / (2n * BigInt(whole)))

/** The IVA that the SAT takes for a part with it, in centavos, as near to what is wished as can be. */
function allowedNear(wished: number, gross: number): number {
  const middle = portion(16, gross, 116)
  const allowed = [middle, middle - 1, middle + 1, middle - 2, middle + 2].filter(
    (iva) => iva >= 0 && iva < Math.max(gross, 1) && isIvaOf(gross - iva, iva),
  )
  return allowed.sort((a, b) => Math.abs(a - wished) - Math.abs(b - wished))[0] ?? middle
}

/** Whether the SAT takes an IVA for 16 % of a base, both with two decimals: within half a centavo of the base, rounded outwards. */
export const isIvaOf = (base: number, iva: number) =>
  iva >= Math.floor((base * 16 - 8) / 100) && iva <= Math.ceil((base * 16 + 8) / 100)
