import type { Actor, StaffKind } from '../../access/rules/actor.ts'
import { monthsOf } from '../../quotes/rules/quote.ts'

/** How a sale's commission is calculated; the values are stored. */
export const commissionLabels = { percent: 'Porcentaje', amount: 'Cantidad fija' } as const

/** The kinds of benefit that a code of the agency's allies may give; the values are stored. */
export const benefitLabels = {
  none: 'Ninguno',
  percent: 'Porcentaje de descuento',
  amount: 'Descuento en pesos',
  free_visit: 'Visita gratis',
} as const

export type CommissionTermKind = keyof typeof commissionLabels
export type BenefitKind = keyof typeof benefitLabels

type Right = 'edit' | 'read' | 'own'

/** What each kind of staff may do with agencies (product.md, "People and access"). */
const rights: Record<StaffKind, Right> = {
  manager: 'edit',
  analyst: 'read',
  tecnician: 'read',
  gester: 'read',
  alliate: 'own',
}

/** Whether a user adds, edits, activates and deactivates agencies, and reads their terms and internal notes. */
export const editsAgencies = ({ kind }: Pick<Actor, 'kind'>) => kind !== null && rights[kind] === 'edit'

/** Whether a user sees all agencies, not only their own. */
export const seesAllAgencies = ({ kind }: Pick<Actor, 'kind'>) => kind !== null && rights[kind] !== 'own'

/** The sections of an agency's page; the names are used in URLs. */
export const agencySections = {
  resumen: 'Resumen',
  codigos: 'Códigos',
  clientes: 'Clientes',
  comisiones: 'Comisiones',
  integracion: 'Integración',
  datos: 'Datos',
} as const
export type AgencySection = keyof typeof agencySections

/** The sections that each kind of staff sees; the page opens at the first. */
const sectionsOf: Record<StaffKind, readonly AgencySection[]> = {
  manager: ['resumen', 'codigos', 'clientes', 'comisiones', 'integracion', 'datos'],
  analyst: ['resumen', 'codigos', 'clientes', 'datos'],
  tecnician: ['datos'],
  gester: ['datos'],
  alliate: ['resumen', 'codigos', 'clientes', 'comisiones', 'datos'],
}

/** The sections of an agency's page that a viewer may open. */
export const sectionsFor = ({ kind }: Pick<Actor, 'kind'>): readonly AgencySection[] =>
  kind ? sectionsOf[kind] : []

/** Whether each kind of staff reads what an agency brings: its clients' stages, conversion, installations. */
const reading: Record<StaffKind, boolean> = {
  manager: true,
  analyst: true,
  tecnician: false,
  gester: false,
  alliate: true,
}

/** Whether the viewer reads the figures of an agency; other viewers see contact facts only. */
export const readsAgencyWork = ({ kind }: Pick<Actor, 'kind'>) => kind !== null && reading[kind]

/** The count of a month ('2026-11'). */
export type MonthCount = { month: string; count: number }

/** The months shown, and the same number of months before them for comparison. */
export type Period = { year: string | null; months: readonly string[]; before: readonly string[] }

/** The months of a year, or the last twelve without one. `today` is a local date. */
export function monthsPeriod(year: string | null, today: string): Period {
  const months = monthsOf(year ?? undefined, today)
  const before = months.map((month) => Temporal.PlainYearMonth.from(month).subtract({ years: 1 }).toString())
  return { year, months, before }
}

/** The value of each month; zero for months without a row. */
export const inMonths = (months: readonly string[], rows: readonly MonthCount[]): MonthCount[] => {
  const counts = new Map(rows.map(({ month, count }) => [month, count]))
  return months.map((month) => ({ month, count: counts.get(month) ?? 0 }))
}

/** The sum of the months. */
export const monthsTotal = (months: readonly MonthCount[]) =>
  months.reduce((sum, { count }) => sum + count, 0)

/** Funnel of an agency's clients: all, with an account, with an accepted quote, with an installation. */
export const conversionSteps = {
  brought: 'Registrados',
  joined: 'Con cuenta',
  accepted: 'Cotización aceptada',
  installed: 'Instalados',
} as const
export type ConversionStep = keyof typeof conversionSteps
export type ConversionCounts = Record<ConversionStep, number>

/** A funnel step with its share of all clients and of the previous step; null where that is zero. */
export type ConversionRow = {
  step: ConversionStep
  count: number
  ofAll: number | null
  ofBefore: number | null
}

/** The steps in their order, with shares in whole percents. */
export function conversionOf(counts: ConversionCounts): ConversionRow[] {
  const steps = Object.keys(conversionSteps) as ConversionStep[]
  return steps.map((step, n) => ({
    step,
    count: counts[step],
    ofAll: percentageOf(counts[step], counts.brought),
    ofBefore: n === 0 ? null : percentageOf(counts[step], counts[steps[n - 1]!]),
  }))
}

/** A part of a whole in whole percents, half-up; null when the whole is zero. */
export const percentageOf = (part: number, whole: number) =>
  whole === 0 ? null : Math.floor((200 * part + whole) / (2 * whole))

/** "62 %", of whole percents; a dash for nothing. */
export const shareWords = (share: number | null) => (share === null ? '–' : `${share}\u00a0%`)
