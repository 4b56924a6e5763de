import {
  type MunicipalitySlug,
  municipalityLabel,
  type RegionGroup,
  type StateSlug,
} from '../../shared/places.ts'
import { withoutAccents } from '../../shared/text.ts'
import type { Place } from './postal-codes.ts'

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
