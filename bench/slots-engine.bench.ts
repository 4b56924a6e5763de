import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Service, services } from '../src/appointments/rules/appointment.ts'
import { openSlots } from '../src/scheduling/rules/availability.ts'
import { hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { fullMonth, questionOf, usualMonth, type World } from './slots-world.ts'

const goal = { technicians: sized(1000, 50), busyEach: 200, coldMs: 10, fullMs: 70, linear: 1.5 }
const warmRuns = sized(31, 3)
const coldStarts = sized(5, 1)
const full = 'full'

type Run = { appointments: number; offered: number; coldMs: number; warmMs: number }

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

function timed({ roster, busy }: World, service: Service, days: number) {
  const question = questionOf(service, days)
  const from = performance.now()
  const open = openSlots(roster, busy, question)
  return { ms: performance.now() - from, offered: open.reduce((sum, { starts }) => sum + starts.length, 0) }
}

/** In a process of its own: the engine's very first call, then its calls once the compiler has seen it. */
function runHere(service: Service, people: number, busy: string, days: number): Run {
  const world = busy === full ? fullMonth(people, service) : usualMonth(people, Number(busy), service)
  const cold = timed(world, service, days)
  return {
    appointments: world.busy.starts.length,
    offered: cold.offered,
    coldMs: cold.ms,
    warmMs: median(Array.from({ length: warmRuns }, () => timed(world, service, days).ms)),
  }
}

function measure(service: Service, people: number, busy: string, days = 31): Run {
  const args = [fileURLToPath(import.meta.url), service, String(people), busy, String(days)]
  const runs = Array.from(
    { length: coldStarts },
    () => JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Run,
  )
  const middle = (key: 'coldMs' | 'warmMs') => hundredth(median(runs.map((run) => run[key])))
  return { ...runs[0]!, coldMs: middle('coldMs'), warmMs: middle('warmMs') }
}

function line(what: string, run: Run, most: number): Line {
  return { what, ...run, goal: `cold <= ${most} ms`, met: isFast(run.coldMs <= most) }
}

/** Nearly full months, so that nothing ends early: what one person's day costs, whatever the number of people and days. */
function growth(service: Service): Line {
  const sizes = [
    [goal.technicians / 4, 31],
    [goal.technicians, 15],
    [goal.technicians, 31],
  ] as const
  const each = sizes.map(([people, days]) => {
    const { warmMs } = measure(service, people, full, days)
    return (warmMs * 1e6) / people / days
  })
  const ratio = hundredth(Math.max(...each) / Math.min(...each))
  return {
    what: `${service}, growth`,
    nanosecondsEach: each.map(Math.round).join(' / '),
    goal: `linear: a person's day costs at most ${goal.linear} times as much in any of ${sizes.map((size) => size.join(' x ')).join(', ')}`,
    met: isFast(ratio <= goal.linear),
  }
}

function all() {
  const { busyEach, coldMs, fullMs, technicians } = goal
  const lines = sized<readonly Service[]>(services, services.slice(0, 1)).flatMap((service) => [
    line(`${service}, ${technicians} x ${busyEach}`, measure(service, technicians, String(busyEach)), coldMs),
    line(`${service}, ${technicians}, nearly all taken`, measure(service, technicians, full), fullMs),
    growth(service),
  ])
  report(
    'slots-engine',
    `Slots, pure engine, with travel: 30 days; the days and the packed rows given; cold is the first call of a process (median of ${coldStarts} processes)`,
    lines,
  )
}

const [service, people, busy, days] = process.argv.slice(2)
if (service && people && busy)
  console.log(JSON.stringify(runHere(service as Service, Number(people), busy, Number(days))))
else all()
