import type { StateFacts } from '../shared/state-machine.ts'

/** How an offer of another time was answered; null while it is open. */
export type MoveAnswer = 'accepted' | 'declined' | 'expired' | 'withdrawn' | 'gone'
/** How it stands: an open one past its end counts as expired, also before anything says so. */
export type MoveStanding = MoveAnswer | 'sent'

export const standingOfOffer = (answer: MoveAnswer | null, expiresAt: Date, now: Date): MoveStanding =>
  answer ?? (expiresAt <= now ? 'expired' : 'sent')

/** How each standing is called, and what the colour of its badge means. */
export const moveStandings: Record<MoveStanding, StateFacts> = {
  sent: { label: 'Enviada', tone: 'info' },
  accepted: { label: 'Aceptada', tone: 'ok' },
  declined: { label: 'Rechazada', tone: 'bad' },
  expired: { label: 'Vencida', tone: 'wait' },
  gone: { label: 'Ya no estaba libre', tone: 'bad' },
  withdrawn: { label: 'Ya no aplica', tone: 'neutral' },
}

/** Why an offer can't be answered any more, as its customer reads it. */
export const whyOver: Record<MoveAnswer, string> = {
  accepted: 'Ya aceptaste este horario.',
  declined: 'Ya nos dijiste que no te queda este horario.',
  expired: 'Esta propuesta ya venció. Te llamamos para acordar otro horario.',
  gone: 'Ese horario se acaba de ocupar. Te llamamos para acordar otro.',
  withdrawn: 'Tu cita ya cambió: esta propuesta no aplica.',
}

/** Whose turn it is while a customer is asked, whatever the appointment's own state says. */
export const askedLine = 'Te toca a ti: dinos si te queda el horario que te proponemos.'
