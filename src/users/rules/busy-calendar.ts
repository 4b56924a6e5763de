import { faultLabels, httpsPorts } from '../../agencies/rules/integrations.ts'
import type { Tone } from '../../shared/state-machine.ts'

export const mostCalendars = 3

/** Why a calendar could not be read; the values are stored. */
export const calendarFaults = {
  ...faultLabels,
  gone: 'Dice que esa dirección ya no existe o ya no da permiso: pega la nueva',
  status: 'Respondió con un error',
  empty: 'Está vacío, o pesa más de 5\u00a0MB',
  not_calendar: 'Lo que responde no es un calendario: copia la dirección secreta en formato iCal',
  too_many: 'Tiene más de 20,000 citas',
  slow: 'Tardamos demasiado en entenderlo',
} as const
export type CalendarFault = keyof typeof calendarFaults

/** What of a calendar says how its readings go. */
export type Readings = {
  readAt: Date | null
  fault: CalendarFault | null
  failures: number
  failingSince: Date | null
}

export const calendarStates = {
  new: { label: 'Por leer', tone: 'info' },
  ok: { label: 'Bien', tone: 'ok' },
  silent: { label: 'Sin respuesta', tone: 'wait' },
  stopped: { label: 'Detenido', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>
export type CalendarState = keyof typeof calendarStates

const stoppedAfter = 24 * 3_600_000
const silentAfter = 3

/** How a calendar stands: silent after three failures, stopped after a day of them, or at once when it has gone. */
export function calendarState({ failingSince, failures, fault, readAt }: Readings, now: Date): CalendarState {
  const isLong = failingSince !== null && now.getTime() - failingSince.getTime() >= stoppedAfter
  if (fault === 'gone' || isLong) return 'stopped'
  if (failures >= silentAfter) return 'silent'
  return readAt ? 'ok' : 'new'
}

/** A secret address as pasted, also as a phone's calendar takes it; null where it is none. */
export function calendarUrl(typed: string): string | null {
  const url = URL.parse(typed.replace(/^webcals?:/i, 'https:'))
  const isOpen = url?.protocol === 'https:' && httpsPorts.includes(url.port) && !url.username && !url.password
  return isOpen ? url.href : null
}
