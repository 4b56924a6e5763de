import {
  type Actor,
  isGester,
  isManager,
  isSystem,
  type Mover,
  type StaffKind,
} from '../../access/rules/actor.ts'
import type { ProjectStatus } from '../../projects/rules/stages.ts'
import { addDays, isHoliday, localDate, toMinutes } from '../../shared/calendar.ts'
import type { ListOrder } from '../../shared/count.ts'
import type { DayFilters } from '../../shared/day-range.ts'
import { localDay, lowerFirst, shortDate } from '../../shared/format.ts'
import { machine, type StateFacts, type TransitionOf } from '../../shared/state-machine.ts'

export const casesPath = '/admin/gesties'

/** The kinds of request to CFE. */
export const caseKindLabels = {
  second_meter: 'Segundo medidor',
  load_increase: 'Aumento de carga',
  new_service: 'Servicio nuevo',
  name_change: 'Cambio de nombre',
} as const
export type CaseKind = keyof typeof caseKindLabels

export const caseStateFacts = {
  gathering: { label: 'Reuniendo documentos', tone: 'wait' },
  ready_to_file: { label: 'Listo para ingresar', tone: 'wait' },
  filed: { label: 'Ingresado en CFE', tone: 'info' },
  inspection: { label: 'En revisión de CFE', tone: 'info' },
  observed: { label: 'Con observaciones', tone: 'bad' },
  corrected: { label: 'Corregido', tone: 'wait' },
  approved: { label: 'Aprobado', tone: 'ok' },
  contract_signed: { label: 'Contrato firmado', tone: 'ok' },
  meter_installed: { label: 'Medidor instalado', tone: 'ok' },
  closed: { label: 'Concluido', tone: 'ok' },
  on_hold: { label: 'En pausa', tone: 'neutral' },
  rejected: { label: 'Rechazado por CFE', tone: 'bad' },
  cancelled: { label: 'Cancelado', tone: 'bad' },
} as const satisfies Record<string, StateFacts>
export type CaseState = keyof typeof caseStateFacts
export const caseStates = Object.keys(caseStateFacts) as CaseState[]

const ended: readonly CaseState[] = ['closed', 'rejected', 'cancelled']
export const isOpenCase = (state: CaseState) => !ended.includes(state)

/** The states in which a case is open, as a list: SQL filters by it. */
const openCaseStates = caseStates.filter(isOpenCase)

/** Whether CFE has done what a case asks for: before the meter is installed a house bears no more than it did. */
export function isGranted({ heldFrom, state }: Pick<CaseFacts, 'heldFrom' | 'state'>): boolean {
  const reached = state === 'on_hold' ? heldFrom : state
  return reached === 'meter_installed' || reached === 'closed'
}

/** The states before anything is filed with CFE. */
export const unfiledStates = ['gathering', 'ready_to_file'] as const satisfies readonly CaseState[]

/** Whether nothing of a case is filed with CFE yet. */
export const isUnfiled = (state: CaseState) => unfiledStates.some((unfiled) => unfiled === state)

/** Which cases each kind reads: those who work on cases, and the analyst who speaks with their customers. */
export const readsCases: Record<StaffKind, 'all' | 'own' | 'none'> = {
  manager: 'all',
  analyst: 'all',
  gester: 'own',
  tecnician: 'none',
  alliate: 'none',
}

export const caseTurnLabels = {
  customer: 'Cliente',
  gester: 'Gestor',
  cfe: 'CFE',
  none: 'Nada pendiente',
} as const

/** Whose turn it is in a case. */
export type CaseTurn = keyof typeof caseTurnLabels

/** Whose turn it is, in a column; the reader may be who handles the case. */
export const caseTurnWords = (turn: CaseTurn, isMine: boolean): string =>
  isMine && turn === 'gester' ? 'Te toca' : caseTurnLabels[turn]

