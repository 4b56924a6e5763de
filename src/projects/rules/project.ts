import { isManager, isOffice } from '../../access/rules/actor.ts'
import {
  type AppointmentState,
  isActive,
  type Service,
  serviceFacts,
} from '../../appointments/rules/appointment.ts'
import { isUnanswered, missedLine } from '../../appointments/rules/nobody-came.ts'
import { type CasePart, caseStatus } from '../../cfe/rules/case.ts'
import type { Condition } from '../../reports/rules/report.ts'
import { faultTurn } from '../../reports/rules/warranty.ts'
import type { Area } from './address.ts'
import {
  answerTurn,
  cfeTurn,
  chargeTurns,
  depositTurn,
  endedTurn,
  type MissingPart,
  type MoneyFacts,
  missingForInstallation,
  noMoney,
  permitTurn,
  type ReadyFacts,
  statusAfterVisit,
  statusBeforeHandOver,
} from './next-step.ts'
import type { ProjectPart, ProjectStatus, Stage } from './stages.ts'

/** The facts that stage and turn are computed from: the address's area, the appointments, the quote and its payments. */
export type ProjectFacts = {
  area: Area | 'none'
  /** Since when the address, or the project without one, has its current state. */
  since: Date | null
  appointments: readonly ProjectPart[]
  quoteAcceptedAt: Date | null
  depositPaidAt: Date | null
  permitNeeded: boolean
  permitReceivedAt: Date | null
  permitValidAt: Date | null
  permitReturned: string | null
  conditions: readonly Condition[]
  money: MoneyFacts
  /** The open case with CFE; one that waits for its customer comes first. */
  cfeCase: CasePart | null
  /** Since when the project is lost. */
  lostAt: Date | null
}

/** The facts of an empty project. */
export const noProject: ProjectFacts = {
  area: 'none',
  since: null,
  appointments: [],
  quoteAcceptedAt: null,
  depositPaidAt: null,
  permitNeeded: false,
  permitReceivedAt: null,
  permitValidAt: null,
  permitReturned: null,
  conditions: [],
  money: noMoney,
  cfeCase: null,
  lostAt: null,
}

/**
 * The states of an appointment that count, the furthest first; a cancelled, missed or unfinished one does not count.
 */
const furthestFirst: readonly AppointmentState[] = [
  'done',
  'paused',
  'in_progress',
  'en_route',
  'assigned',
  'requested',
]

const counts = ({ state, outcome }: ProjectPart) =>
  state !== 'done' || outcome === null || outcome === 'completed'

/** The furthest appointment of a service that counts. */
export function furthest({ appointments }: Pick<ProjectFacts, 'appointments'>, service: Service) {
  const those = appointments.filter((part) => part.service === service && counts(part))
  return furthestFirst.map((state) => those.find((part) => part.state === state)).find(Boolean) ?? null
}

/** Whether a technical visit was carried out to its end. */
export const isVisited = (facts: Pick<ProjectFacts, 'appointments'>) =>
  furthest(facts, 'technical_visit')?.state === 'done'

/** Whether a charger was installed to the end. */
export const isInstalled = (facts: Pick<ProjectFacts, 'appointments'>) =>
  furthest(facts, 'installation')?.state === 'done'

/** The facts of a project that decide whether it is ready for an installation. */
export const readyFactsOf = (project: ProjectFacts): ReadyFacts => ({
  quoteAccepted: project.quoteAcceptedAt !== null,
  depositPaid: project.depositPaidAt !== null,
  permitNeeded: project.permitNeeded,
  permitReceived: project.permitReceivedAt !== null,
  permitValid: project.permitValidAt !== null,
  permitReturned: project.permitReturned,
  conditions: project.conditions,
})

/** What prevents a customer from booking a service at any time. */
export type Hindrance = 'address' | 'active_one' | 'area' | 'not_ready' | 'finished' | 'concluded'

/**
 * The first obstacle to a booking; null when there is none. A call needs no address. After an installation only a fault
 * allows another visit: another charger is another project.
 */
export function hindranceOf(
  service: Service,
  facts: ProjectFacts,
  faultSince: Date | null,
): Hindrance | null {
  const isCall = service === 'videocall'
  if (!isCall && facts.area === 'none') return 'address'
  if (facts.appointments.some((part) => part.service === service && isActive(part.state))) return 'active_one'
  if (!isCall && facts.area !== 'served') return 'area'
  if (service === 'technical_visit' && isInstalled(facts) && !faultSince) return 'concluded'
  if (service !== 'installation') return null
  if (furthest(facts, service)) return 'finished'
  return missingForInstallation(readyFactsOf(facts)).length > 0 ? 'not_ready' : null
}

/** The turn while a customer is asked, whatever the appointment's own state. */
export const askedLine = 'Te proponemos otro horario: dinos si te queda.'

/** The furthest stage that the project's parts have reached, and whose turn it is: the first of its turns. */
export const projectStatusOf = (facts: ProjectFacts, askedSince: Date | null = null) =>
  fullProjectStatusOf(facts, { askedSince, faultSince: null })

