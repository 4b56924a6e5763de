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
import { type Place, stateOfCode } from './postal-codes.ts'

/** The area of an address, which decides what can be offered there: visits only where it is `served`. */
export type Locality =
  | { area: 'served'; regionGroup: RegionGroup; municipality: MunicipalitySlug; state: RegionGroup }
  /**
   * The customer states that it is in Toluca, Lerma, Huixquilucan or Naucalpan; its postal code does not confirm it.
   */
  | { area: 'to_verify'; regionGroup: 'edomex'; municipality: MunicipalitySlug; state: 'edomex' }
  /** Not served yet: the municipality is stored as typed. */
  | { area: 'outside'; regionGroup: 'edomex' | null; municipality: string; state: StateSlug }

export type Area = Locality['area']

/** Where we go, in words. */
export const cityAreas = 'las 16 alcaldías de la Ciudad de México, Huixquilucan, Lerma, Naucalpan y Toluca'

/** The message for each area; null where it is served. */
export const areaNotices = {
  served: null,
  to_verify: 'Por verificar: te llamamos para confirmar si llegamos a tu domicilio.',
  outside: 'Todavía no llegamos a tu zona.',
} as const satisfies Record<Area, string | null>

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

// Separate from the form's rules, so that a screen that only shows these words does not load the validator.
export const dwellingLabels = {
  house: 'Casa',
  gated_community: 'Condominio horizontal',
  apartment: 'Departamento',
} as const

export const parkingLabels = {
  own_covered: 'Propio techado',
  own_uncovered: 'Propio descubierto',
  assigned: 'Asignado',
  shared: 'Compartido',
} as const

/** Whether we serve a postal code: yes, not yet, or to be verified. */
type Coverage = 'yes' | 'not_yet' | 'to_verify'

/**
 * Whether we serve a place. Its postal code alone decides yes or not yet; in Estado de México, where the ranges of
 * codes are approximate, the visitor may state that it is in one of the four municipalities served, as at /address:
 * then the office calls.
 */
export function coverageOf({ area }: Place, claimed: boolean): Coverage {
  if (area === 'served') return 'yes'
  return area === 'edomex' && claimed ? 'to_verify' : 'not_yet'
}

/** Whether that statement is possible for a place. */
export const canBeClaimed = ({ area }: Place) => area === 'edomex'

/** The fields that identify the home a quote is made for; directions and the person who receives are not among them. */
const placeFields = [
  ...(['postalCode', 'municipality', 'state', 'colonia'] as const),
  ...(['street', 'outerNumber', 'innerNumber'] as const),
] as const
export type Home = Record<Exclude<(typeof placeFields)[number], 'innerNumber'>, string> & {
  innerNumber: string | null
}

/** Whether two addresses are the same home, ignoring accents, capitals and punctuation. */
export const isSameHome = (one: Home, other: Home): boolean =>
  placeFields.every((field) => plain(one[field]) === plain(other[field]))

const doorFields = ['postalCode', 'municipality', 'street', 'outerNumber', 'innerNumber'] as const

/** Whether two addresses are the same door, in the same way: a colonia may have been called otherwise. */
export const isSameDoor = (
  one: Pick<Home, (typeof doorFields)[number]>,
  other: Pick<Home, (typeof doorFields)[number]>,
): boolean => doorFields.every((field) => plain(one[field]) === plain(other[field]))

const plain = (text: string | null) => withoutAccents(text ?? '').replace(/[^\p{L}\p{N}]/gu, '')

/** An address in one line, for people and map searches: "Londres 247, int. 3, Del Carmen, 04100 Coyoacán". */
export const addressLine = (at: Omit<Home, 'state'>) =>
  [
    // Of a home that we do not reach, its code alone may be known.
    `${at.street} ${at.outerNumber}`.trim(),
    at.innerNumber && `int. ${at.innerNumber}`,
    at.colonia,
    `${at.postalCode} ${municipalityLabel(at.municipality)}`.trim(),
  ]
    .filter(Boolean)
    .join(', ')

/** A place in one line: "Calle Ámsterdam 10, int. 3, C.P. 06100". */
export const homeLine = ({ innerNumber, outerNumber, postalCode, street }: Home) =>
  [`${street} ${outerNumber}`, innerNumber && `int. ${innerNumber}`, `C.P. ${postalCode}`]
    .filter(Boolean)
    .join(', ')

/** Warnings about an address, by field; they never block saving. */
export function warnings({ cfeServiceNumber }: { cfeServiceNumber: string | null }): {
  cfeServiceNumber?: string
} {
  if (!cfeServiceNumber || /^\d{12}$/.test(cfeServiceNumber)) return {}
  return { cfeServiceNumber: 'El número de servicio de CFE tiene 12 dígitos; revísalo en el recibo de luz.' }
}