/** The same as a sentence: "Te toca a ti", "Le toca a: CFE". */
export function caseTurnSentence(turn: CaseTurn, isMine: boolean): string {
  const words = caseTurnWords(turn, isMine)
  return words === caseTurnLabels[turn] ? `Le toca a: ${words}` : `${words} a ti`
}

/** Who corrects what CFE observed; null before CFE observed anything. */
export type Corrector = 'customer' | 'gester' | null

/** The facts that decide whose turn it is. */
type TurnFacts = {
  state: CaseState
  kind: CaseKind
  /** Who corrects what CFE observed. */
  correctedBy: Corrector
  /** Whether a paper requested from the customer is missing or was returned. */
  customerOwes: boolean
}

/** Whose turn it is. CFE's only while it has work to do: with a change of name it installs nothing. */
export function turnOf({ state, kind, correctedBy, customerOwes }: TurnFacts): CaseTurn {
  switch (state) {
    case 'gathering':
    case 'ready_to_file':
      return customerOwes ? 'customer' : 'gester'
    case 'filed':
    case 'inspection':
      return 'cfe'
    case 'contract_signed':
      return kind === 'name_change' ? 'gester' : 'cfe'
    case 'observed':
      return customerOwes ? 'customer' : (correctedBy ?? 'gester')
    case 'approved':
      return 'customer'
    case 'corrected':
    case 'meter_installed':
    case 'on_hold':
      return 'gester'
    default:
      return 'none'
  }
}

/** CFE's days for an answer: stated in working days; usual and longest observed in calendar days. */
export const cfeDays = { stated: 5, usual: [15, 45], longest: 120 } as const

/** Days that the others should take: the customer's in calendar days, the gester's in working days. */
const ownDays = { customer: 7, gester: 2 } as const

/** When a turn should be over, as local dates; after `late` it is overdue. Only CFE's turn has the other dates. */
export type DueDates = { late: string; stated: string | null; usualFrom: string | null }

/** The dates of a turn that began at an instant; null where it is no one's turn, and during a pause. */
export function dueDatesOf(turn: CaseTurn, state: CaseState, since: Date): DueDates | null {
  if (turn === 'none' || state === 'on_hold') return null
  const first = localDate(toMinutes(since))
  if (turn === 'cfe') {
    const [from, to] = cfeDays.usual
    return {
      late: addDays(first, to),
      stated: addWorkingDays(first, cfeDays.stated),
      usualFrom: addDays(first, from),
    }
  }
  const late = turn === 'customer' ? addDays(first, ownDays.customer) : addWorkingDays(first, ownDays.gester)
  return { late, stated: null, usualFrom: null }
}

/** The local date some working days after another: Monday to Friday, without statutory holidays. */
export function addWorkingDays(date: string, days: number): string {
  let day = date
  let left = days
  while (left > 0) {
    day = addDays(day, 1)
    if (isWorkingDay(day)) left--
  }
  return day
}

const isWorkingDay = (date: string) =>
  ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()) && !isHoliday(date, [])

/** Whether a turn lasts longer than it should; `today` is a local date. */
export const isOverdue = (dueOn: string | null, today: string) => dueOn !== null && today > dueOn

/** The facts that a transition of a case is judged by. */
export type CaseFacts = {
  state: CaseState
  kind: CaseKind
  /** Its state before it was put on hold. */
  heldFrom: CaseState | null
  /** The gester who handles it; null before one is assigned. */
  gesterId: string | null
  /** How many of its papers are not validated. */
  unvalidated: number
}

/** Whether a user works on a case: its gester, any gester where none is assigned, or the manager. */
export const worksOn = (actor: Mover, { gesterId }: Pick<CaseFacts, 'gesterId'>) =>
  isManager(actor) || (actor !== 'system' && isGester(actor) && (gesterId === null || gesterId === actor.id))

const incomplete = (_: Mover, { unvalidated }: CaseFacts) =>
  unvalidated === 0
    ? null
    : `Falta${unvalidated === 1 ? '' : 'n'} ${unvalidated} documento${unvalidated === 1 ? '' : 's'} por validar.`

