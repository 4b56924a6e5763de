import { dayInWords, localDate, minuteAt, toMinutes } from '../../domain/calendar.ts'

/** "sábado 21 de noviembre de 2026" */
export const longDay = (at: Date) => `${dayInWords(toMinutes(at))} de ${localDate(toMinutes(at)).slice(0, 4)}`
/** The same, of a local date. */
export const longLocalDay = (date: string) => longDay(new Date(minuteAt(date, '12:00') * 60_000))
/** "noviembre de 2026", of a month. */
export const longMonth = (month: string) => longLocalDay(`${month}-01`).split(' de ').slice(1).join(' de ')
/** "21/11/2026", of a local date. */
export const shortLocalDay = (date: string) => date.split('-').toReversed().join('/')
