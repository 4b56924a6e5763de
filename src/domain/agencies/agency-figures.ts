import type { Actor, StaffKind } from '../access/actor.ts'
import { monthsOf } from '../quotes/quote-list.ts'

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

/** How many of something there were in a month ('2026-11'). */
export type MonthCount = { month: string; count: number }

/** The months that are shown, and as many before them, to compare with. */
export type Period = { year: string | null; months: readonly string[]; before: readonly string[] }

/** The months of a year, or the last twelve without one. `today` is a local date. */
export function periodOf(year: string | null, today: string): Period {
  const months = monthsOf(year ?? undefined, today)
  const before = months.map((month) => Temporal.PlainYearMonth.from(month).subtract({ years: 1 }).toString())
  return { year, months, before }
}

/** The value of each month; zero for months without a row. */
export const inMonths = (months: readonly string[], rows: readonly MonthCount[]): MonthCount[] => {
  const counts = new Map(rows.map(({ month, count }) => [month, count]))
  return months.map((month) => ({ month, count: counts.get(month) ?? 0 }))
}

/** What months come to together. */
export const totalOf = (months: readonly MonthCount[]) => months.reduce((sum, { count }) => sum + count, 0)

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
    ofAll: shareOf(counts[step], counts.brought),
    ofBefore: n === 0 ? null : shareOf(counts[step], counts[steps[n - 1]!]),
  }))
}

/** A part of a whole in whole percents, half-up; null of nothing. */
export const shareOf = (part: number, whole: number) =>
  whole === 0 ? null : Math.floor((200 * part + whole) / (2 * whole))
