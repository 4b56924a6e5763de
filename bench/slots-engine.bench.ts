import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openSlots } from '../src/domain/availability.ts'
import { fullMonth, question, usualMonth, type World } from './slots-world.ts'

const GOAL = { technicians: 1000, busyEach: 200, coldMs: 10, fullMs: 70 }
const WARM_RUNS = 31
const COLD_STARTS = 5
const FULL = 'full'

type Measured = {
  people: number
  busy: string
  appointments: number
  offered: number
  coldMs: number
  warmMs: number
}
type Run = Omit<Measured, 'people' | 'busy'>

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!
const round = (ms: number) => Math.round(ms * 100) / 100

function timed({ roster, busy }: World) {
  const from = performance.now()
  const days = openSlots(roster, busy, question)
  return { ms: performance.now() - from, offered: days.reduce((sum, { starts }) => sum + starts.length, 0) }
}

/** In a process of its own: the engine's very first call, then its calls once the compiler has seen it. */
function runHere(people: number, busyEach: string): Run {
  const world = busyEach === FULL ? fullMonth(people) : usualMonth(people, Number(busyEach))
  const cold = timed(world)
  const warm = Array.from({ length: WARM_RUNS }, () => timed(world).ms)
  return {
    appointments: world.busy.starts.length,
    offered: cold.offered,
    coldMs: cold.ms,
    warmMs: median(warm),
  }
}

function measure(people: number, busy: string): Measured {
  const args = [fileURLToPath(import.meta.url), String(people), busy]
  const runs = Array.from(
    { length: COLD_STARTS },
    () => JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Run,
  )
  const { appointments, offered } = runs[0]!
  const coldMs = round(median(runs.map((run) => run.coldMs)))
  return { people, busy, appointments, offered, coldMs, warmMs: round(median(runs.map((run) => run.warmMs))) }
}

function report() {
  const sizes = [1, 10, 100, 1000].flatMap((people) =>
    ['0', '50', '200'].map((busy) => [people, busy] as const),
  )
  const rows = [...sizes, [1000, FULL] as const].map(([people, busy]) => measure(people, busy))
  console.log(
    `Slots, pure engine: technical visit, 30 days; the days and the packed rows given; cold is the first call of a process (median of ${COLD_STARTS} processes)`,
  )
  console.table(rows)
  const usual = rows.find(
    ({ people, busy }) => people === GOAL.technicians && busy === String(GOAL.busyEach),
  )!
  const full = rows.at(-1)!
  const goals = { usualCold: usual.coldMs < GOAL.coldMs, fullCold: full.coldMs <= GOAL.fullMs }
  const verdict = (met: boolean) => (met ? 'met' : 'NOT met')
  console.log(`1,000 x 200 under ${GOAL.coldMs} ms cold: ${verdict(goals.usualCold)} (${usual.coldMs} ms)`)
  console.log(
    `nearly everything taken, at most ${GOAL.fullMs} ms: ${verdict(goals.fullCold)} (${full.coldMs} ms cold)`,
  )
  console.log(JSON.stringify({ bench: 'slots-engine', goals, rows }))
}

const [people, busyEach] = process.argv.slice(2)
if (people && busyEach) console.log(JSON.stringify(runHere(Number(people), busyEach)))
else report()
