import type { Line } from '../bench/report.ts'
import { failuresOf, median, sumsOf } from './figures.ts'
import type { Run, Site } from './site.ts'

/** A rate is borne when nothing fails, next to nothing is turned away, and next to nobody waits longer than this. */
const bearable = { p99: 500, away: 0.01 }

const tenth = (value: number) => Math.round(value * 10) / 10

/** One line of the table about a run. */
export function lineOf(what: string, { marks, memory, seconds, cores }: Run): Line {
  const { due, late, outcomes, p50, p99 } = sumsOf(marks)
  return {
    what,
    due: tenth(due / seconds),
    served: tenth((outcomes.answered + outcomes.refused) / seconds),
    p50,
    p99,
    away: outcomes.away,
    failed: outcomes.failed,
    MB: median(memory),
    web: tenth(cores.web),
    database: tenth(cores.database),
    replica: tenth(cores.replica),
    generator: tenth(cores.generator),
    others: tenth(cores.others),
    late,
  }
}

export function isBorne({ marks }: Pick<Run, 'marks'>): boolean {
  const { due, outcomes, p99 } = sumsOf(marks)
  return outcomes.failed === 0 && outcomes.away <= due * bearable.away && p99 <= bearable.p99
}

type Wishes = { from: number; factor: number; seconds: number; finer: number }

/**
 * Asks more and more until it is not borne, then looks between the last rate that was and the first that was not.
 * Answers the highest rate that was borne, a second: the peak.
 */
export async function climb(
  site: Site,
  { from, factor, seconds, finer }: Wishes,
  tell: (line: Line) => void,
) {
  const step = async (rate: number) => {
    const run = await site.run('usual', rate, seconds)
    const borne = isBorne(run)
    const failures = failuresOf(run.marks)
    if (failures) console.log(`  failed at ${rate}: ${failures}`)
    tell(lineOf(`${rate} a second${borne ? '' : ', not borne'}`, run))
    return borne
  }
  let [best, rate] = [0, from]
  while (await step(rate)) {
    best = rate
    rate = Math.round(rate * factor)
  }
  let [low, high] = [best, rate]
  for (let n = 0; n < finer && low > 0; n++) {
    const middle = Math.round((low + high) / 2)
    if (await step(middle)) low = middle
    else high = middle
  }
  return low
}
