import type { Settings } from '../settings/settings-schema.ts'
import { longDate, theTime } from '../shared/format.ts'
import type { Service } from './services.ts'

/** How long a freed slot is offered, in minutes. An offer reserves nothing. */
const OFFER_MINUTES = 30
/** To how many at once; the next ones hear of it when these let it pass. */
export const offersAtOnce = 3
/** How many starts that opened by one change are held out. */
export const mostNews = 10

/** Until when a time is held out from now on; never past its start. */
export const offerEnds = (now: Date, startsAt: Date) =>
  new Date(Math.min(now.getTime() + OFFER_MINUTES * 60_000, startsAt.getTime()))

/** An entry of the waiting list: since when, and the current start, null when nothing is booked. */
export type Waiting = { since: Date; has: Date | null }

/** Whether a freed start helps an entry: any start without a booking, else an earlier one. */
export const helps = ({ has }: Pick<Waiting, 'has'>, freed: Date) => has === null || freed < has

/** Whether anything before a booked start can still be held out: nothing opens nearer than the service's notice. */
export const mayComeEarlier = (
  { service, startsAt }: { service: Service; startsAt: Date },
  { services }: Settings,
  now: Date,
) => now.getTime() + services[service].noticeHours * 3_600_000 < startsAt.getTime()

/** Longest waiting first. */
export const byPatience = (a: Waiting, b: Waiting) => a.since.getTime() - b.since.getTime()

export type OfferAnswer = 'claimed' | 'declined' | 'gone'
type Standing = Pick<Waiting, 'has'> & {
  answer: OfferAnswer | null
  startsAt: Date
  expiresAt: Date
  wishEnded: boolean
}

/** Message why an offer cannot be taken, or null when it can. */
export function whyNotTaken(
  { answer, has, startsAt, expiresAt, wishEnded }: Standing,
  now: Date,
): string | null {
  if (answer === 'gone') return someoneElse
  if (answer === 'declined' || wishEnded) return 'Ya no esperas este horario.'
  if (!helps({ has }, startsAt)) return 'Tu cita ya es a esa hora, o antes. Sigues en la lista.'
  if (now < expiresAt && now < startsAt) return null
  return `El horario del ${longDate(startsAt)} se guardó hasta ${theTime(expiresAt)} Sigues en la lista.`
}

export const someoneElse = 'Alguien más lo tomó; sigues en la lista.'
