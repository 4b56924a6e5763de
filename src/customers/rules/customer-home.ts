import {
  type AppointmentState,
  isActive,
  isUpcoming,
  type Service,
  serviceFacts,
} from '../../appointments/rules/appointment.ts'
import { type MissedStep, missedLine } from '../../appointments/rules/nobody-came.ts'
import { promisedMinutes } from '../../appointments/rules/promise.ts'
import { type RunningLate, runningLateWords } from '../../appointments/rules/running-late.ts'
import type { ArrivalSpan } from '../../dispatch/rules/arrival.ts'
import { amountDue, pendingWords } from '../../projects/rules/next-step.ts'
import type { NextStep, ProjectStatus, Stage } from '../../projects/rules/stages.ts'
import { arrivalHours, daysUntil, promisedHour } from '../../shared/format.ts'
import { dayOfYear, sinceWhen, spokenDay } from '../../shared/spoken-days.ts'

/** A booked appointment, as far as the first sentence of its customer's pages says it. */
export type BookedFacts = {
  service: Service
  state: AppointmentState
  startsAt: Date
  /** Who carries it out; null until that is confirmed. */
  assignee: string | null
  /** Where its customer's report stands that nobody came. */
  missed: MissedStep | null
  /** When they arrive, while on the way; null where only the promised hour is known. */
  arrival: ArrivalSpan | null
  /** What the assignee said of being late. */
  runningLate?: RunningLate | null
}

/** When it is read, and within how many minutes of the start the person arrives. */
type Reading = { now: Date; window: number }
type Sentence = { sentence: string; detail: string | null }

/** Where each service is read, as the next step of a customer for whom nothing else is to be done. */
export const readingSteps: Record<Service, NextStep> = {
  technical_visit: { label: 'Ver mi visita', to: '/technics-visit' },
  installation: { label: 'Ver mi instalación', to: '/installation' },
  videocall: { label: 'Ver mi asesoría', to: '/videocall' },
}

const ofWhat: Record<Service, string> = {
  technical_visit: 'visita',
  installation: 'instalación',
  videocall: 'asesoría',
}
/** What the person does at that hour, by their first name; without a name, what we do. */
const does: Record<Service, (who: string | null) => string> = {
  technical_visit: (who) => (who ? `te visita ${who}` : 'te visitamos'),
  installation: (who) => (who ? `${who} instala tu cargador` : 'instalamos tu cargador'),
  videocall: (who) => (who ? `${who} te espera por video` : 'es tu asesoría por video'),
}
const isDoing: Record<Service, string> = {
  technical_visit: 'está haciendo tu visita.',
  installation: 'está instalando tu cargador.',
  videocall: 'ya está contigo en la llamada.',
}

const firstName = (assignee: string | null) => assignee?.split(' ')[0] ?? null
const somebody = (service: Service) => (serviceFacts[service].by === 'analyst' ? 'Tu analista' : 'Tu técnico')

/** The first sentence about an appointment that is booked or under way, and what belongs to it. */
export function bookedSentence(booked: BookedFacts, reading: Reading): Sentence {
  const { assignee, missed, service, state } = booked
  const who = firstName(assignee) ?? somebody(service)
  const conversation = missed && missedLine(missed, serviceFacts[service])
  if (conversation) return { sentence: conversation, detail: null }
  const late = booked.runningLate
  if (late && state === 'assigned') return { sentence: runningLateWords(late), detail: null }
  if (state === 'en_route') return { sentence: `${who} va en camino.`, detail: arrivalWords(booked, reading) }
  if (state === 'in_progress') return { sentence: `${who} ${isDoing[service]}`, detail: null }
  if (state === 'paused') return { sentence: `${who} hizo una pausa y continúa en un momento.`, detail: null }
  return upcoming(booked, reading)
}

/**
 * What stands above the card of a booked appointment on the page of its service. The card itself says day, hour and who
 * comes, and asks whether nobody came: there is more to say only while somebody is on the way or at work.
 */
