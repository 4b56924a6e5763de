import { withoutEnding } from './tidy.ts'

/** Whole centavos of an amount as people write it ("12,345.50", "$ 1500"), or null when it is not one. */
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
