import {
  isMunicipality,
  type MunicipalitySlug,
  municipalities,
  municipalityLabel,
  type RegionGroup,
  type StateSlug,
  stateLabel,
} from '../shared/places.ts'
import { withoutAccents } from '../shared/text.ts'
import type { Locality } from './address.ts'

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
  const index = (name: string) => header.indexOf(name)
  const [code, colonia, municipality, state] = [
    columns.postalCode,
    columns.colonia,
    columns.municipality,
    columns.state,
  ].map(index)
  if (code === undefined || [code, colonia, municipality, state].includes(-1))
    throw new Error('The file is not the list of postal codes: columns are missing.')
  return lines.slice(at + 1).flatMap((line) => {
    const cells = line.split('|')
    const read = (cell: number | undefined) => cells[cell ?? -1]?.trim() ?? ''
    const found = {
      postalCode: read(code),
      colonia: read(colonia),
      municipality: read(municipality),
      state: read(state),
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

/** A place in a form. Only the postal code is always present; it preselects the rest. */
type TypedPlace = {
  postalCode: string
  regionGroup: RegionGroup | null
  municipality: string
  state: StateSlug | null
  confirmInArea: boolean
}

/** Why a place cannot be saved, and the field of the message. */
type Clash = { field: 'regionGroup' | 'municipality' | 'state'; message: string }

/** Resolves the area of an address, or names the field that contradicts its postal code. */
export function localityOf(typed: TypedPlace, place: Place): Locality | Clash {
  if (place.area === 'served') return served(typed, place.municipality)
  if (place.area === 'elsewhere') return elsewhere(typed)
  return typed.confirmInArea ? toVerify(typed) : outsideInEdomex(typed)
}

function served(typed: TypedPlace, slug: MunicipalitySlug): Locality | Clash {
  const { group, label } = municipalities.find((municipality) => municipality.slug === slug)!
  const isOf = (name: string) => `El código postal ${typed.postalCode} es de ${name}. Cambia uno de los dos.`
  if (!['', slug, label].includes(typed.municipality)) return { field: 'municipality', message: isOf(label) }
  if (typed.regionGroup && typed.regionGroup !== group) {
    return { field: 'regionGroup', message: isOf(stateLabel(group)) }
  }
  if (typed.state && typed.state !== group) return { field: 'state', message: isOf(stateLabel(group)) }
  return { area: 'served', regionGroup: group, municipality: slug, state: group }
}

function toVerify({ municipality, state }: TypedPlace): Locality | Clash {
  const claimed = municipalities.find(({ slug, label }) => municipality === slug || municipality === label)
  if (claimed?.group !== 'edomex') {
    return { field: 'municipality', message: 'Elige Toluca, Lerma, Huixquilucan o Naucalpan.' }
  }
  if (state && state !== 'edomex')
    return { field: 'state', message: 'Ese código postal es del Estado de México.' }
  return { area: 'to_verify', regionGroup: 'edomex', municipality: claimed.slug, state: 'edomex' }
}

function outsideInEdomex(typed: TypedPlace): Locality | Clash {
  if (typed.state && typed.state !== 'edomex') {
    return { field: 'state', message: 'Ese código postal es del Estado de México.' }
  }
  return outside(typed, 'edomex', 'edomex')
}

function elsewhere(typed: TypedPlace): Locality | Clash {
  const { postalCode } = typed
  const state = typed.state ?? stateOfCode(postalCode)
  if (!state) return { field: 'state', message: 'Elige el estado.' }
  if (state !== 'cdmx' && state !== 'edomex') return outside(typed, null, state)
  const message = `El código postal ${postalCode} no es de ${stateLabel(state)}. Cambia uno de los dos.`
  return { field: 'state', message }
}

function outside(typed: TypedPlace, regionGroup: 'edomex' | null, state: StateSlug): Locality | Clash {
  const { postalCode, municipality } = typed
  if (!municipality) return { field: 'municipality', message: 'Escribe el municipio.' }
  // A slug was picked from the list of served municipalities: another municipality of the same name is typed as text.
  if (isMunicipality(municipality)) {
    const message = `El código postal ${postalCode} no es de ${municipalityLabel(municipality)}. Cambia uno de los dos.`
    return { field: 'municipality', message }
  }
  return { area: 'outside', regionGroup, municipality, state }
}
