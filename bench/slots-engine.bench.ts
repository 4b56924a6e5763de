import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Service, services } from '../src/appointments/rules/appointment.ts'
import { openSlots } from '../src/scheduling/rules/availability.ts'
import { hundredth } from './load.ts'
import { isFast, type Line, report, sized } from './report.ts'
import { type Fixture, fullMonth, questionOf, usualMonth } from './slots-fixture.ts'

const goal = { technicians: sized(1000, 50), busyEach: 200, coldMs: 10, fullMs: 70 }
const warmRuns = sized(31, 3)
const coldStarts = sized(5, 1)
const full = 'full'

type Run = { appointments: number; offered: number; coldMs: number; warmMs: number }

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

function timed({ roster, busy }: Fixture, service: Service) {
  const question = questionOf(service)
  const from = performance.now()
  const open = openSlots(roster, busy, question)
  return { ms: performance.now() - from, offered: open.reduce((sum, { starts }) => sum + starts.length, 0) }
}

/** In a process of its own: the engine's very first call, then its calls once the compiler has seen it. */
function runHere(service: Service, people: number, busy: string): Run {
  const fixture = busy === full ? fullMonth(people, service) : usualMonth(people, Number(busy), service)
  const cold = timed(fixture, service)
  return {
    appointments: fixture.busy.starts.length,
    offered: cold.offered,
    coldMs: cold.ms,
    warmMs: median(Array.from({ length: warmRuns }, () => timed(fixture, service).ms)),
  }
}

function measure(service: Service, people: number, busy: string): Run {
  const args = [fileURLToPath(import.meta.url), service, String(people), busy]
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

function all() {
  const { busyEach, coldMs, fullMs, technicians } = goal
  const lines = sized<readonly Service[]>(services, services.slice(0, 1)).flatMap((service) => [
    line(`${service}, ${technicians} x ${busyEach}`, measure(service, technicians, String(busyEach)), coldMs),
    line(`${service}, ${technicians}, nearly all taken`, measure(service, technicians, full), fullMs),
  ])
  report(
    'slots-engine',
    `Slots, pure engine, with travel: 30 days; the days and the packed rows given; cold is the first call of a process (median of ${coldStarts} processes)`,
    lines,
  )
}

const [service, people, busy] = process.argv.slice(2)
if (service && people && busy) console.log(JSON.stringify(runHere(service as Service, Number(people), busy)))
else all()