/** A change of name ends with its new contract: no meter is installed. */
const meterMissing = (_: Mover, { kind, state }: CaseFacts) =>
  state === 'contract_signed' && kind !== 'name_change' ? 'Falta que CFE instale el medidor.' : null
const noMeter = (actor: Mover, facts: CaseFacts) =>
  facts.kind === 'name_change'
    ? 'Un cambio de nombre no lleva medidor: conclúyelo.'
    : incomplete(actor, facts)

const withCfe = ['filed', 'inspection', 'observed', 'corrected'] as const satisfies readonly CaseState[]
const running = openCaseStates.filter((state) => state !== 'on_hold')

/** The whole life of a case with CFE: each transition, the states it may leave, and who may make it. */
export const caseMachine = /* @__PURE__ */ machine<CaseFacts>()(
  {
    complete: { from: ['gathering'], to: 'ready_to_file', by: worksOn, blocked: incomplete },
    reopen: { from: ['ready_to_file'], to: 'gathering', by: worksOn },
    file: { from: ['ready_to_file'], to: 'filed', by: worksOn, blocked: incomplete },
    inspect: { from: ['filed', 'corrected'], to: 'inspection', by: worksOn },
    observe: { from: ['inspection'], to: 'observed', by: worksOn },
    correct: { from: ['observed'], to: 'corrected', by: worksOn, blocked: incomplete },
    approve: { from: ['inspection'], to: 'approved', by: worksOn },
    sign: { from: ['approved'], to: 'contract_signed', by: worksOn },
    installMeter: { from: ['contract_signed'], to: 'meter_installed', by: worksOn, blocked: noMeter },
    close: { from: ['meter_installed', 'contract_signed'], to: 'closed', by: worksOn, blocked: meterMissing },
    hold: { from: running, to: 'on_hold', by: worksOn },
    /** Back to its state before the pause. */
    resume: { from: ['on_hold'], to: ({ heldFrom }) => heldFrom ?? 'gathering', by: worksOn },
    reject: { from: withCfe, to: 'rejected', by: worksOn },
    cancel: {
      from: openCaseStates,
      to: 'cancelled',
      // The system cancels only a case that is not filed.
      by: (actor, facts) => worksOn(actor, facts) || (isSystem(actor) && isUnfiled(facts.state)),
    },
  },
  (state) =>
    `El trámite está «${caseStateFacts[state].label}», y desde ahí no se puede. Actualiza la página para ver cómo va.`,
)
export type CaseMoveName = TransitionOf<typeof caseMachine>

/** The labels of the transitions' buttons. */
export const caseMoveLabels: Record<CaseMoveName, string> = {
  complete: 'Expediente completo',
  reopen: 'Volver a reunir documentos',
  file: 'Ya lo ingresé',
  inspect: 'CFE ya lo está revisando',
  observe: 'CFE hizo observaciones',
  correct: 'Ya se corrigió',
  approve: 'CFE lo aprobó',
  sign: 'El contrato quedó firmado',
  installMeter: 'CFE instaló el medidor',
  close: 'Concluir trámite',
  hold: 'Poner en pausa',
  resume: 'Reanudar',
  reject: 'CFE lo rechazó',
  cancel: 'Cancelar trámite',
}

type PastEvent = { name: string; toState: string | null; at: Date; data: unknown }

/** The local date of an event of a case: a step has its own. */
export const dayOfEvent = ({ at, data }: Pick<PastEvent, 'at' | 'data'>): string =>
  (data as { day?: string } | null)?.day ?? localDay(at)

/** "ingresado en CFE 21 nov · con observaciones 25 nov": of a history, newest first, without what was undone. */
export const stepDays = (history: readonly PastEvent[]): string =>
  history
    .filter(({ name, toState }, at) => toState && name !== 'undo' && history[at - 1]?.name !== 'undo')
    .map((event) => {
      const { label } = caseStateFacts[event.toState as CaseState]
      return `${lowerFirst(label)} ${shortDate(dayOfEvent(event)).slice(4, -5)}`
    })
    .toReversed()
    .join(' · ')

