import { isManager, type Mover } from '../../access/rules/actor.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../../shared/calendar.ts'
import { dateTime, daysUntil, duration, localDay, longDate, theTime } from '../../shared/format.ts'
import { dayOfYear } from '../../shared/spoken-days.ts'
import { type AppointmentState, type Facts, isActive, type Service, serviceFacts } from './appointment.ts'

/** The assignee must be notified at least this long before the start. */
const LAST_MINUTES = 60

/**
 * When an unconfirmed provisional assignment is confirmed by the system: at the set time of the evening before, or some
 * hours after the booking when that evening has passed; never later than an hour before the start.
 */
export function confirmsAt(
  bookedAt: Date,
  startsAt: Date,
  { autoConfirmAfterHours, autoConfirmAt }: Settings,
): Date {
  const booked = toMinutes(bookedAt)
  const start = toMinutes(startsAt)
  const evening = minuteAt(addDays(localDate(start), -1), autoConfirmAt)
  const due = booked < evening ? evening : booked + autoConfirmAfterHours * 60
  return toDate(Math.max(booked, Math.min(due, start - LAST_MINUTES)))
}

type FreeChange = Pick<Settings, 'freeChangeAfterBookingMinutes'> & { freeChangeHours: number }

/** Until when its customer may change or cancel an appointment: some hours before, or the first minutes after booking. */
export function changeUntil(
  { createdAt, startsAt }: { createdAt: Date; startsAt: Date },
  { freeChangeAfterBookingMinutes, freeChangeHours }: FreeChange,
): Date {
  const cutOff = startsAt.getTime() - freeChangeHours * 3_600_000
  const grace = createdAt.getTime() + freeChangeAfterBookingMinutes * 60_000
  return new Date(Math.min(Math.max(cutOff, grace), startsAt.getTime()))
}

/** The same before it is booked, in words: a moment, or how many minutes there will be. */
export function changeUntilWords(startsAt: Date, now: Date, settings: FreeChange): string {
  const until = changeUntil({ createdAt: now, startsAt }, settings)
  const { freeChangeAfterBookingMinutes: minutes } = settings
  if (until.getTime() > now.getTime() + minutes * 60_000)
    return `Puedes cambiarla o cancelarla gratis hasta el ${dateTime(until)}`
  return minutes === 0
    ? 'Ya falta poco: después de agendarla, para cambiarla tendrás que escribirnos.'
    : `Ya falta poco: después de agendarla tienes ${duration(minutes)} para cambiarla o cancelarla gratis.`
}

/** How long a customer who booked has to verify their e-mail before the slot is released. */
const hoursToProve = 4

/** A booking made by staff for a caller is kept until this long before its start. */
const keptUntilHours = 12

/** Near the start, a customer has at least this long. */
const graceHours = 2

/** An unverified customer's appointment: when it was made, its start, and whether staff made it. */
type UnprovedBooking = { bookedAt: Date; startsAt: Date; isForCaller: boolean }

/** When an unverified customer's appointment is released. */
export function letGoAt({ bookedAt, isForCaller, startsAt }: UnprovedBooking): Date {
  const booked = toMinutes(bookedAt)
  const late = Math.max(toMinutes(startsAt) - keptUntilHours * 60, booked + graceHours * 60)
  return toDate(isForCaller ? late : Math.min(late, booked + hoursToProve * 60))
}

/** "Confirma tu correo antes de las 10:01 a. m. o se libera tu lugar.", of an unverified customer's appointment. */
export function proveWords(keptUntil: Date, now: Date): string {
  const day = daysUntil(keptUntil, now) === 0 ? 'de' : `del ${dayOfYear(keptUntil, now)} a`
  return `Confirma tu correo antes ${day} ${theTime(keptUntil)} o se libera tu lugar.`
}

/** How many appointments a customer with an unverified e-mail may book and cancel, before they must verify it. */
export const mostUnprovedCancelled = 2

/** How many appointments of unverified e-mails, booked from one network (a family's, a shop's), may exist at once. */
export const mostOfANetwork = 6

/** How long a freed slot is offered, in minutes. An offer reserves nothing. */
const OFFER_MINUTES = 30

/** How many customers receive the offer at once; the next ones receive it when these decline or let it expire. */
export const offersAtOnce = 3

/** How many starts freed by one change are offered. */
export const mostNews = 10

