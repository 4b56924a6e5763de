import { fixedPoint } from './format.ts'

/** Whole centavos of "1234.5", or null when it is no amount of at most two decimals. */
export function centavosIn(pesos: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0{0,4})?$/.exec(pesos) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** "12.5" of a quantity in thousandths: no more decimals than it has, since the SAT takes them for its precision. */
export const quantityOf = (thousandths: number) => fixedPoint(thousandths, 3, 0)

/** "48.3750" of a price in ten-thousandths of a peso. */
export const unitPriceOf = (tenThousandths: number) => fixedPoint(tenThousandths, 4)

/** "0.160000" of a rate in percent. */
export const rateOf = (percent: number) => fixedPoint(percent * 10_000, 6)
