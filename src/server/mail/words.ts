import { dayInWords, toMinutes, wallMinute } from '../../domain/calendar.ts'
import { moneyText } from '../../domain/money-text.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import type { AddressSnapshot } from '../database/project-schema.ts'

// The few formats that letters need, word for word those of web/format.ts, which the server may not import.

function clock(minute: number) {
  const wall = wallMinute(minute)
  const hour = Math.floor(wall / 60)
  return {
    hands: `${hour % 12 || 12}:${String(wall % 60).padStart(2, '0')}`,
    half: hour < 12 ? 'a. m.' : 'p. m.',
  }
}

/** "martes 24 de noviembre" */
export const day = (at: Date) => dayInWords(toMinutes(at))

/** "10:00 a. m." */
export function time(at: Date) {
  const { hands, half } = clock(toMinutes(at))
  return `${hands} ${half}`
}

/** "las 10:00 a. m.", "la 1:00 p. m." */
export const theTime = (at: Date) => `${time(at).startsWith('1:') ? 'la' : 'las'} ${time(at)}`

/** What a customer is promised: "Llega entre 10:00 y 10:30 a. m." */
export function arrivalWindow(start: Date, minutes: number) {
  const [from, to] = [clock(toMinutes(start)), clock(toMinutes(start) + minutes)]
  const first = from.half === to.half ? from.hands : `${from.hands} ${from.half}`
  return `Llega entre ${first} y ${to.hands} ${to.half}`
}

/** "$12,345.00", of whole centavos. */
export const money = moneyText

/** "555 555 01 00", of ten digits. */
export const phone = (digits: string) => digits.replace(/^(\d{3})(\d{3})(\d{2})(\d{2})$/, '$1 $2 $3 $4')

/** "Durango 45, int. 3, Roma Norte, 06700 Cuauhtémoc" */
export const addressLine = (at: AddressSnapshot) =>
  [
    `${at.street} ${at.outerNumber}`,
    at.innerNumber && `int. ${at.innerNumber}`,
    at.colonia,
    `${at.postalCode} ${municipalityLabel(at.municipality)}`,
  ]
    .filter(Boolean)
    .join(', ')