/** The turns of a project's own parts, the first of which stands for it. */
function ownTurns(facts: ProjectFacts): [ProjectStatus, ...ProjectStatus[]] {
  const open = [...answering(facts), ...installing(facts)]
  if (open.length > 0) return open as [ProjectStatus, ...ProjectStatus[]]
  const visit = visitOf(facts)
  const call = furthest(facts, 'videocall')
  const talk = call && during('advisory', callTurns, call)
  return [
    ended(facts) ??
      (visit && statusAfterVisit(visit, talk?.waitingOn ?? null)) ??
      (visit && during('visit', visitTurns, visit)) ??
      talk ??
      intake(facts),
  ]
}

/** The visit by which a project stands: another that is booked, after one that no quote can be made of. */
function visitOf(facts: Pick<ProjectFacts, 'appointments'>) {
  const visit = furthest(facts, 'technical_visit')
  if (visit?.state !== 'done' || (visit.report && visit.report.notViable === null)) return visit
  const booked = facts.appointments.filter(
    (part) => part.service === 'technical_visit' && isActive(part.state),
  )
  return furthest({ appointments: booked }, 'technical_visit') ?? visit
}

const lostLine = 'Cerramos este proyecto. Si quieres retomarlo, escríbenos.'

type Turn = Pick<ProjectStatus, 'waitingOn' | 'line'> & Partial<Pick<ProjectStatus, 'stage' | 'next'>>
type Turns = Partial<Record<AppointmentState, Turn>>

/** Null where the state of an appointment implies no status. */
function during(
  stage: Stage,
  turns: Turns,
  { service, state, since, missed }: ProjectPart,
): ProjectStatus | null {
  const turn = turns[state]
  if (!turn) return null
  const line = missed && missedLine(missed, serviceFacts[service])
  const said = line && {
    line,
    waitingOn: isUnanswered(missed ?? null) ? ('manager' as const) : turn.waitingOn,
  }
  return { stage, since, next: null, isOfAppointment: true, ...turn, ...said }
}

const visitTurns: Turns = {
  requested: { waitingOn: 'manager', line: 'Ya tienes tu lugar. Te avisamos quién te visita.' },
  assigned: { waitingOn: 'technician', line: 'Tu visita está confirmada.' },
  en_route: { waitingOn: 'technician', line: 'Tu técnico va en camino.' },
  in_progress: { waitingOn: 'technician', line: 'Tu técnico está haciendo la visita.' },
  paused: { waitingOn: 'technician', line: 'Tu técnico hizo una pausa y continúa en un momento.' },
  done: { stage: 'quoting', waitingOn: 'analyst', line: 'Estamos preparando tu cotización.' },
}

const callTurns: Turns = {
  requested: { waitingOn: 'manager', line: 'Ya tienes tu lugar. Te avisamos quién te atiende.' },
  assigned: {
    waitingOn: 'analyst',
    line: 'Tu asesoría está confirmada: te esperamos por video a esa hora.',
  },
  in_progress: { waitingOn: 'analyst', line: 'Tu asesoría está en curso.' },
  paused: { waitingOn: 'analyst', line: 'Tu analista hizo una pausa y continúa en un momento.' },
}

const installationTurns: Turns = {
  requested: { waitingOn: 'manager', line: 'Ya tienes tu lugar. Te avisamos quién instala tu cargador.' },
  assigned: { waitingOn: 'technician', line: 'Tu instalación está confirmada.' },
  en_route: { waitingOn: 'technician', line: 'Tu técnico va en camino.' },
  in_progress: { waitingOn: 'technician', line: 'Tu técnico está instalando tu cargador.' },
  paused: { waitingOn: 'technician', line: 'Tu técnico hizo una pausa y continúa en un momento.' },
  done: {
    stage: 'closed',
    waitingOn: 'none',
    line: 'Tu cargador está listo.',
    next: { label: 'Mi cargador y su garantía', to: '/installation' },
  },
}

/** A quote that waits for an answer, at any stage of the project. */
function answering(facts: ProjectFacts): ProjectStatus[] {
  const turn = answerTurn(facts.money)
  return turn ? [{ stage: installing(facts)[0]?.stage ?? 'quoting', ...turn }] : []
}

/** After a quote that can no longer be accepted. */
function ended({ money }: ProjectFacts): ProjectStatus | null {
  const turn = endedTurn(money)
  return turn && { stage: 'quoting', ...turn }
}

