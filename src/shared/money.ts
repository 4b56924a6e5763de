import { fixedPoint } from './format.ts'
import { withoutEnding } from './text.ts'

/** Whole centavos of a typed amount ("12,345.50", "$ 1500"), or null when it is invalid. */
export function centavosOf(typed: string): number | null {
  const plain = withoutEnding(typed.replace(/^\$\s*/, ''), 'MXN', 'pesos')
  const [, whole, decimals = ''] = /^(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(plain) ?? []
  return whole === undefined ? null : Number(whole.replaceAll(',', '') + decimals.padEnd(2, '0'))
}

/** Hundredths of a percent of "12.5", "12,5" or "12.5 %", or null when it is no percentage of at most two decimals. */
export function percentOf(typed: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(typed) ?? []
  return whole === undefined ? null : Number(whole + decimals.padEnd(2, '0'))
}

// Separate from the form's rules, so that live totals do not load the validator in the browser.

/** A typed number ("1,250.5", "$ 68"), in whole units of its last decimal; null when it is invalid. */
function scaled(typed: string, decimals: number): number | null {
  const plain = typed.trim().replace(/^\$\s*/, '')
  const [, whole, rest = ''] = /^(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d*))?$/.exec(plain) ?? []
  if (whole === undefined || rest.length > decimals) return null
  return Number(whole.replaceAll(',', '') + rest.padEnd(decimals, '0'))
}

/** Thousandths of a typed quantity; null when it is invalid. */
export const quantityOf = (typed: string) => scaled(typed, 3)

/** Ten-thousandths of a peso of a typed unit price; null when it is invalid. */
export const unitPriceOf = (typed: string) => scaled(typed, 4)

/** Tenths of a metre of a typed length; null when it is invalid. */
export const metresOf = (typed: string) => scaled(typed, 1)

/** A typed whole number; null when it is invalid. */
export const wholeOf = (typed: string) => scaled(typed, 0)

/** A typed discount: "10 %" in hundredths of a percent, "$500" in centavos; null when it is neither. */
export function discountOf(
  typed: string,
): { percent: number; amount: null } | { percent: null; amount: number } | null {
  const isPercent = /%\s*$/.test(typed)
  const value = scaled(typed.replace(/%\s*$/, ''), 2)
  if (value === null) return null
  return isPercent ? { percent: value, amount: null } : { percent: null, amount: value }
}

// Written back into form fields, without separators, so that parsing them gives the same number.

/** "24.5", of thousandths. */
export const quantityText = (quantity: number) => fixedPoint(quantity, 3, 0)

/** "68.00", "9482.7586", of ten-thousandths of a peso. */
export const unitPriceText = (unitPrice: number) => fixedPoint(unitPrice, 4, 2)

/** "12.5", of tenths. */
export const metresText = (metres: number) => fixedPoint(metres, 1, 0)

/** "12.5 %" of hundredths of a percent, "$500.00" of centavos. */
export const discountText = ({ amount, percent }: { amount: number | null; percent: number | null }) =>
  percent === null ? `$${fixedPoint(amount ?? 0, 2)}` : `${fixedPoint(percent, 2, 0)} %`

/** Whole centavos of "1234.5", or null when it is no amount of at most two decimals. */
export function centavosIn(pesos: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0{0,4})?$/.exec(pesos) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** "12.5" of a quantity in thousandths: without trailing zeros, since the SAT reads them as its precision. */
export const cfdiQuantity = (thousandths: number) => fixedPoint(thousandths, 3, 0)

/** "48.3750" of a price in ten-thousandths of a peso. */
export const cfdiUnitPrice = (tenThousandths: number) => fixedPoint(tenThousandths, 4)

/** "0.160000" of a rate in percent. */
export const rateOf = (percent: number) => fixedPoint(percent * 10_000, 6)
