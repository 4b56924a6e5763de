// How the time of an appointment is written for its reader: a customer is promised a window for a visit and an
// installation, and never reads their exact start; a call starts on the minute, and staff read the minute of all.
import {
  arrivalHours,
  arrivalWindow,
  atTime,
  centralZone,
  longDate,
  shortDate,
  time,
} from '../../shared/format.ts'
import { type Service, serviceFacts } from './appointment.ts'

type Timed = { service: Service; startsAt: Date }

/** Minutes of the arrival window in the settings; null where staff read it. */
export type ReaderWindow = number | null

/** Within how many minutes of its start the assignee arrives, as its customer is promised; 0 of a call. */
export const promisedMinutes = (service: Service, window: number) =>
  serviceFacts[service].needsTravel ? window : 0

/** "entre 10:00 y 10:30 a. m."; of a call "10:00 a. m., hora del centro de México"; to staff "10:00 a. m." */
export function hourFor({ service, startsAt }: Timed, window: ReaderWindow): string {
  if (window === null) return time(startsAt)
  const minutes = promisedMinutes(service, window)
  if (minutes > 0) return arrivalHours(startsAt, minutes)
  return serviceFacts[service].needsTravel ? time(startsAt) : `${time(startsAt)}, ${centralZone}`
}

/** "Llegamos entre 10:00 y 10:30 a. m.", "A las 10:00 a. m., hora del centro de México." */
export function arrivalSentence({ service, startsAt }: Timed, window: number): string {
  const minutes = promisedMinutes(service, window)
  if (minutes > 0) return arrivalWindow(startsAt, minutes)
  return serviceFacts[service].needsTravel ? atTime(startsAt) : `${atTime(startsAt)}, ${centralZone}.`
}

/** "lun 30 nov 2026, entre 10:00 y 10:30 a. m." */
export const momentFor = (of: Timed, window: ReaderWindow) =>
  `${shortDate(of.startsAt)}, ${hourFor(of, window)}`

/** "lunes 30 de noviembre de 2026, entre 10:00 y 10:30 a. m." */
export const longMomentFor = (of: Timed, window: ReaderWindow) =>
  `${longDate(of.startsAt)}, ${hourFor(of, window)}`
