import { type MunicipalitySlug, municipalities, type StateSlug } from '../../shared/places.ts'
import { withoutAccents } from '../../shared/text.ts'

export type Place =
  | { area: 'served'; municipality: MunicipalitySlug }
  /** In Estado de México, outside the four municipalities served. */
  | { area: 'edomex' }
  /** Anywhere else, or not a postal code at all. */
  | { area: 'elsewhere' }

/** The boroughs of Mexico City by the first two digits of a postal code. */
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

/** The states by the first two digits of their codes, each range with both its ends. */
const statePrefixes: readonly [from: number, to: number, StateSlug][] = [
  [1, 16, 'cdmx'],
  [20, 20, 'aguascalientes'],
  [21, 22, 'baja-california'],
  [23, 23, 'baja-california-sur'],
  [24, 24, 'campeche'],
  [25, 27, 'coahuila'],
  [28, 28, 'colima'],
  [29, 30, 'chiapas'],
  [31, 33, 'chihuahua'],
  [34, 35, 'durango'],
  [36, 38, 'guanajuato'],
  [39, 41, 'guerrero'],
  [42, 43, 'hidalgo'],
  [44, 49, 'jalisco'],
  [50, 57, 'edomex'],
  [58, 61, 'michoacan'],
  [62, 62, 'morelos'],
  [63, 63, 'nayarit'],
  [64, 67, 'nuevo-leon'],
  [68, 71, 'oaxaca'],
  [72, 75, 'puebla'],
  [76, 76, 'queretaro'],
  [77, 77, 'quintana-roo'],
  [78, 79, 'san-luis-potosi'],
  [80, 82, 'sinaloa'],
  [83, 85, 'sonora'],
  [86, 86, 'tabasco'],
  [87, 89, 'tamaulipas'],
  [90, 90, 'tlaxcala'],
  [91, 96, 'veracruz'],
  [97, 97, 'yucatan'],
  [98, 99, 'zacatecas'],
]

/** The state of a postal code; null where no place of Mexico has it. */
export function stateOfCode(postalCode: string): StateSlug | null {
  if (!/^\d{5}$/.test(postalCode) || postalCode === '99999') return null
  const prefix = Number(postalCode.slice(0, 2))
  return statePrefixes.find(([from, to]) => prefix >= from && prefix <= to)?.[2] ?? null
}

/** The answer to a code that is none. */
export const noSuchCode = 'Ese código postal no existe. Revísalo.'
/** What is wrong with a postal code of any place in Mexico; null where nothing is. */
export function faultOfCode(postalCode: string): string | null {
  if (postalCode === '') return 'Escribe tu código postal.'
  if (!/^\d{5}$/.test(postalCode)) return 'El código postal tiene 5 dígitos.'
  return stateOfCode(postalCode) === null ? noSuchCode : null
}
/** The answer to one that we do not serve. */
export const notYetAt = (postalCode: string) => `Todavía no llegamos al ${postalCode}.`

/** A row of the postal service's list: one settlement of a postal code. */
export type PostalLine = { postalCode: string; colonia: string; municipality: string; state: string }

/** The columns used of the official file, by their names there. */
const columns = { postalCode: 'd_codigo', colonia: 'd_asenta', municipality: 'D_mnpio', state: 'd_estado' }

/**
 * The settlements of the official text file (columns separated by |, a notice before the header). Throws for any other
 * file.
 */
export function parsePostalList(text: string): PostalLine[] {
  const lines = text.split(/\r?\n/)
  const at = lines.findIndex((line) => line.split('|').includes(columns.postalCode))
  const header = lines[at]?.split('|') ?? []
  if (!Object.values(columns).every((name) => header.includes(name)))
    throw new Error('The file is not the list of postal codes: columns are missing.')
  return lines.slice(at + 1).flatMap((line) => {
    const cells = line.split('|')
    const read = (name: string) => cells[header.indexOf(name)]?.trim() ?? ''
    const found = {
      postalCode: read(columns.postalCode),
      colonia: read(columns.colonia),
      municipality: read(columns.municipality),
      state: read(columns.state),
    }
    return /^\d{5}$/.test(found.postalCode) && found.colonia ? [found] : []
  })
}

const groups: Readonly<Record<string, string>> = {
  'ciudad de mexico': 'cdmx',
  'distrito federal': 'cdmx',
  mexico: 'edomex',
  'estado de mexico': 'edomex',
}

/** The place of a row of the list, in our terms. */
export function placeOfLine({ municipality, state }: Pick<PostalLine, 'municipality' | 'state'>): Place {
  const group = groups[withoutAccents(state)]
  const name = withoutAccents(municipality)
  const served = municipalities.find((one) => one.group === group && withoutAccents(one.label) === name)
  if (served) return { area: 'served', municipality: served.slug }
  return { area: group === 'edomex' ? 'edomex' : 'elsewhere' }
}
