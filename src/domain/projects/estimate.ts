import type { Settings } from '../settings/settings-schema.ts'
import { withoutEnding } from '../shared/tidy.ts'

/** A visitor's answers about their home: metres from meter to charger, and further needs. */
export type Wanted = { metres: number; secondMeter: boolean; charger: boolean }
/** Whole pesos as centavos, IVA included: a range, never a quote. */
export type Estimate = { low: number; high: number }

export const mostMetres = 300
/** Characters of the typed text that are read. */
const longest = 20

/** Metres as typed, with at most one decimal, or null when they are not plausible. */
export function metresOf(typed: string): number | null {
  const plain = withoutEnding(typed.trim().slice(0, longest), 'metros', 'metros.', 'm', 'm.')
  if (!/^\d{1,3}([.,]\d)?$/.test(plain)) return null
  const metres = Number(plain.replace(',', '.'))
  return metres <= mostMetres ? metres : null
}

/** What an installation costs, more or less. Each metre begun beyond those of the base price counts whole. */
export function estimateOf({ metres, secondMeter, charger }: Wanted, prices: Settings['estimate']): Estimate {
  const further = Math.max(0, Math.ceil(metres - prices.baseMetres))
  const total =
    prices.base +
    further * prices.perMetre +
    (secondMeter ? prices.secondMeter : 0) +
    (charger ? prices.charger : 0)
  return {
    low: wholePesos(total * (100 - prices.rangePercent)),
    high: wholePesos(total * (100 + prices.rangePercent)),
  }
}

/** Centavos in hundredths, to whole pesos in centavos. */
const wholePesos = (hundredths: number) => Math.round(hundredths / 10_000) * 100
