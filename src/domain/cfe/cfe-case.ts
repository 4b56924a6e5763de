import type { StaffKind } from '../access/actor.ts'
import { addDays, localDate, toMinutes } from '../shared/calendar.ts'
import { isHoliday } from '../shared/holidays.ts'
import type { StateFacts } from '../shared/state-machine.ts'

/** What is asked of CFE. */
export const caseKindLabels = {
  second_meter: 'Segundo medidor',
  load_increase: 'Aumento de carga',
  new_service: 'Servicio nuevo',
  name_change: 'Cambio de nombre',
} as const
export type CaseKind = keyof typeof caseKindLabels
export const caseKinds = Object.keys(caseKindLabels) as CaseKind[]

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

/** The way of a case that nothing holds up. What CFE observes leads back into it. */
export const caseLine: readonly CaseState[] = [
  ...(['gathering', 'ready_to_file', 'filed', 'inspection'] as const),
  ...(['approved', 'contract_signed', 'meter_installed', 'closed'] as const),
]

const ended: readonly CaseState[] = ['closed', 'rejected', 'cancelled']
export const isOpenCase = (state: CaseState) => !ended.includes(state)
/** The states in which a case is over, written out: SQL asks for the others. */
export const openCaseStates = caseStates.filter(isOpenCase)

/** Nothing of these is with CFE yet. */
export const unfiledStates = ['gathering', 'ready_to_file'] as const satisfies readonly CaseState[]
/** Whether nothing of a case is with CFE yet. */
export const isUnfiled = (state: CaseState) => unfiledStates.some((unfiled) => unfiled === state)

/** Who reads cases: whoever works on them, and the analyst who speaks with their customers. */
export const readsCases: Record<StaffKind, 'all' | 'own' | 'none'> = {
  ...{ manager: 'all', analyst: 'all', gester: 'own' },
  ...{ tecnician: 'none', alliate: 'none' },
}

export const caseTurnLabels = {
  customer: 'Cliente',
  gester: 'Gestor',
  cfe: 'CFE',
  none: 'Nadie',
} as const
/** Whose turn it is in a case. */
export type CaseTurn = keyof typeof caseTurnLabels

/** Who corrects what CFE observed; null before anything was. */
export type Corrector = 'customer' | 'gester' | null

/** What whose turn it is follows from. */
export type TurnFacts = {
  state: CaseState
  kind: CaseKind
  /** Who corrects what CFE observed. */
  correctedBy: Corrector
  /** Whether something is asked of the customer that is not in, or was given back. */
  customerOwes: boolean
}

/** Whose turn it is. CFE's only while it has something to do: with a change of name it installs nothing. */
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

/** Days CFE states for an answer, working ones; days it really takes, and the most that was seen, of the calendar. */
export const cfeDays = { stated: 5, usual: [15, 45], longest: 120 } as const
/** How long the others should take: the customer by the calendar, whoever handles the paperwork in working days. */
const ownDays = { customer: 7, gester: 2 } as const

/** When a turn should be over, as local dates; past `late` it is overdue. Only CFE's has more than that one. */
export type DueDates = { late: string; stated: string | null; usualFrom: string | null }

/** The dates of a turn that began at an instant; null where it is nobody's, and a pause has none. */
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

/** The local date that lies so many working days after another: Monday to Friday, no statutory holiday. */
export function addWorkingDays(date: string, days: number): string {
  let [day, left] = [date, days]
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
