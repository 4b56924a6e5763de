import {
  conversionOf,
  inMonths,
  type MonthCount,
  monthsPeriod,
  monthsTotal,
  type Period,
} from '../../domain/agencies/agency.ts'
import {
  type CommissionState,
  commissionStates,
  seesCommissionSums,
} from '../../domain/agencies/commissions.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import {
  broughtByMonth,
  conversionCounts,
  firstYearOf,
  installationsByMonth,
} from '../../server/agencies/figures.ts'
import { clientsByStage } from '../../server/agencies/list.ts'
import { commissionMonths } from '../../server/agencies/sums.ts'
import type { PartAsked } from './agency-part.ts'

/** The commissions of installations finished in a month, in centavos, by how far they are. */
export type MonthEarnings = Record<CommissionState, number> & { month: string; total: number }

const today = (now: Date) => localDate(toMinutes(now))

/** The period that an address asks for: a year, or the last twelve months. */
export function periodIn(url: URL, now: Date): Period {
  const asked = url.searchParams.get('periodo') ?? ''
  return monthsPeriod(/^20\d{2}$/.test(asked) ? asked : null, today(now))
}

/** What an agency comes to, under the period of an address. */
export async function loadFigures({ db, actor, agency: { id }, url, now }: PartAsked) {
  const period = periodIn(url, now)
  const both = [...period.before, ...period.months]
  const [stages, installations, brought, conversion, firstYear, earnings] = await Promise.all([
    clientsByStage(db, id, now),
    installationsByMonth(db, actor, id, both),
    broughtByMonth(db, actor, id, both),
    conversionCounts(db, actor, id, period.months),
    firstYearOf(db, actor, id),
    seesCommissionSums(actor) ? commissionMonths(db, actor, id) : null,
  ])
  return {
    period: { year: period.year, months: period.months, years: yearsFrom(firstYear, now) },
    stages,
    conversion: conversionOf(conversion),
    installations: inMonths(period.months, installations),
    compared: {
      installations: compared(period, installations, now),
      brought: compared(period, brought, now),
    },
    earnings: earnings && { months: earningsIn(period.months, earnings.months), sums: earnings.sums },
  }
}

export type AgencyFigures = Awaited<ReturnType<typeof loadFigures>>

/** What the months come to, and the same time before them; null of a year that is not over. */
function compared({ before, months, year }: Period, rows: readonly MonthCount[], now: Date) {
  const isOver = year === null || year < today(now).slice(0, 4)
  return {
    now: monthsTotal(inMonths(months, rows)),
    before: isOver ? monthsTotal(inMonths(before, rows)) : null,
  }
}

/** Each of these months with what was earned in it; one without a row is nothing. */
export function earningsIn(months: readonly string[], rows: readonly MonthEarnings[]): MonthEarnings[] {
  const byMonth = new Map(rows.map((row) => [row.month, row]))
  return months.map((month) => {
    const row = byMonth.get(month)
    const states = Object.fromEntries(commissionStates.map((state) => [state, row?.[state] ?? 0]))
    return { ...(states as Record<CommissionState, number>), month, total: row?.total ?? 0 }
  })
}

/** The years that can be looked at, this one first. */
function yearsFrom(first: number | null, now: Date): string[] {
  const last = Number(today(now).slice(0, 4))
  return Array.from({ length: last - Math.min(first ?? last, last) + 1 }, (_, n) => String(last - n))
}
