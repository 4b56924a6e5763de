import { municipalityLabel } from '../../domain/regions.ts'
import type { AddressSnapshot } from '../../server/database/project-schema.ts'

type Place = Pick<
  AddressSnapshot,
  'street' | 'outerNumber' | 'innerNumber' | 'colonia' | 'postalCode' | 'municipality'
>

/** "Londres 247, int. 3, Del Carmen, 04100 Coyoacán", as one reads it and as a map finds it. */
export const placeLine = ({ street, outerNumber, innerNumber, colonia, postalCode, municipality }: Place) =>
  [
    `${street} ${outerNumber}${innerNumber ? `, int. ${innerNumber}` : ''}`,
    colonia,
    `${postalCode} ${municipalityLabel(municipality)}`,
  ].join(', ')

/** The address that opens a place on a map, by its words: nobody keeps coordinates. */
export const mapLink = (line: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(line)}`
