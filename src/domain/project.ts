import type { AppointmentState } from './appointment.ts'
import type { Area } from './locality.ts'

/** The stages of an installation, in order; lost is the way out, from any of them. */
export const stages = [
  'intake',
  'advisory',
  'visit',
  'quoting',
  'deposit',
  'installing',
  'cfe',
  'closed',
  'lost',
] as const
export type Stage = (typeof stages)[number]

export const stageLabels: Record<Stage, string> = {
  intake: 'Registro',
  advisory: 'Asesoría',
  visit: 'Visita técnica',
  quoting: 'Cotización',
  deposit: 'Anticipo',
  installing: 'Instalación',
  cfe: 'Trámite CFE',
  closed: 'Concluido',
  lost: 'No concretado',
}

export const waitingLabels = {
  customer: 'Tú',
  technician: 'Técnico',
  analyst: 'Analista',
  manager: 'Gerencia',
  gester: 'Gestor ante CFE',
  cfe: 'CFE',
  none: 'Nadie',
} as const
/** Whose turn it is. */
export type Waiting = keyof typeof waitingLabels

/** What the stage follows from: where the address lies, if there is one, and the states of the project's technical visits. */
export type ProjectFacts = {
  area: Area | 'none'
  visits: readonly AppointmentState[]
}

/** Where a visit stands, the furthest first; one that was cancelled or missed counts for nothing. */
const furthestFirst: readonly AppointmentState[] = [
  'done',
  'paused',
  'in_progress',
  'en_route',
  'assigned',
  'requested',
]

const furthestVisit = ({ visits }: ProjectFacts) => furthestFirst.find((state) => visits.includes(state))

/** The furthest stage that the project's parts have reached. */
export function stageOf(facts: ProjectFacts): Stage {
  const visit = furthestVisit(facts)
  if (!visit) return 'intake'
  return visit === 'done' ? 'quoting' : 'visit'
}

type Turn = { waitingOn: Waiting; line: string }

const duringIntake: Record<ProjectFacts['area'], Turn> = {
  none: { waitingOn: 'customer', line: 'Te toca a ti: registra el domicilio de la instalación.' },
  served: { waitingOn: 'customer', line: 'Te toca a ti: agenda tu visita técnica.' },
  to_verify: { waitingOn: 'manager', line: 'Nos toca a nosotros: revisamos tu domicilio y te llamamos.' },
  outside: { waitingOn: 'none', line: 'Todavía no llegamos a tu domicilio.' },
}

const duringVisit: Partial<Record<AppointmentState, Turn>> = {
  requested: { waitingOn: 'manager', line: 'Nos toca a nosotros: confirmamos quién hará tu visita.' },
  assigned: { waitingOn: 'technician', line: 'Le toca a tu técnico: llega el día de tu visita.' },
  en_route: { waitingOn: 'technician', line: 'Tu técnico va en camino.' },
  in_progress: { waitingOn: 'technician', line: 'Tu técnico está haciendo la visita.' },
  paused: { waitingOn: 'technician', line: 'Tu técnico hizo una pausa y continúa en un momento.' },
  done: { waitingOn: 'analyst', line: 'Nos toca a nosotros: preparamos tu cotización.' },
}

function turnOf(facts: ProjectFacts): Turn {
  const visit = furthestVisit(facts)
  return (visit && duringVisit[visit]) ?? duringIntake[facts.area]
}

/** Who has to do the next thing. */
export const waitingOn = (facts: ProjectFacts): Waiting => turnOf(facts).waitingOn

/** Whose turn it is and for what, in one sentence to the customer. */
export const turnLine = (facts: ProjectFacts): string => turnOf(facts).line
