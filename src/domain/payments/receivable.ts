import { addDays, localDate, toMinutes } from '../shared/calendar.ts'
import { counted } from '../shared/format.ts'

/** How long a charge is overdue, the longest first. */
export const receivableAges = {
  older: 'Más de 30 días',
  month: 'De 8 a 30 días',
  week: 'De 1 a 7 días',
  ahead: 'Por vencer',
} as const
export type ReceivableAge = keyof typeof receivableAges

/** The days overdue from which a charge is of an age, and before which; null for no limit. */
const limits: Record<ReceivableAge, readonly [from: number | null, before: number | null]> = {
  older: [31, null],
  month: [8, 31],
  week: [1, 8],
  ahead: [null, 1],
}

/** The local dates on which a charge of an age was due: from the first one, and before the second. */
export function datesOfAge(
  age: ReceivableAge,
  today: string,
): { from: string | null; before: string | null } {
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

/** "Venció hace 3 días", "Vence hoy", "Vence en 3 días". */
export function overdueWords(days: number): string {
  if (days === 0) return 'Vence hoy'
  const words = counted(Math.abs(days), 'día', 'días')
  return days > 0 ? `Venció hace ${words}` : `Vence en ${words}`
}

/** Whether a customer may be reminded of a charge or a quote again: once a local day. */
export const mayRemind = (remindedAt: Date | null, now: Date): boolean =>
  remindedAt === null || Temporal.PlainDate.compare(dayIn(remindedAt), dayIn(now)) < 0
