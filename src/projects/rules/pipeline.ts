import type { Actor, StaffKind } from '../../access/rules/actor.ts'
import type { Settings } from '../../settings/rules/settings-schema.ts'
import { minuteAt, toDate } from '../../shared/calendar.ts'
import type { ListOrder } from '../../shared/count.ts'
import type { DayFilters } from '../../shared/day-range.ts'
import { withoutEnding } from '../../shared/text.ts'
import { projectParam } from './homes.ts'
import type { Stage, Waiting } from './stages.ts'

/** The parts of /admin/clients, as its address names them. */
export const pipelineParts = { lista: 'Clientes', llamar: 'Llamar hoy', cifras: 'Cifras' } as const
export type PipelinePart = keyof typeof pipelineParts

export const pipelinePath = '/admin/clients'
/** The figures of the office, there with every module on or off. */
export const figuresPath = '/admin/cifras'
/** The address of a part of the page; the list is the page's own, and figures are a page of their own. */
export const pipelinePartPath = (part: PipelinePart) =>
  part === 'lista' ? pipelinePath : part === 'cifras' ? figuresPath : `${pipelinePath}?parte=${part}`

/** What each kind of staff reads there: everything, projects with paperwork and without prices, or nothing. */
const reading: Record<StaffKind, 'all' | 'paperwork' | 'none'> = {
  manager: 'all',
  analyst: 'all',
  gester: 'paperwork',
  tecnician: 'none',
  alliate: 'none',
}

/** How a user reads other users' projects. */
export const readsProjects = ({ kind }: Pick<Actor, 'kind'>) => (kind ? reading[kind] : 'none')

/** The page of a customer, a part of /admin/users/{id}: there with every module on or off; of one project, if named. */
export const customerPath = (customerId: string, projectId: string | null = null) =>
  `/admin/users/${customerId}/cliente${named(projectId)}`

const named = (projectId: string | null) => (projectId ? `?${projectParam}=${projectId}` : '')

/** Where the home of a customer's project is corrected. */
export const homePath = (customerId: string, projectId: string | null) =>
  `${customerPath(customerId)}/domicilio${named(projectId)}`

/** Where a customer is merged with another record of the same person. */
export const mergePath = (customerId: string) => `${customerPath(customerId)}/unir`

/** The id of a customer for an actor who may open their page; null for the others. */
export const customerIdFor = (actor: Pick<Actor, 'kind'>, customerId: string) =>
  readsProjects(actor) === 'none' ? null : customerId

/** The sections that a user may open: calls and figures are for sales staff. */
export const partsFor = (actor: Pick<Actor, 'kind'>): readonly PipelinePart[] =>
  readsProjects(actor) === 'all' ? (Object.keys(pipelineParts) as PipelinePart[]) : ['lista']

/** The filters of the list of projects, as its address holds them. */
export type ProjectFilters = DayFilters & {
  stage?: Stage
  turn?: Waiting
  /** The id of an agency. */
  agency?: string
  text?: string
  /** Usually the longest wait first; `moved` is the last whose turn changed first, `created` the newest. */
  order?: ListOrder<'moved' | 'created'>
}

/** Hours after a call before another call about the same quote, where no day was agreed. */
export const callAgainHours = 48

/** How many days ahead another call may be agreed on. */
export const mostDaysToCall = 90

/** When a customer is called again about a quote: on the day that was agreed, a local date, or in two days. */
export const callAgainAt = (calledAt: Date, day: string | null): Date =>
  day === null ? new Date(calledAt.getTime() + callAgainHours * 3_600_000) : toDate(minuteAt(day, '00:00'))

/** Whether a call about a viewed quote is due: never called, or it is time to call again. */
export const isCallDue = (again: Date | null, now: Date) => again === null || again <= now

/** A visitor's answers about their home: metres from meter to charger, and further needs. */
type Wanted = { metres: number; secondMeter: boolean; charger: boolean }

/** Whole pesos in centavos, IVA included: a range, never a quote. */
export type Estimate = { low: number; high: number }

export const mostMetres = 300

/** How many characters of the typed text are read. */
const longest = 20

/** Metres as typed, with at most one decimal, or null when they are not plausible. */
export function plausibleMetresOf(typed: string): number | null {
  const plain = withoutEnding(typed.trim().slice(0, longest), 'metros', 'metros.', 'm', 'm.')
  if (!/^\d{1,3}([.,]\d)?$/.test(plain)) return null
  const metres = Number(plain.replace(',', '.'))
  return metres <= mostMetres ? metres : null
}

/** The approximate price of an installation. Each started metre beyond the base price's counts as a whole one. */
export function estimateOf({ metres, secondMeter, charger }: Wanted, prices: Settings['estimate']): Estimate {
  const further = Math.max(0, Math.ceil(metres - prices.baseMetres))
  const total =
    prices.base +
    further * prices.perMetre +
    (secondMeter ? prices.secondMeter : 0) +
    (charger ? prices.charger : 0)
  return {
    low: roundPesos(total * (100 - prices.rangePercent)),
    high: roundPesos(total * (100 + prices.rangePercent)),
  }
}

/** Hundredths of a centavo, rounded to a hundred pesos, in centavos: more would promise what an estimate can't keep. */
const roundPesos = (hundredths: number) => Math.round(hundredths / 1_000_000) * 100_00
