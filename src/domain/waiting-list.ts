import type { Service } from './services.ts'
import type { Settings } from './settings.ts'
import { longDate, theTime } from './shared/format.ts'

/** How long a freed time is held out to somebody, in minutes. Holding it out reserves nothing. */
const OFFER_MINUTES = 30
/** To how many at once; the next ones hear of it when these let it pass. */
export const offersAtOnce = 3
/** How many starts that opened by one change are held out. */
export const mostNews = 10

/** Until when a time is held out from now on; never past its start. */
export const offerEnds = (now: Date, startsAt: Date) =>
  new Date(Math.min(now.getTime() + OFFER_MINUTES * 60_000, startsAt.getTime()))

/** Somebody who waits: since when, and the start they have, null when nothing is booked. */
export type Waiting = { since: Date; has: Date | null }

/** Whether a freed start is of use to somebody: anything to whoever has nothing, else what is earlier. */
export const helps = ({ has }: Pick<Waiting, 'has'>, freed: Date) => has === null || freed < has

/** Whether anything before a booked start can still be held out: nothing opens nearer than the service's notice. */
export const mayComeEarlier = (
  { service, startsAt }: { service: Service; startsAt: Date },
  { services }: Settings,
  now: Date,
) => now.getTime() + services[service].noticeHours * 3_600_000 < startsAt.getTime()

/** Whoever waits longest comes first. */
export const byPatience = (a: Waiting, b: Waiting) => a.since.getTime() - b.since.getTime()

export type OfferAnswer = 'claimed' | 'declined' | 'gone'
type Standing = Pick<Waiting, 'has'> & {
  answer: OfferAnswer | null
  startsAt: Date
  expiresAt: Date
  wishEnded: boolean
}

/** Why an offer can't be taken, in words to whom it was made; null when it still can. */
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
