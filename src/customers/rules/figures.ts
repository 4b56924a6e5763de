import { percentageOf } from '../../agencies/rules/agency.ts'
import type { ClosingReason } from '../../appointments/rules/appointment.ts'
import type { LedgerTotals, OpenFigure } from '../../payments/rules/receivable.ts'
import type { LostReason } from '../../projects/rules/stages.ts'
import { workdays } from '../../scheduling/rules/roster.ts'
import { addDays, daysOn, type LocalDay, minuteAt, toDate } from '../../shared/calendar.ts'

/** The periods that figures are shown for, as the address names them; so is a year, by its four digits. */
export const figurePeriods = {
  mes: 'Este mes',
  'mes-anterior': 'Mes pasado',
  trimestre: 'Este trimestre',
  anio: 'Este año',
} as const
type PeriodName = keyof typeof figurePeriods

/** Local dates, the end excluded. */
export type DateRange = { from: string; to: string }

/**
 * A period until today, the same days of the period before, and what its trend shows: the twelve months and thirteen weeks that
 * end with it. Only days that have begun are counted.
 */
export type FigurePeriod = {
  name: string
  now: DateRange
  before: DateRange
  months: readonly DateRange[]
  weeks: readonly DateRange[]
}

/** How many months a trend shows. */
export const trendMonths = 12
/** How many weeks a trend shows. */
export const trendWeeks = 13
const monthsLong: Record<PeriodName, number> = { mes: 1, 'mes-anterior': 1, trimestre: 3, anio: 12 }

const isPeriodName = (asked: string): asked is PeriodName => Object.hasOwn(figurePeriods, asked)

/** The period that an address asks for: this month where it asks for none. `today` is a local date. */
export function figurePeriodOf(asked: string | null, today: string): FigurePeriod {
  const year = /^20\d\d$/.test(asked ?? '') && asked! <= today.slice(0, 4) ? asked! : null
  const name = year ?? (asked && isPeriodName(asked) ? asked : 'mes')
  const length = isPeriodName(name) ? monthsLong[name] : 12
  const start = startOf(name, length, Temporal.PlainDate.from(today))
  const whole = start.add({ months: length })
  const tomorrow = addDays(today, 1)
  const now = { from: start.toString(), to: earlier(whole.toString(), tomorrow) }
  const last = Temporal.PlainDate.from(addDays(now.to, -1))
  const first = start.subtract({ months: length })
  const sameDay = addDays(last.subtract({ months: length }).toString(), 1)
  return {
    name,
    now,
    before: { from: first.toString(), to: now.to === whole.toString() ? now.from : sameDay },
    months: trendOf(last.with({ day: 1 }), trendMonths, { months: 1 }, tomorrow),
    weeks: trendOf(last.subtract({ days: last.dayOfWeek - 1 }), trendWeeks, { days: 7 }, tomorrow),
  }
}

function startOf(name: string, length: number, today: Temporal.PlainDate): Temporal.PlainDate {
  if (!isPeriodName(name)) return Temporal.PlainDate.from(`${name}-01-01`)
  const month = today.month - ((today.month - 1) % length)
  const start = today.with({ month, day: 1 })
  return name === 'mes-anterior' ? start.subtract({ months: 1 }) : start
}

function trendOf(
  last: Temporal.PlainDate,
  count: number,
  step: { months: number } | { days: number },
  tomorrow: string,
): DateRange[] {
  const back = (n: number) =>
    'months' in step ? last.subtract({ months: n }) : last.subtract({ days: n * step.days })
  return Array.from({ length: count }, (_, n) => {
    const from = back(count - 1 - n)
    return { from: from.toString(), to: earlier(from.add(step).toString(), tomorrow) }
  })
}

const earlier = (one: string, other: string) => (one < other ? one : other)

/** The moments between which a range of local dates lies, the end excluded. */
export const boundsOf = ({ from, to }: DateRange): { from: Date; to: Date } => ({
  from: toDate(minuteAt(from, '00:00')),
  to: toDate(minuteAt(to, '00:00')),
})

/** A figure of the period and of the one before. */
export type Compared<Figure> = { now: Figure; before: Figure }

/** A figure with its trend, in the order of the period's months or weeks. */
export type Trend<Figure> = Compared<Figure> & { trend: readonly Figure[] }

/** Centavos of the ledger: received with its corrections, given back (negative), and what is still open of the charges. */
export type Income = Pick<LedgerTotals, 'received' | 'returned' | 'receivable' | 'inReview'>

/** Minutes of appointments, and of the shifts in which they may be. */
export type Workload = { booked: number; shift: number }

/** Of the projects whose first technical visit was completed in a period, how many went how far until today. */
export type Reached = { visited: number; quoted: number; accepted: number; installed: number }

/** The steps of a conversion, in order. */
export const reachedSteps = {
  visited: 'Visita realizada',
  quoted: 'Cotización enviada',
  accepted: 'Cotización aceptada',
  installed: 'Instalación terminada',
} as const satisfies Record<keyof Reached, string>

