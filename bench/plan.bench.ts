import path from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  askAbout,
  type DayOutcome,
  type DayQuestion,
  type DayRow,
  gapOf,
} from '../src/domain/scheduling/day-plan.ts'
import { rank } from '../src/domain/scheduling/eligibility.ts'
import { busyOf, defaultTravel, rosterOf, zoneCount } from '../src/domain/scheduling/roster.ts'
import { defaultSettings } from '../src/domain/settings/settings-schema.ts'
import { dayOf, daysOn } from '../src/domain/shared/calendar.ts'
import type { PlanTask, Report } from '../src/server/scheduling/plans.ts'
import { addStaff, addTechnicians, addVisits, allStarts, openSessions } from './crowd.ts'
import { connect, hundredth, pressFor } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { openStack, root } from './stack.ts'

const [people, visits] = [sized(40, 6), sized(160, 18)]
const days = Number(process.env.DAYS ?? sized(8, 1))
const seconds = Number(process.env.SECONDS ?? sized(10, 1))
const goal = 0.02
const day = daysOn('2026-11-24', 1)[0]!

/** A repeatable source of whole numbers below a limit. */
function dice(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/**
 * A day as bookings leave it: people come one by one, and each gets whoever the ranking puts first. Nine of ten ask for a
 * technical visit, the others for an installation; everybody serves seven zones, near each other.
 */
function bookedDay(seed: number): DayQuestion {
  const roll = dice(seed * 7919)
  const travel = defaultTravel()
  const near = (home: number) =>
    [...Array(zoneCount).keys()]
      .map((zone) => ({ zone, far: travel[home * zoneCount + zone]! + roll(15) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, 7)
      .map(({ zone }) => zone)
  const roster = rosterOf(
    Array.from({ length: people }, (_, n) => ({
      id: `person-${String(n).padStart(3, '0')}`,
      kind: 'tecnician' as const,
      active: true,
      timeOff: [],
      zones: near(roll(zoneCount)),
      shifts: [{ weekday: day.weekday, from: 540, to: 1080 }],
    })),
  )
  const rows: DayRow[] = []
  const question = { day, roster, rows, settings: defaultSettings, travel }
  for (let tries = 0; rows.length < visits && tries < 100_000; tries++) {
    const service = roll(10) === 0 ? 'installation' : 'technical_visit'
    const { minutes } = defaultSettings.services[service]
    const start = day.base + 540 + 30 * roll((540 - minutes) / 30 + 1)
    const row: DayRow = {
      id: `visit-${rows.length}`,
      person: -1,
      start,
      minutes,
      zone: roll(zoneCount),
      service,
      open: true,
    }
    const busy = busyOf(
      people,
      rows.map((one) => ({ ...one, end: one.start + one.minutes })),
    )
    const [best] = rank(roster, busy, start, askAbout(question, row))
    if (best) rows.push({ ...row, person: best.person })
  }
  return question
}

type Ran = { outcome: DayOutcome; took: number; goodAfter: number | null; memory: number }

/** One plan in a thread, as the application runs it. */
function run(question: DayQuestion): Promise<Ran> {
  const began = performance.now()
  const before = process.memoryUsage.rss()
  let memory = 0
  let goodAfter: number | null = null
  let outcome: DayOutcome | undefined
  const workerData: PlanTask = { question, seconds }
  const thread = new Worker(path.join(root, 'src/server/scheduling/worker.ts'), {
    workerData,
    execArgv: [],
  })
  return new Promise((resolve, reject) => {
    thread.on('error', (err: Error) => reject(new Error(err.message.slice(0, 300))))
    thread.on('message', (told: Report) => {
      const took = (performance.now() - began) / 1000
      memory = Math.max(memory, (process.memoryUsage.rss() - before) / 2 ** 20)
      outcome = told.outcome ?? outcome
      const bound = told.progress?.bound
      const gap = told.ended
        ? gapOf(outcome!)
        : bound
          ? gapOf({ ...outcome!, bound: Math.min(bound, outcome!.cost) })
          : 1
      if (outcome && outcome.left.after === 0 && gap <= goal) goodAfter ??= took
      if (told.ended) resolve({ outcome: outcome!, took, goodAfter, memory })
    })
  })
}

const tenth = (value: number) => Math.round(value * 10) / 10
const lines: Line[] = []
for (let seed = 1; seed <= days; seed++) {
  const question = bookedDay(seed)
  const { outcome, took, goodAfter, memory } = await run(question)
  const gap = gapOf(outcome)
  lines.push({
    what: `day ${seed}`,
    visits: question.rows.length,
    travelBefore: outcome.travel.before,
    travelAfter: outcome.travel.after,
    'gap %': Math.round(gap * 10_000) / 100,
    seconds: tenth(took),
    ...(goodAfter !== null && { secondsToGoal: tenth(goodAfter) }),
    MB: Math.round(memory),
    goal: `proven gap <= ${goal * 100} % within ${seconds} s`,
    met: isFast(gap <= goal && took <= seconds + 0.5),
  })
}

const stack = await openStack()
const client = connect(stack, 1)
try {
  const technicians = await addTechnicians(stack.pool, people)
  const [first = 0] = allStarts().filter(
    (start) => dayOf(start).weekday < 5 && start === dayOf(start).base + 540,
  )
  await addVisits(
    stack.pool,
    technicians.flatMap((personId, p) =>
      [0, 120, 240, 360].map((later) => ({ personId, start: first + later + (p % 4) * 30 })),
    ),
  )
  await stack.pool.query("update appointments set state = 'requested', confirmed_at = null")
  const [cookie = ''] = await openSessions(stack.pool, [await addStaff(stack.pool, 'manager')])
  const page = { path: '/admin/appointments-pending', cookie }
  const calm = await pressFor(client, page, 5)
  const path = `/admin/assignations/plan?dia=${dayOf(first).date}`
  const begun = await client.ask({ path, cookie, form: { intent: 'calculate-plan' } })
  if (begun.status !== 303) throw new Error(`the plan was not begun: ${begun.status}`)
  const beside = await pressFor(client, page, 5, 0)
  const { rows } = await stack.pool.query<{ state: string }>('select state from day_plans')
  lines.push({ what: 'a page alone', p50: calm.p50, p99: calm.p99, MB: stack.memory() })
  lines.push({
    what: 'a page beside a plan',
    p50: beside.p50,
    p99: beside.p99,
    MB: stack.memory(),
    plan: rows[0]?.state,
    ofLimit: hundredth(beside.p99 / calm.p99),
    goal: 'p99 <= 2 x that alone',
    met: isFast(beside.p99 <= 2 * calm.p99),
  })
} finally {
  client.close()
  await stack.close()
}
report('plan', `The plan of a day: ${people} people, ${visits} open visits, ${seconds} s each`, lines)
