import { withoutAccents } from '../shared/collation.ts'
import { municipalityLabel } from '../shared/regions.ts'

/** What of an address is the place itself: what a quote is made for. How to get there, and who receives, is not. */
const placeFields = [
  ...(['postalCode', 'municipality', 'state', 'colonia'] as const),
  ...(['street', 'outerNumber', 'innerNumber'] as const),
] as const
export type Home = Record<Exclude<(typeof placeFields)[number], 'innerNumber'>, string> & {
  innerNumber: string | null
}

/** Whether two addresses are the same place; accents, capitals and signs make no other. */
export const isSameHome = (one: Home, other: Home): boolean =>
  placeFields.every((field) => plain(one[field]) === plain(other[field]))

const plain = (text: string | null) => withoutAccents(text ?? '').replace(/[^\p{L}\p{N}]/gu, '')

/** An address in one line, for people and map searches: "Londres 247, int. 3, Del Carmen, 04100 Coyoacán". */
export const addressLine = (at: Omit<Home, 'state'>) =>
  [
    `${at.street} ${at.outerNumber}`,
    at.innerNumber && `int. ${at.innerNumber}`,
    at.colonia,
    `${at.postalCode} ${municipalityLabel(at.municipality)}`,
  ]
    .filter(Boolean)
    .join(', ')

/** A place in one line: "Calle Ámsterdam 10, int. 3, C.P. 06100". */
export const homeLine = ({ innerNumber, outerNumber, postalCode, street }: Home) =>
  [`${street} ${outerNumber}`, innerNumber && `int. ${innerNumber}`, `C.P. ${postalCode}`]
    .filter(Boolean)
    .join(', ')