/** The stages whose duration is measured, with their first and last event; the last is all of them. */
export const timedStages = {
  intake: { label: 'Registro', from: 'se abre el proyecto', to: 'se agenda la visita' },
  visit: { label: 'Visita técnica', from: 'se agenda la visita', to: 'se hace' },
  quoting: { label: 'Cotización', from: 'se hace la visita', to: 'se acepta la cotización' },
  deposit: { label: 'Anticipo', from: 'se acepta la cotización', to: 'se paga el anticipo' },
  installing: { label: 'Instalación', from: 'se paga el anticipo', to: 'se termina de instalar' },
  whole: { label: 'Todo el proyecto', from: 'se abre el proyecto', to: 'se termina de instalar' },
} as const
export type TimedStage = keyof typeof timedStages

/** How long projects stayed in what they finished in a period: their number, median and 90th percentile in tenths of a day. */
export type StageDays = { count: number; median: number | null; slow: number | null }

/** Of the visits and installations that began or whose arrival window ended without them, how many began within it. */
export type Punctuality = { due: number; onTime: number }

/** Of the appointments of a period, how many were cancelled, and at how many no one opened. */
export type Closings = { all: number; cancelled: number; noShow: number }

/** Cancelled appointments of one reason; null where none was given. `late`: after the customer's last moment to cancel. */
export type ClosingCount = { reason: ClosingReason | null; late: number } & Compared<number>

/** Projects lost in a period for one reason; a reopened one is not among them. */
export type LostCount = { reason: LostReason; afterQuote: number } & Compared<number>

/** A figure of one person or agency; null is what has none. */
export type Named<Figure> = { id: string | null; name: string | null } & Figure

/** Of the quotes first sent in a period, how many have been accepted. */
export type SellerConversion = { sent: number; accepted: number }

/** The figures of the office for a period. Income is null for those who may not see payments. */
export type OfficeFigures = {
  period: FigurePeriod
  income: (Trend<Income> & { open: Pick<LedgerTotals, OpenFigure> }) | null
  /** Its trend is of weeks; the others' of months. */
  occupancy: Trend<Workload> & { people: readonly Named<Compared<Workload>>[] }
  conversion: Trend<Reached> & {
    agencies: readonly Named<Compared<Reached>>[]
    sellers: readonly Named<Compared<SellerConversion>>[]
  }
  days: Trend<StageDays> & { stages: readonly (Compared<StageDays> & { stage: TimedStage })[] }
  onTime: Trend<Punctuality> & { people: readonly Named<Compared<Punctuality>>[] }
  closings: Trend<Closings> & { reasons: readonly ClosingCount[]; lost: readonly LostCount[] }
}

/** The figures that are had as a file; the names are those of their addresses. */
export const figureFiles = {
  'ingresos-por-mes': 'Ingresos por mes',
  'conversion-por-paso': 'Avance de la visita a la instalación',
  'conversion-por-mes': 'Conversión por mes',
  'conversion-por-concesionaria': 'Conversión por concesionaria',
  'conversion-por-analista': 'Conversión por analista',
  'ocupacion-por-semana': 'Ocupación por semana',
  'ocupacion-por-persona': 'Ocupación por persona',
  'dias-por-mes': 'Días por mes',
  'dias-por-etapa': 'Días por etapa',
  'puntualidad-por-mes': 'Puntualidad por mes',
  puntualidad: 'Puntualidad por técnico',
  'cancelaciones-por-mes': 'Cancelaciones por mes',
  'cancelaciones-por-motivo': 'Cancelaciones por motivo',
  'no-concretados': 'No concretados por motivo',
} as const
export type FigureFile = keyof typeof figureFiles

/** What came in less what was given back, in centavos. */
export const netOf = ({ received, returned }: Income) => received + returned

/** The share of each figure in whole percents; null where there is nothing to share. */
export const occupancyOf = ({ booked, shift }: Workload) => percentageOf(booked, shift)
export const acceptanceOf = ({ accepted, visited }: Reached) => percentageOf(accepted, visited)
export const wonShare = ({ accepted, sent }: SellerConversion) => percentageOf(accepted, sent)
export const onTimeShare = ({ due, onTime }: Punctuality) => percentageOf(onTime, due)
export const cancelledShare = ({ all, cancelled }: Closings) => percentageOf(cancelled, all)

/** The change from one value to another in whole percents of the first; null where that is nothing. */
export function changeOf(now: number, before: number): number | null {
  if (before <= 0) return null
  const share = percentageOf(Math.abs(now - before), before)!
  return now < before ? 0 - share : share
}

/** The days of a range on which the company works; `own` are its holidays. */
export function workdaysIn({ from, to }: DateRange, own: readonly string[]): LocalDay[] {
  const count = Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days
  return workdays(daysOn(from, Math.max(0, count)), own)
}
