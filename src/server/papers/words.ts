import { dayInWords, minuteAt } from '../../domain/calendar.ts'

/** "sábado 21 de noviembre de 2026", of a local date. */
export const longLocalDay = (date: string) => dayInWords(minuteAt(date, '12:00'))
/** "noviembre de 2026", of a month. */
export const longMonth = (month: string) => longLocalDay(`${month}-01`).split(' de ').slice(1).join(' de ')
/** "21/11/2026", of a local date. */
export const shortLocalDay = (date: string) => date.split('-').toReversed().join('/')
