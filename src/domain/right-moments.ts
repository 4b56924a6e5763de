import type { Facts, Mover } from './appointment.ts'
import { localDate, toDate, toMinutes } from './calendar.ts'
import { isLeftWaiting, roomOpensAt, roomPhase, waitOf } from './call-room.ts'
import { isManager } from './movers.ts'
import { longDate, theTime } from './shared/format.ts'

/** Why it is the wrong moment for a move, in words for the mover; null when it is the right one. */

/** How long before its time an appointment may begin, in minutes. */
const EARLY_MINUTES = 30
/** How long a step of the person on the road can be taken back by that person. */
const UNDO_MINUTES = 10
/** From so long after the start on, a customer who isn't there has missed it. */
const ABSENT_MINUTES = 15
/** From so long after the start on, a customer to whom nobody came may say so. */
const NOBODY_MINUTES = 30

export function notToday({ now, startsAt }: Facts): string | null {
  const start = toMinutes(startsAt)
  const [today, day] = [localDate(toMinutes(now)), localDate(start)]
  if (today === day) return null
  return today < day
    ? `La cita es el ${longDate(startsAt)}. Podrás hacerlo ese día.`
    : `La cita era el ${longDate(startsAt)}. Pide a la gerencia que la cambie de día.`
}

export function tooEarly({ now, startsAt }: Facts): string | null {
  const from = toMinutes(startsAt) - EARLY_MINUTES
  return toMinutes(now) < from ? `Desde ${theTime(toDate(from))} podrás iniciar.` : null
}

/** Who was in the room of a call came, there still or gone. */
export const notAbsent = (facts: Facts) =>
  waitOf(facts)
    ? 'El cliente sí entró a la llamada.'
    : before(facts, ABSENT_MINUTES, 'podrás decir que no se presentó')

export const notMissing = (facts: Facts) => before(facts, NOBODY_MINUTES, 'podrás decirnos que nadie llegó')

function before({ now, startsAt }: Facts, minutes: number, what: string): string | null {
  const from = toMinutes(startsAt) + minutes
  return toMinutes(now) < from ? `Desde ${theTime(toDate(from))} ${what}.` : null
}

export function notCancellable(facts: Facts, mover: Mover): string | null {
  return isManager(mover) || isLeftWaiting(facts) ? null : tooLate(facts)
}

export const notLate = (facts: Facts, mover: Mover) =>
  notCancellable(facts, mover) ? null : 'Todavía puedes cancelarla sin más.'

function tooLate({ now, rights }: Facts): string | null {
  if (rights && now <= rights.until) return null
  return 'Ya pasó el límite para cambiarla por tu cuenta. Escríbenos o llámanos.'
}

/** A manager may always, and a customer to whose call nobody comes; else a customer until the cut-off, a few times. */
export function notMovable(facts: Facts, mover: Mover): string | null {
  return isManager(mover) || isLeftWaiting(facts) ? null : (tooLate(facts) ?? tooOften(facts))
}

const tooOften = ({ rights }: Facts): string | null =>
  rights && rights.left > 0 ? null : 'Ya la cambiaste las veces que se puede. Escríbenos o llámanos.'

export const setOutLongAgo = ({ now, setOutAt }: Facts, mover: Mover) =>
  isManager(mover) ? null : tooLongAgo(setOutAt, now)

export const startedLongAgo = ({ now, startedAt }: Facts, mover: Mover) =>
  isManager(mover) ? null : tooLongAgo(startedAt, now)

const tooLongAgo = (made: Date | null, now: Date) =>
  made && now.getTime() - made.getTime() <= UNDO_MINUTES * 60_000
    ? null
    : `Pasaron más de ${UNDO_MINUTES} minutos. Pide a la gerencia que lo corrija.`

export function nobodyWaits(facts: Facts): string | null {
  const takeOverAt = facts.customerWaitingSince && waitOf(facts)?.takeOverAt
  if (!takeOverAt) return 'Nadie espera en esta llamada.'
  return facts.now < takeOverAt ? `Desde ${wholeMinute(takeOverAt)} podrás tomar la llamada.` : null
}

/** The minute at which a moment has surely come. */
const wholeMinute = (moment: Date) => theTime(new Date(Math.ceil(moment.getTime() / 60_000) * 60_000))

export const canStillCome = (facts: Facts) =>
  isLeftWaiting(facts) ? null : 'Tu analista todavía puede llegar.'

export function roomClosed(facts: Facts): string | null {
  const phase = roomPhase(facts)
  if (phase === 'open') return null
  return phase === 'over'
    ? 'La llamada ya terminó.'
    : `Desde ${wholeMinute(roomOpensAt(facts.startsAt))} podrás pedir que te llamemos.`
}

export function notMissed(facts: Facts): string | null {
  const wait = waitOf(facts)
  if (!wait) return 'El cliente no ha entrado a la llamada.'
  if (facts.callBackAskedAt) return 'El cliente pidió que le llamemos.'
  return facts.now < wait.apologyAt ? `Desde ${wholeMinute(wait.apologyAt)} se cancela.` : null
}
