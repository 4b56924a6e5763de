import { beforeAll, expect, test } from 'vitest'
import { addAppointments, addOffice } from '../../../bench/lists-world.ts'
import { onSiteServices } from '../../../src/domain/appointments/appointment.ts'
import {
  boundsOf,
  type DateRange,
  figurePeriodOf,
  type OfficeFigures,
  type StageDays,
} from '../../../src/domain/projects/figures.ts'
import { addDays, localDate, toMinutes } from '../../../src/domain/shared/calendar.ts'
import { appointments } from '../../../src/server/platform/database/schema/appointments.ts'
import { payments, quotes } from '../../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import { officeFigures } from '../../../src/server/projects/figures.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import { rowsIn } from '../../kit/reading.ts'

openOnce({ MODULES: 'clients' })

const arrivalWindow = 30 * 60_000
type Visit = typeof appointments.$inferSelect
let rows: {
  visits: Visit[]
  ledger: (typeof payments.$inferSelect)[]
  offers: (typeof quotes.$inferSelect)[]
  opened: (typeof projects.$inferSelect)[]
}

beforeAll(async () => {
  const pool = world.db.$client
  await addAppointments(pool, 2_000, 800)
  await addOffice(pool)
  // What the generator leaves out: visits that came to nothing, late cancellations, refunds, quotes of extra work.
  await pool.query(`update appointments set outcome = 'partial' where state = 'done' and hashtext(folio) % 5 = 0;
    update appointments set late = true where state = 'cancelled' and hashtext(folio) % 3 = 0;
    update appointments set finished_at = null where state = 'done' and hashtext(folio) % 7 = 0;
    update quotes set kind = 'extra_work' where state <> 'accepted' and hashtext(folio) % 6 = 0`)
  rows = {
    visits: await rowsIn(world, appointments, {}),
    ledger: await rowsIn(world, payments, {}),
    offers: await rowsIn(world, quotes, {}),
    opened: await rowsIn(world, projects, {}),
  }
})

const isIn = (range: DateRange, at: Date | null) => {
  const { from, to } = boundsOf(range)
  return at !== null && at >= from && at < to
}
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
const earliest = (moments: readonly (Date | null)[]) =>
  moments.filter((at) => at !== null).sort((one, other) => one.getTime() - other.getTime())[0] ?? null

/** The median and the 90th percentile as the figures define them: between neighbours, in tenths of a day, halves to even. */
function daysOf(spans: readonly number[]): StageDays {
  const sorted = spans.toSorted((one, other) => one - other)
  const at = (share: number) => {
    if (sorted.length === 0) return null
    const place = share * (sorted.length - 1)
    const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
    const tenths = 10 * (low + (high - low) * (place % 1))
    const up = Math.round(tenths)
    return tenths % 1 === 0.5 && up % 2 === 1 ? up - 1 : up
  }
  return { count: spans.length, median: at(0.5), slow: at(0.9) }
}

/** When a project passed each milestone, looked for among all rows. */
function journeyOf({ createdAt, depositPaidAt, id }: (typeof rows.opened)[number]) {
  const own = rows.visits.filter(({ projectId }) => projectId === id)
  const done = (service: Visit['service']) =>
    earliest(
      own
        .filter((one) => one.service === service && one.state === 'done')
        .filter(({ outcome }) => (outcome ?? 'completed') === 'completed')
        .map(({ finishedAt, startsAt }) => finishedAt ?? startsAt),
    )
  const sold = rows.offers.filter(({ kind, projectId }) => projectId === id && kind === 'installation')
  return {
    opened: createdAt,
    booked: earliest(own.filter(({ service }) => service === 'technical_visit').map((one) => one.createdAt)),
    visited: done('technical_visit'),
    quoted: earliest(sold.map(({ sentAt }) => sentAt)),
    accepted: earliest(sold.map(({ acceptedAt }) => acceptedAt)),
    deposited: depositPaidAt,
    installed: done('installation'),
  }
}

const ends = {
  intake: ['opened', 'booked'],
  visit: ['booked', 'visited'],
  quoting: ['visited', 'accepted'],
  deposit: ['accepted', 'deposited'],
  installing: ['deposited', 'installed'],
  whole: ['opened', 'installed'],
} as const

