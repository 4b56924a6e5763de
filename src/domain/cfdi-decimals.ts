/** "1234.50" of whole centavos, as a CFDI writes amounts. */
export const pesosOf = (centavos: number) => decimal(centavos, 2)

/** Whole centavos of "1234.5", or null when it is no amount of at most two decimals. */
export function centavosIn(pesos: string): number | null {
  const [, whole, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2})0{0,4})?$/.exec(pesos) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** "12.5" of a quantity in thousandths: no more decimals than it has, since the SAT takes them for its precision. */
export const quantityOf = (thousandths: number) => String(Number(decimal(thousandths, 3)))

/** "48.3750" of a price in ten-thousandths of a peso. */
export const unitPriceOf = (tenThousandths: number) => decimal(tenThousandths, 4)

/** "0.160000" of a rate in percent. */
export const rateOf = (percent: number) => decimal(percent * 10_000, 6)

function decimal(units: number, places: number): string {
  const digits = String(units).padStart(places + 1, '0')
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