/** Whether a transition undoes one: it is offered apart from the next step. */
export const goesBack = (name: CaseMoveName) => name === 'reopen'

const withReason: readonly CaseMoveName[] = ['observe', 'hold', 'reject', 'cancel']

/** Whether a transition requires a reason. */
export const needsReason = (name: CaseMoveName) => withReason.includes(name)

/** Whether papers of a case are accepted and reviewed: until it is filed, while CFE wants a correction, and for the meter. */
export const takesPapers = (state: CaseState) =>
  isUnfiled(state) || state === 'observed' || state === 'contract_signed'

/** The filters of the list of cases with CFE, as its address holds them. */
export type CaseFilters = DayFilters & {
  /** The id of the gester, or 'nadie'. */
  gester?: string
  kind?: CaseKind
  state?: CaseState
  turn?: CaseTurn
  /** Closed cases instead of open ones. */
  over?: '1'
  text?: string
  /** Usually what is due first; `wait` is whoever has had the turn longest. */
  order?: ListOrder<'wait'>
}

/** Who corrects what CFE observed, as the form offers it. */
export const correctorOptions = [
  { value: 'customer', label: 'El cliente' },
  { value: 'gester', label: 'Nosotros' },
] as const

/** An open case, as the project's status uses it. */
export type CasePart = { state: CaseState; turn: CaseTurn; since: Date }

const missingLine = 'Sigue: sube los documentos que faltan para tu trámite ante CFE.'
const customersLines: Partial<Record<CaseState, string>> = {
  gathering: missingLine,
  ready_to_file: missingLine,
  observed: 'CFE pidió una corrección en tu trámite: ayúdanos con ella.',
  approved: 'Sigue: firma tu contrato con CFE.',
}

/** Whose turn it is in a case, in one sentence to its customer. */
export function caseLineWords({ state, turn }: Pick<CasePart, 'state' | 'turn'>): string {
  if (state === 'on_hold') return 'Tu trámite ante CFE está en pausa. Te avisamos cuando siga.'
  if (turn === 'customer') return customersLines[state] ?? 'Sigue: revisa tu trámite ante CFE.'
  if (turn === 'gester') return 'Seguimos con tu trámite ante CFE. No tienes que hacer nada.'
  if (turn === 'none') return 'Tu trámite ante CFE terminó.'
  return state === 'contract_signed'
    ? 'Solo falta que CFE instale tu medidor.'
    : 'CFE está revisando tu trámite.'
}

/** An open case for a customer without a screen for it: they are not asked for what they cannot answer there. */
export const unseenCase = (part: CasePart): CasePart =>
  part.turn === 'customer' ? { ...part, turn: 'gester' } : part

/** The status of a project whose installation is done and whose case is open. */
export const caseStatus = ({ since, state, turn }: CasePart): Omit<ProjectStatus, 'stage'> => ({
  waitingOn: turn,
  line: caseLineWords({ state, turn }),
  since,
  next: turn === 'customer' ? { label: 'Ver mi trámite ante CFE', to: '/installation' } : null,
})

const order: readonly CaseTurn[] = ['customer', 'gester', 'cfe', 'none']

/**
 * Of several open cases the one that decides whose turn it is: cases waiting for the customer first, then the longest
 * wait.
 */
export const leading = <Part extends CasePart>(parts: readonly Part[]): Part | null =>
  parts.toSorted(
    (a, b) => order.indexOf(a.turn) - order.indexOf(b.turn) || a.since.getTime() - b.since.getTime(),
  )[0] ?? null

/** Who sees the cases of every gester and reassigns them. */
export const managesCases = isManager

/** Who opens cases and lists them. */
export const worksOnCases = (actor: Pick<Actor, 'kind'>) => isManager(actor) || isGester(actor)