/** Each figure of one window, counted row by row. */
function counted(range: DateRange, journeys: readonly ReturnType<typeof journeyOf>[]) {
  const seen = rows.visits.filter(({ startsAt }) => isIn(range, startsAt))
  const began = seen.filter(({ service, startedAt }) => onSiteServices.includes(service) && startedAt)
  const paid = rows.ledger.filter(({ createdAt, paidAt }) => isIn(range, paidAt ?? createdAt))
  const cohort = journeys.filter(({ visited }) => isIn(range, visited))
  const amounts = (state: readonly string[]) =>
    sumOf(paid.filter((one) => state.includes(one.state)).map(({ amount }) => amount))
  const has = (name: 'quoted' | 'accepted' | 'installed') => cohort.filter((one) => one[name]).length
  const stage = (name: keyof typeof ends) => {
    const spans = journeys.flatMap((one) => {
      const [since, at] = [one[ends[name][0]], one[ends[name][1]]]
      return since && at && at >= since && isIn(range, at)
        ? [(at.getTime() - since.getTime()) / 86_400_000]
        : []
    })
    return daysOf(spans)
  }
  return {
    income: { received: amounts(['paid']), returned: 0, owed: amounts(['pending', 'in_review']) },
    closings: {
      all: seen.length,
      cancelled: seen.filter(({ state }) => state === 'cancelled').length,
      noShow: seen.filter(({ state }) => state === 'no_show').length,
    },
    onTime: {
      began: began.length,
      onTime: began.filter((one) => one.startedAt!.getTime() <= one.startsAt.getTime() + arrivalWindow)
        .length,
    },
    reached: {
      visited: cohort.length,
      quoted: has('quoted'),
      accepted: has('accepted'),
      installed: has('installed'),
    },
    stage,
    booked: sumOf(
      seen.filter((one) => one.assigneeId && one.state !== 'cancelled').map((one) => one.minutes),
    ),
    late: seen.filter((one) => one.late && one.state === 'cancelled').length,
  }
}

const periods: [name: string, daysAgo: number][] = [
  ['mes', 0],
  ['mes', 35],
  ['mes-anterior', 0],
  ['trimestre', 10],
  ['anio', 3],
  [String(new Date().getUTCFullYear() - 2), 0],
]

test.each(periods)(
  'equals counting row by row for the period %s, seen %s days ago',
  async (name, daysAgo) => {
    const now = new Date()
    const period = figurePeriodOf(name, addDays(localDate(toMinutes(now)), -daysAgo))
    const found: OfficeFigures = (await officeFigures(world.db, people.manager.actor, period, now))!
    const journeys = rows.opened.map(journeyOf)
    const [this_, before] = [counted(period.now, journeys), counted(period.before, journeys)]
    const months = period.months.map((range) => counted(range, journeys))
    expect(this_.closings.all).toBeGreaterThan(0)

    for (const [figure, of] of [
      [found.income!, 'income'],
      [found.closings, 'closings'],
      [found.onTime, 'onTime'],
      [found.conversion, 'reached'],
    ] as const) {
      expect([of, figure.now, figure.before]).toEqual([of, this_[of], before[of]])
      expect([of, ...figure.trend]).toEqual([of, ...months.map((month) => month[of])])
    }
    for (const { before: earlier, now: of, stage } of found.days.stages)
      expect([stage, of, earlier]).toEqual([stage, this_.stage(stage), before.stage(stage)])
    expect(found.days.trend).toEqual(months.map(({ stage }) => stage('whole')))
    expect(found.occupancy.now.booked).toBe(this_.booked)
    expect(found.occupancy.trend.map(({ booked }) => booked)).toEqual(
      period.weeks.map((range) => counted(range, journeys).booked),
    )
    expect(sumOf(found.closings.reasons.map(({ late }) => late))).toBe(this_.late)
    expect(sumOf(found.closings.reasons.map((one) => one.now))).toBe(this_.closings.cancelled)
    expect(sumOf(found.conversion.agencies.map(({ now }) => now.visited))).toBe(this_.reached.visited)
    expect(sumOf(found.onTime.people.map((one) => one.now.began))).toBe(this_.onTime.began)
  },
)