/** When an offer made now expires; never after its start. */
export const slotOfferEndsAt = (now: Date, startsAt: Date) =>
  new Date(Math.min(now.getTime() + OFFER_MINUTES * 60_000, startsAt.getTime()))

/** An entry of the waiting list: since when, and the current start, null when nothing is booked. */
export type WaitingEntry = { since: Date; has: Date | null }

/** Whether a freed start improves an entry: any start where nothing is booked, else an earlier one. */
export const helps = ({ has }: Pick<WaitingEntry, 'has'>, freed: Date) => has === null || freed < has

/** Whether a start before a booked one can still be offered: no start opens within the service's minimum notice. */
export const mayComeEarlier = (
  { service, startsAt }: { service: Service; startsAt: Date },
  { services }: Settings,
  now: Date,
) => now.getTime() + services[service].noticeHours * 3_600_000 < startsAt.getTime()

/** Longest waiting first. */
export const byPatience = (a: WaitingEntry, b: WaitingEntry) => a.since.getTime() - b.since.getTime()

type OfferAnswer = 'claimed' | 'declined' | 'gone'
type AppointmentSnapshot = Pick<WaitingEntry, 'has'> & {
  answer: OfferAnswer | null
  startsAt: Date
  expiresAt: Date
  wishEnded: boolean
}

/** Message why an offer cannot be taken, or null when it can. */
export function whyNotTaken(
  { answer, has, startsAt, expiresAt, wishEnded }: AppointmentSnapshot,
  now: Date,
): string | null {
  if (answer === 'gone') return someoneElse
  if (answer === 'declined' || wishEnded) return 'Ya no esperas este horario.'
  if (!helps({ has }, startsAt)) return 'Tu cita ya es a esa hora, o antes. Sigues en la lista.'
  if (now < expiresAt && now < startsAt) return null
  return `El horario del ${longDate(startsAt)} se guardó hasta ${theTime(expiresAt)} Sigues en la lista.`
}

export const someoneElse = 'Alguien más lo tomó; sigues en la lista.'

type Hearing = {
  customer: string
  /** The confirmed assignee before; a provisional one was told nothing. */
  before: string | null
  after: string
}

/** Who gets a letter when the manager moves an appointment, in words. Names are first names. */
export function whoHearsOfMove({ after, before, customer }: Hearing): string {
  const news = `A ${customer} le avisamos de su nueva hora`
  if (before === null || before === after) return `${news}, y a ${after} también.`
  return `${news}. ${before} deja de llevarla y la lleva ${after}: les avisamos a los dos.`
}

/** How long after its planned end a visit is shared at most. */
const SHARED_HOURS_AFTER = 4

type SharedFacts = { state: AppointmentState; startsAt: Date; minutes: number }

/** Whether a link made for a day still shows its visit: until it is over or on another day, or late beyond doubt. */
export const isShared = ({ day, minutes, startsAt, state }: SharedFacts & { day: string }, now: Date) =>
  isActive(state) &&
  localDay(startsAt) === day &&
  now.getTime() < startsAt.getTime() + (minutes + SHARED_HOURS_AFTER * 60) * 60_000

type ShareFacts = SharedFacts & { service: Service; confirmed: boolean }

/** Whether its customer may share it with their family: it is sure who comes home. */
export const mayBeShared = ({ confirmed, service, ...visit }: ShareFacts, now: Date) =>
  serviceFacts[service].needsTravel && confirmed && isShared({ ...visit, day: localDay(visit.startsAt) }, now)

/**
 * Whether the steps of an assignee say that they are at the address. An installation starts only with an adult at home, so
 * they are there once they have set out.
 */
export const hasArrived = ({ service, state }: Pick<Facts, 'service' | 'state'>) =>
  state === 'in_progress' || service === 'videocall' || (service === 'installation' && state === 'en_route')

/** What an assignee presses before an absence counts; null once they did, and of a manager. */
export const notThere = (actor: Mover, facts: Pick<Facts, 'service' | 'state'>) =>
  isManager(actor) || hasArrived(facts)
    ? null
    : `Si no está el cliente, marca primero «${facts.service === 'installation' ? 'Voy en camino' : 'Ya llegué: iniciar'}».`

/** How far an appointment had come, by its times. */
export const reachedState = ({ setOutAt, startedAt }: Pick<Facts, 'setOutAt' | 'startedAt'>) =>
  startedAt ? 'in_progress' : setOutAt ? 'en_route' : 'assigned'
