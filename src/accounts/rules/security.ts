import { type Actor, isAlly, isCustomer } from '../../access/rules/actor.ts'
import { theTime } from '../../shared/format.ts'

/** For how long an account is braked, a network closed, and a closed session kept to be given back. */
export const brakeDays = 7
export const closedMinutes = 60
export const restoreMinutes = 10

/** Anybody else of the staff is deactivated instead. */
export const canBeBraked = (person: Pick<Actor, 'role' | 'kind'>): boolean =>
  isCustomer(person) || isAlly(person)

/** What the manager does at the desk, as the history names it. */
export const deskEvents = [
  'brake',
  'release_brake',
  'close_network',
  'open_network',
  'end_sessions',
  'restore_sessions',
] as const
export type DeskAct = (typeof deskEvents)[number]

export const closedWords = (until: Date) =>
  `Por seguridad cerramos tu red hasta ${theTime(until)} Si ya tienes cuenta y sesión, sigue funcionando.`

/** How the history names bookings, cancellations and changes of time. */
export const bookingEvents = ['book', 'cancel', 'reschedule', 'rescheduleAnew', 'rescheduleTo']
