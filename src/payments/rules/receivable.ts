import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import type { DayFilters } from '../../shared/day-range.ts'
import { counted } from '../../shared/format.ts'
import {
  type Concept,
  endedPaymentStates,
  type PaymentMethod,
  type PaymentOrder,
  type PaymentState,
} from './payment.ts'

/** How long a charge is overdue, the longest first. */
export const receivableAges = {
  older: 'Más de 30 días',
  month: 'De 8 a 30 días',
  week: 'De 1 a 7 días',
  ahead: 'Por vencer',
} as const
export type ReceivableAge = keyof typeof receivableAges

/** An age of receivables, or all that are overdue. */
export type AgeFilter = ReceivableAge | 'overdue'

/** The days overdue from which a charge is of an age, and before which; null for no limit. */
const limits: Record<AgeFilter, readonly [from: number | null, before: number | null]> = {
  overdue: [1, null],
  older: [31, null],
  month: [8, 31],
  week: [1, 8],
  ahead: [null, 1],
}

/** The local dates on which a charge of an age was due: from the first one, and before the second. */
export function datesOfAge(age: AgeFilter, today: string): { from: string | null; before: string | null } {
  const [least, end] = limits[age]
  return {
    from: end === null ? null : addDays(today, 1 - end),
    before: least === null ? null : addDays(today, 1 - least),
  }
}

const dayIn = (at: Date) => Temporal.PlainDate.from(localDate(toMinutes(at)))

/** The local days since a charge was due; negative before. One without a date is due on the day it was made. */
export const daysOverdue = (
  { createdAt, dueAt }: { dueAt: Date | null; createdAt: Date },
  now: Date,
): number => dayIn(dueAt ?? createdAt).until(dayIn(now)).days

/** When a charge is due: "Hace 3 días", "Hoy", "En 3 días". */
export function overdueWords(days: number): string {
  if (days === 0) return 'Hoy'
  const words = counted(Math.abs(days), 'día', 'días')
  return days > 0 ? `Hace ${words}` : `En ${words}`
}

/** Whether a customer may be reminded of a charge or a quote again: once a local day. */
export const mayRemind = (remindedAt: Date | null, now: Date): boolean =>
  remindedAt === null || Temporal.PlainDate.compare(dayIn(remindedAt), dayIn(now)) < 0

type FigureFacts = {
  label: string
  states: readonly PaymentState[]
  /** Only refunds, or no refunds; without it both. */
  refunds?: boolean
  age?: 'overdue'
}

/** What each figure of money counts, wherever it is shown. "Overdue" is a part of "receivable". */
export const moneyFigures = {
  received: { label: 'Cobrado', states: ['paid'], refunds: false },
  returned: { label: 'Reembolsado', states: ['paid'], refunds: true },
  net: { label: 'Neto', states: ['paid'] },
  receivable: { label: 'Por cobrar', states: ['pending'] },
  inReview: { label: 'En revisión', states: ['in_review'] },
  overdue: { label: 'Vencido', states: ['pending'], age: 'overdue' },
  ended: { label: 'Caducado o cancelado', states: endedPaymentStates },
} as const satisfies Record<string, FigureFacts>
export type MoneyFigure = keyof typeof moneyFigures

/** The sum of a figure among payments that were read already, in centavos. */
export const figureOf = (
  figure: 'receivable' | 'inReview' | 'net',
  rows: readonly { amount: number; state: PaymentState }[],
) => {
  const { states }: FigureFacts = moneyFigures[figure]
  return rows.reduce((sum, { amount, state }) => (states.includes(state) ? sum + amount : sum), 0)
}

/** What is open today, whenever it was charged. */
export const openFigures = ['receivable', 'inReview', 'overdue'] as const satisfies readonly MoneyFigure[]
export type OpenFigure = (typeof openFigures)[number]

/** The filters of the ledger, as its address holds them. */
export type PaymentFilters = DayFilters & {
  /** '0' to '11', of the payment's month or, before it is paid, the request's; without a year, of every year. */
  month?: string
  year?: string
  method?: PaymentMethod
  concept?: Concept
  state?: PaymentState
  /** The rows that a sum of the page counts. */
  figure?: MoneyFigure
  text?: string
  /** Usually the latest first. */
  order?: PaymentOrder
}

/** The sums of ledger rows, in centavos: net, receivable, in review and ended together are the sum of all rows. */
export type LedgerTotals = Record<MoneyFigure, number> & { count: number }
