import { tidy } from '../shared/tidy.ts'

/** Whom an RFC names: a person of flesh, or one made by a deed. */
export type TaxpayerKind = 'fisica' | 'moral'
export const taxpayerKinds: Record<TaxpayerKind, string> = {
  fisica: 'Persona física',
  moral: 'Persona moral',
}

/** Generic RFC of customers who want no invoice of their own. */
export const publicRfc = 'XAXX010101000'
/** Generic RFC of foreign taxpayers. */
export const foreignRfc = 'XEXX010101000'
/** Whether it is a generic RFC. */
export const isGeneric = (rfc: string) => rfc === publicRfc || rfc === foreignRfc

/** Initials, a day, and what tells those apart who share them; the last is the check digit. */
const shape = /^[A-ZÑ&]{3,4}(\d{2})(\d{2})(\d{2})[A-Z\d]{2}[\dA]$/

/** An RFC as the SAT writes it: upper case, without spaces and hyphens. */
export const normaliseRfc = (typed: unknown) =>
  tidy(typed)
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')

/** 12 characters name a moral person, 13 a física. */
export const kindOfRfc = (rfc: string): TaxpayerKind => (rfc.length === 12 ? 'moral' : 'fisica')

/** What keeps a normalised text from being an RFC, in words; null when nothing does. */
export function faultOfRfc(rfc: string): string | null {
  if (rfc === '') return 'Escribe tu RFC.'
  if (rfc.length !== 12 && rfc.length !== 13) return 'El RFC tiene 13 caracteres, o 12 si es de una empresa.'
  const [, year, month, day] = shape.exec(rfc) ?? []
  if (!year) return 'Revisa tu RFC: son letras, una fecha y 3 caracteres, como GODE561231GR8.'
  return isDay(Number(year), Number(month), Number(day)) ? null : 'La fecha dentro de tu RFC no existe.'
}

/** The century is not told. 2000 was a leap year and 1900 was not, so whatever is a day in either is one after 2000. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(2000 + year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The values of the SAT's Anexo 20: the position of each character. */
const values = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** The last character that the others ask for, modulo 11. A moral person's counts as if a space stood before it. */
export function checkDigitOf(rfc: string): string {
  const sum = [...rfc.slice(0, -1).padStart(12)].reduce(
    (total, character, nth) => total + values.indexOf(character) * (13 - nth),
    0,
  )
  const digit = (11 - (sum % 11)) % 11
  return digit === 10 ? 'A' : String(digit)
}

/** What looks wrong in an RFC but never stops it: some 1.5 % of those that the SAT gave out have another check digit. */
export const warningOfRfc = (rfc: string): string | null =>
  isGeneric(rfc) || rfc.endsWith(checkDigitOf(rfc))
    ? null
    : 'El último carácter de este RFC no es el que esperábamos. Compáralo con la Constancia; si es igual, está bien.'