export function sentenceAbove(booked: BookedFacts, reading: Reading): string | null {
  const { missed, service, state } = booked
  const conversation = missed && missedLine(missed, serviceFacts[service])
  if (conversation) return missed === 'coming' ? conversation : null
  return isUpcoming(state) && !booked.runningLate ? null : bookedSentence(booked, reading).sentence
}

function arrivalWords({ arrival, runningLate, startsAt }: BookedFacts, { window }: Reading): string | null {
  if (runningLate && !arrival) return runningLateWords(runningLate)
  if (arrival)
    return `Llega ${arrivalHours(arrival.from, (arrival.to.getTime() - arrival.from.getTime()) / 60_000)}`
  return window > 0 ? `Llega ${arrivalHours(startsAt, window)}` : null
}

const LATE_AFTER_MS = 30 * 60_000

function upcoming({ assignee, service, startsAt, state }: BookedFacts, { now, window }: Reading): Sentence {
  if (daysUntil(startsAt, now) < 0)
    return { sentence: `Tu ${ofWhat[service]} era el ${dayOfYear(startsAt, now)}.`, detail: wasLate }
  const hour = promisedHour(startsAt, promisedMinutes(service, window))
  const who = state === 'assigned' ? firstName(assignee) : null
  const isLate = now.getTime() - startsAt.getTime() >= LATE_AFTER_MS
  const unknown = who ? null : `Ya tienes tu lugar. Te avisamos quién te ${waits[service]}.`
  return {
    sentence: `${spokenDay(startsAt, now)}, ${hour}, ${does[service](who)}.`,
    detail: isLate ? wasLate : unknown,
  }
}

const wasLate = '¿Ya pasó la hora y nadie llegó? Avísanos y te llamamos de inmediato.'
const waits: Record<Service, string> = {
  technical_visit: 'visita',
  installation: 'visita',
  videocall: 'atiende',
}

/** What a customer's home says first, and its one main action. */
export type HomeWords = Sentence & {
  next: NextStep
  /** Since when somebody else has it; null where the sentence says all of it. */
  since: Date | null
  /** The booked service whose day and hour the sentence says. */
  about: Service | null
}

/** Where the customer reads how far a stage is, when nothing is theirs to do. */
const lookingAt: Record<Stage, NextStep> = {
  intake: { label: 'Ver mi domicilio', to: '/address' },
  advisory: readingSteps.videocall,
  visit: readingSteps.technical_visit,
  quoting: readingSteps.technical_visit,
  deposit: { label: 'Ver mis pagos', to: '/payments' },
  installing: readingSteps.installation,
  cfe: { label: 'Ver mi trámite ante CFE', to: '/installation' },
  closed: { label: 'Ver mi cargador', to: '/installation' },
  lost: { label: 'Agendar asesoría', to: '/agenda-videocall' },
}

type Shown = {
  status: ProjectStatus
  /** What is booked, in any order. */
  booked: readonly BookedFacts[]
  /** The service for which another time is proposed. */
  asked: Service | null
  /** Whether the room of a call is open: then its own words come first. */
  isCallOpen: boolean
}

/**
 * The sentence of a customer's home. What is theirs to do comes first, then the soonest of what is booked, then whose
 * turn it is. Every state has a next step: at least where it is read.
 */
export function homeWords({ asked, booked, isCallOpen, status }: Shown, reading: Reading): HomeWords {
  const { line, next, stage, waitingOn } = status
  if (asked) return { ...withoutMore(line), next: answerStep(asked) }
  const [soonest] = booked
    .filter(({ state }) => isActive(state))
    .toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
  if (!isCallOpen && waitingOn !== 'customer' && soonest)
    return {
      ...bookedSentence(soonest, reading),
      since: null,
      next: readingSteps[soonest.service],
      about: isTold(soonest) ? soonest.service : null,
    }
  if (stage === 'closed' && waitingOn === 'none' && status.since) {
    const since = sinceWhen(status.since, reading.now)
    return { ...withoutMore(`Tu cargador está listo desde ${since}.`), next: next ?? lookingAt.closed }
  }
  const isTheirs = waitingOn !== 'customer' && waitingOn !== 'none' && !isCallOpen
  return {
    sentence: line,
    detail: toPay(status) ? amountDue(status.charge!, reading.now) : null,
    since: isTheirs ? status.since : null,
    about: null,
    next: next ?? lookingAt[stage],
  }
}

