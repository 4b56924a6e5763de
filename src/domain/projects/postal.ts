import type { MunicipalitySlug } from '../shared/regions.ts'

export type Place =
  | { area: 'served'; municipality: MunicipalitySlug }
  /** In Estado de México, outside the four municipalities served. */
  | { area: 'edomex' }
  /** Anywhere else, or not a postal code at all. */
  | { area: 'elsewhere' }

/** The borough that the first two digits of a code of Mexico City name. */
const boroughOf: Readonly<Record<string, MunicipalitySlug>> = {
  '01': 'alvaro-obregon',
  '02': 'azcapotzalco',
  '03': 'benito-juarez',
  '04': 'coyoacan',
  '05': 'cuajimalpa-de-morelos',
  '06': 'cuauhtemoc',
  '07': 'gustavo-a-madero',
  '08': 'iztacalco',
  '09': 'iztapalapa',
  '10': 'la-magdalena-contreras',
  '11': 'miguel-hidalgo',
  '12': 'milpa-alta',
  '13': 'tlahuac',
  '14': 'tlalpan',
  '15': 'venustiano-carranza',
  '16': 'xochimilco',
}

/** First and last code of each municipality served in Estado de México. */
const edomexRanges: readonly [from: number, to: number, MunicipalitySlug][] = [
  [50000, 50299, 'toluca'],
  [52000, 52059, 'lerma'],
  [52760, 52799, 'huixquilucan'],
  [53000, 53999, 'naucalpan'],
]

/** The area of a postal code, as far as its digits alone decide. */
export function placeOf(postalCode: string): Place {
  if (!/^\d{5}$/.test(postalCode)) return { area: 'elsewhere' }
  const code = Number(postalCode)
  const municipality =
    boroughOf[postalCode.slice(0, 2)] ?? edomexRanges.find(([from, to]) => code >= from && code <= to)?.[2]
  if (municipality) return { area: 'served', municipality }
  return { area: code >= 50000 && code <= 57999 ? 'edomex' : 'elsewhere' }
}
