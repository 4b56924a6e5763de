import type { AppointmentState } from './appointment.ts'
import { notBegunStates } from './late.ts'

/** What the office answers a customer who reported that nobody came. */
export const nobodyCameAnswers = ['calling', 'coming', 'was_there'] as const
export type NobodyCameAnswer = (typeof nobodyCameAnswers)[number]

/** Where the conversation about such a report stands: said, answered, or settled by what happened since. */
export type MissedStep = 'reported' | NobodyCameAnswer | 'moved' | 'arrived'

type Told = {
  state: AppointmentState
  setOutAt: Date | null
  timeSetAt: Date
  nobodyCameAt: Date | null
  nobodyCameAnswer: NobodyCameAnswer | null
  nobodyCameAnsweredAt: Date | null
}

const isNotBegun = (state: AppointmentState) => notBegunStates.some((one) => one === state)

/** Where the report of an appointment stands; null without one, and once the appointment is over. */
export function missedStepOf(told: Told): MissedStep | null {
  const { nobodyCameAt, nobodyCameAnswer, setOutAt, state, timeSetAt } = told
  if (!nobodyCameAt) return null
  if (state === 'in_progress' || state === 'paused') return timeSetAt > nobodyCameAt ? null : 'arrived'
  if (!isNotBegun(state)) return null
  if (timeSetAt > nobodyCameAt) return 'moved'
  if (state === 'en_route' && setOutAt && setOutAt > nobodyCameAt) return 'coming'
  return nobodyCameAnswer ?? 'reported'
}

/** How many minutes after we said that somebody comes it can be reported again that nobody did. */
const AGAIN_MINUTES = 30

/** Whether a customer may say it now: for the first time, of a new time, or because what we answered is not so. */
export function mayReportAgain(told: Told, now: Date): boolean {
  const step = missedStepOf(told)
  if (step !== 'coming') return step === null || step === 'moved' || step === 'was_there'
  const since = Math.max(+(told.setOutAt ?? 0), +(told.nobodyCameAnsweredAt ?? 0), +(told.nobodyCameAt ?? 0))
  return now.getTime() - since >= AGAIN_MINUTES * 60_000
}

/** Whether the office still owes the customer an answer. */
export const isUnanswered = (step: MissedStep | null) => step === 'reported' || step === 'calling'

/** One sentence for each step: whose turn it is, on the customer's home and pages; null where the state says it. */
export function missedLine(step: MissedStep, { needsTravel }: { needsTravel: boolean }): string | null {
  if (step === 'reported') return 'Perdona: nadie llegó. Vemos qué pasó y te llamamos.'
  if (step === 'calling') return 'Te estamos llamando.'
  if (step === 'coming')
    return needsTravel ? 'Tu técnico va en camino.' : 'Tu analista ya entra a tu llamada.'
  if (step === 'was_there') return 'Revisamos tu aviso: nos dicen que sí estuvimos ahí.'
  return null
}

/** What a letter says of an answer that settles the report. */
export const settledWords = (answer: NobodyCameAnswer | null, service: string) =>
  answer === 'coming'
    ? {
        heading: `Ya van en camino a tu ${service}`,
        paragraphs: ['Perdona la espera. Si en media hora no llega nadie, dínoslo otra vez en tu cuenta.'],
      }
    : {
        heading: `Revisamos tu ${service}: nos dicen que sí estuvimos`,
        paragraphs: ['Si no fue así, dínoslo otra vez en tu cuenta o escríbenos: lo arreglamos contigo.'],
      }

/** Whether an answer of the office settles the report: that it is calling does not yet. */
export const isSettling = (answer: NobodyCameAnswer | null) => answer === 'coming' || answer === 'was_there'
