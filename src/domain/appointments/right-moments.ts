import { isManager, type Mover } from '../access/actor.ts'
import { isLeftWaiting, roomOpensAt, roomPhase, waitOf } from '../calls/call-room.ts'
import { localDate, toDate, toMinutes } from '../shared/calendar.ts'
import { longDate, theTime } from '../shared/format.ts'
import type { Facts } from './appointment.ts'

/** Why a transition has to wait, in words for the actor; null if it can be made. */

/** How long before its time an appointment may begin, in minutes. */
const EARLY_MINUTES = 30
/** How long a step of the person on the road can be taken back by that person. */
const UNDO_MINUTES = 10
/** From so long after the start on, a customer who isn't there has missed it. */
const ABSENT_MINUTES = 15
/** From so long after the start on, a customer to whom nobody came may say so. */
const NOBODY_MINUTES = 30

export function notToday(_: Mover, { startsAt }: Pick<Facts, 'startsAt'>, now: Date): string | null {
  const start = toMinutes(startsAt)
  const [today, day] = [localDate(toMinutes(now)), localDate(start)]
  if (today === day) return null
  return today < day
    ? `La cita es el ${longDate(startsAt)}. Podrás hacerlo ese día.`
    : `La cita era el ${longDate(startsAt)}. Pide a la gerencia que la cambie de día.`
}

export function tooEarly({ startsAt }: Pick<Facts, 'startsAt'>, now: Date): string | null {
  const from = toMinutes(startsAt) - EARLY_MINUTES
  return toMinutes(now) < from ? `Desde ${theTime(toDate(from))} podrás iniciar.` : null
}

/** Who was in the room of a call came, there still or gone. */
export const notAbsent = (_: Mover, facts: Facts, now: Date) =>
  waitOf(facts)
    ? 'El cliente sí entró a la llamada.'
    : before(facts, now, ABSENT_MINUTES, 'podrás decir que no se presentó')

export const notMissing = (_: Mover, facts: Facts, now: Date) =>
  before(facts, now, NOBODY_MINUTES, 'podrás decirnos que nadie llegó')

function before({ startsAt }: Facts, now: Date, minutes: number, what: string): string | null {
  const from = toMinutes(startsAt) + minutes
  return toMinutes(now) < from ? `Desde ${theTime(toDate(from))} ${what}.` : null
}

export function notCancellable(actor: Mover, facts: Facts, now: Date): string | null {
  return isManager(actor) || isLeftWaiting(facts, now) ? null : tooLate(facts, now)
}

export const notLate = (actor: Mover, facts: Facts, now: Date) =>
  notCancellable(actor, facts, now) ? null : 'Todavía puedes cancelarla sin más.'

function tooLate({ rights }: Facts, now: Date): string | null {
  if (rights && now <= rights.until) return null
  return 'Ya pasó el límite para cambiarla por tu cuenta. Escríbenos o llámanos.'
}

/** A manager may always, and a customer to whose call nobody comes; else a customer until the cut-off, a few times. */
export function notMovable(actor: Mover, facts: Facts, now: Date): string | null {
  return isManager(actor) || isLeftWaiting(facts, now) ? null : (tooLate(facts, now) ?? tooOften(facts))
}

const tooOften = ({ rights }: Facts): string | null =>
  rights && rights.left > 0 ? null : 'Ya la cambiaste las veces que se puede. Escríbenos o llámanos.'

export const setOutLongAgo = (actor: Mover, { setOutAt }: Facts, now: Date) =>
  isManager(actor) ? null : tooLongAgo(setOutAt, now)

export const startedLongAgo = (actor: Mover, { startedAt }: Facts, now: Date) =>
  isManager(actor) ? null : tooLongAgo(startedAt, now)

const tooLongAgo = (made: Date | null, now: Date) =>
  made && now.getTime() - made.getTime() <= UNDO_MINUTES * 60_000
    ? null
    : `Pasaron más de ${UNDO_MINUTES} minutos. Pide a la gerencia que lo corrija.`

export function nobodyWaits(_: Mover, facts: Facts, now: Date): string | null {
  const takeOverAt = facts.customerWaitingSince && waitOf(facts)?.takeOverAt
  if (!takeOverAt) return 'Nadie espera en esta llamada.'
  return now < takeOverAt ? `Desde ${wholeMinute(takeOverAt)} podrás tomar la llamada.` : null
}

/** The minute at which a moment has surely come. */
const wholeMinute = (moment: Date) => theTime(new Date(Math.ceil(moment.getTime() / 60_000) * 60_000))

export const canStillCome = (_: Mover, facts: Facts, now: Date) =>
  isLeftWaiting(facts, now) ? null : 'Tu analista todavía puede llegar.'

export function roomClosed(_: Mover, facts: Facts, now: Date): string | null {
  const phase = roomPhase(facts, now)
  if (phase === 'open') return null
  return phase === 'over'
    ? 'La llamada ya terminó.'
    : `Desde ${wholeMinute(roomOpensAt(facts.startsAt))} podrás pedir que te llamemos.`
}

export function notMissed(_: Mover, facts: Facts, now: Date): string | null {
  const wait = waitOf(facts)
  if (!wait) return 'El cliente no ha entrado a la llamada.'
  if (facts.callBackAskedAt) return 'El cliente pidió que le llamemos.'
  return now < wait.apologyAt ? `Desde ${wholeMinute(wait.apologyAt)} se cancela.` : null
}