/** Whether the sentence leaves its card nothing to say of the time: a call's card also says whose clock it is. */
const isTold = ({ missed, service, state }: BookedFacts) =>
  isUpcoming(state) && !missed && serviceFacts[service].needsTravel

const withoutMore = (sentence: string) => ({ sentence, detail: null, since: null, about: null })

const answerStep = (service: Service): NextStep => ({
  label: 'Ver y contestar',
  to: readingSteps[service].to,
})

const toPay = ({ charge }: ProjectStatus) => charge?.state === 'pending'

/** What stands below the first sentence: all else that is owed or waited for, but for appointments, which have cards. */
export const alsoOpen = (turns: readonly ProjectStatus[], { sentence }: Sentence, now: Date) =>
  turns
    .filter(
      ({ isOfAppointment, waitingOn }, at) =>
        !isOfAppointment && waitingOn !== 'none' && at !== turns.findIndex(({ line }) => line === sentence),
    )
    .map((turn, id) => ({
      /** Two may have the same words. */
      id,
      words: pendingWords(turn, now),
      next: turn.waitingOn === 'customer' ? turn.next : null,
    }))

type OwnHome = { hasAddress: boolean; chosenAt: Date | null; turns: readonly ProjectStatus[] }

/** A customer's homes, the one to show first: what is to be paid soonest, then what else is theirs to do; one without an address last. */
export const dueFirst = <Home extends OwnHome>(homes: readonly Home[]): Home[] =>
  homes.toSorted((a, b) => dueRank(a) - dueRank(b) || Number(b.chosenAt) - Number(a.chosenAt))

function dueRank({ hasAddress, turns }: OwnHome): number {
  const due = turns.find(toPay)?.charge
  if (due) return (due.dueAt ?? due.since).getTime()
  const isTheirs = turns.some(({ waitingOn }) => waitingOn === 'customer')
  return Number.MAX_SAFE_INTEGER - (!hasAddress ? 0 : isTheirs ? 4 : 2)
}

/** What a customer has to do at a home, in a word beside its name; null where it is nothing, or has no address yet. */
export function dueMark({ hasAddress, turns }: Pick<OwnHome, 'hasAddress' | 'turns'>): string | null {
  if (turns.some(toPay)) return 'Pago pendiente'
  const theirs = turns.find(({ waitingOn }) => waitingOn === 'customer')
  return (hasAddress && theirs?.next?.label) || null
}

/** What is prepared for somebody's visit, and what of it is known already. */
const toPrepare = {
  bill: {
    label: 'Tu recibo de CFE',
    words: 'El más reciente, a la mano. Si anotas tu número de servicio, ya lo llevamos.',
    step: { label: 'Anotar mi número de servicio', to: '/address?editar' },
  },
  car: {
    label: 'El modelo de tu auto',
    words: 'Con él sabemos qué cargador te conviene.',
    step: { label: 'Decir cuál es mi auto', to: '/technics-visit#equipo' },
  },
  access: {
    label: 'El acceso a tu medidor y a tu estacionamiento',
    words: 'Deja libre el paso y dinos quién recibe y cómo se entra.',
    step: { label: 'Dar indicaciones', to: '/address?editar' },
  },
} as const satisfies Record<string, { label: string; words: string; step: NextStep }>

/** Whether each is known. */
export type Prepared = Record<keyof typeof toPrepare, boolean>

/** The list of a customer whose visit is booked, each with where it is told, until it is. */
export const preparations = (prepared: Prepared) =>
  (Object.keys(toPrepare) as (keyof Prepared)[]).map((name) => ({
    name,
    isKnown: prepared[name],
    ...toPrepare[name],
  }))
