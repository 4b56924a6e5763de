import { dayInWords, timeInWords, toMinutes, wallMinute } from '../../domain/calendar.ts'
import { betweenClocks, clockWords } from '../../domain/clock.ts'
import { moneyText } from '../../domain/money-text.ts'
import { municipalityLabel } from '../../domain/regions.ts'
import type { AddressSnapshot } from '../database/project-schema.ts'

// The few formats that letters need, word for word those of web/format.ts, which the server may not import.

/** "martes 24 de noviembre de 2026" */
export const day = (at: Date) => dayInWords(toMinutes(at))

/** "10:00 a. m." */
export const time = (at: Date) => clockWords(wallMinute(toMinutes(at)))

/** "las 10:00 a. m.", "la 1:00 p. m." */
export const theTime = (at: Date) => timeInWords(toMinutes(at))

/** What a customer is promised: "Llega entre 10:00 y 10:30 a. m." */
export const arrivalWindow = (start: Date, minutes: number) =>
  `Llega ${betweenClocks(wallMinute(toMinutes(start)), wallMinute(toMinutes(start) + minutes))}`

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