/** From the accepted quote on: all that is open, the first of it before the rest. */
function installing(facts: ProjectFacts): ProjectStatus[] {
  const installation = furthest(facts, 'installation')
  const itself = installation && during('installing', installationTurns, installation)
  if (installation?.state === 'done') {
    const owed = chargeTurns(facts.money).map((turn) => ({ stage: 'installing' as const, ...turn }))
    const inReview = statusBeforeHandOver(installation)
    return [...owed, inReview, inReview ? null : (ofCase(facts) ?? itself)].filter((one) => one !== null)
  }
  if (itself) return [itself]
  const missing = missingForInstallation(readyFactsOf(facts))
  if (missing[0] === 'quote') return []
  const since = latest([facts.quoteAcceptedAt, facts.depositPaidAt, ...endings(facts, 'installation')])
  if (missing.length > 0) return missing.map((part) => missingTurn(part, facts, since))
  return [
    {
      stage: 'installing',
      waitingOn: 'customer',
      line: 'Sigue: agenda tu instalación.',
      since: latest([since, facts.permitValidAt]),
      next: { label: 'Agendar instalación', to: '/agenda-installation' },
    },
  ]
}

const ofCase = ({ cfeCase }: ProjectFacts): ProjectStatus | null =>
  cfeCase && { stage: 'cfe', ...caseStatus(cfeCase) }

const see = { label: 'Ver qué falta', to: '/installation' }

function missingTurn(part: MissingPart, facts: ProjectFacts, since: Date | null): ProjectStatus {
  if (part === 'deposit') return { stage: 'deposit', ...depositTurn(facts.money, since) }
  if (part !== 'permit')
    return { stage: 'cfe', since, ...cfeTurn(facts.cfeCase && caseStatus(facts.cfeCase)), next: see }
  return {
    ...permitTurn(readyFactsOf(facts)),
    since: latest([since, facts.permitReceivedAt]),
    stage: 'installing',
    next: see,
  }
}

const atAddress: Record<ProjectFacts['area'], Turn> = {
  none: {
    waitingOn: 'customer',
    line: 'Sigue: dinos dónde instalamos tu cargador.',
    next: { label: 'Agregar mi domicilio', to: '/address' },
  },
  served: {
    waitingOn: 'customer',
    line: 'Sigue: agenda tu visita técnica.',
    next: { label: 'Agendar visita', to: '/agenda-technics-visit' },
  },
  to_verify: {
    waitingOn: 'manager',
    line: 'Revisamos tu domicilio y te llamamos para confirmar si llegamos.',
  },
  outside: { waitingOn: 'none', line: 'Todavía no llegamos a tu zona.' },
}

const intake = (facts: ProjectFacts): ProjectStatus => ({
  stage: 'intake',
  next: null,
  since: latest([facts.since, ...endings(facts, 'technical_visit')]),
  ...atAddress[facts.area],
})

const endings = ({ appointments }: ProjectFacts, service: Service) =>
  appointments.filter((part) => part.service === service).map(({ since }) => since)

const latest = (dates: readonly (Date | null)[]) =>
  dates.reduce((a, b) => (b === null || (a !== null && a >= b) ? a : b), null)

/**
 * Facts besides a project's own parts that decide whose turn it is: since when another time is offered, and a fault is
 * open.
 */
type Beside = { askedSince: Date | null; faultSince: Date | null }

/** Stage of a project and whose turn it is, as shown to its customer and the ally who referred them. */
export const fullProjectStatusOf = (facts: ProjectFacts, beside: Beside): ProjectStatus =>
  turnsOf(facts, beside)[0]

/**
 * Everything of a project that is owed or waited for. The first is its status: another time that is proposed, then a
 * fault, then its own parts; amounts and a case with CFE are among them whatever the stage.
 */
export function turnsOf(
  facts: ProjectFacts,
  { askedSince, faultSince }: Beside,
): [ProjectStatus, ...ProjectStatus[]] {
  if (facts.lostAt)
    return [{ stage: 'lost', waitingOn: 'none', line: lostLine, since: facts.lostAt, next: null }]
  const own = ownTurns(facts)
  const [{ charge: _, stage, ...first }] = own
  const visit = facts.appointments.find(
    ({ service, state }) => service === 'technical_visit' && isActive(state),
  )
  const isFaulty = faultSince !== null && isInstalled(facts)
  const all: ProjectStatus[] = [
    ...(isFaulty ? [{ stage, ...faultTurn({ since: faultSince }, visit ?? null) }] : []),
    ...own,
    ...chargeTurns(facts.money).map((turn) => ({ stage, ...turn })),
    ...[ofCase(facts) ?? []].flat(),
  ]
  const once = all.filter((one, at) => all.findIndex((before) => isSameTurn(before, one)) === at)
  const asked: ProjectStatus = { ...first, stage, waitingOn: 'customer', line: askedLine, since: askedSince }
  return (askedSince ? [asked, ...once] : once) as [ProjectStatus, ...ProjectStatus[]]
}

const isSameTurn = (one: ProjectStatus, other: ProjectStatus) =>
  one.charge || other.charge ? one.charge === other.charge : one.line === other.line

/** Who marks a project as lost; only managers reopen it. */
export const losesProjects = isOffice
export const reopensProjects = isManager
/** Who approves another home for an accepted quote. */
export const approvesHomes = isManager
