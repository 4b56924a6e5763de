import type { Line } from '../bench/report.ts'
import { failuresOf, type Mark, quantile, sumsOf } from './drive.ts'
import { type Run, type Site, tenth } from './site.ts'

/** A rate is borne when nothing fails, next to nothing is turned away, and next to nobody waits longer than this. */
const bearable = { p99: 500, away: 0.01 }
const factor = 1.4
const finer = 2

/** One line of the table about a run. */
export function lineOf(what: string, { marks, memory, seconds, cores }: Run): Line {
  const { due, answered, refused, ...rest } = sumsOf(marks)
  const failures = failuresOf(marks)
  return {
    what,
    due: tenth(due / seconds),
    served: tenth((answered + refused) / seconds),
    ...rest,
    MB: quantile(memory, 0.5),
    ...cores,
    ...(failures && { failures }),
  }
}

export function isBorne(marks: readonly Mark[]): boolean {
  const { away, due, failed, p99 } = sumsOf(marks)
  return failed === 0 && away <= due * bearable.away && p99 <= bearable.p99
}

/**
 * Asks more and more until it is not borne, then looks between the last rate that was and the first that was not.
 * Answers the highest rate that was borne, a second: the peak.
 */
export async function climb(site: Site, from: number, seconds: number, tell: (line: Line) => void) {
  const bears = async (rate: number) => {
    const run = await site.run('usual', rate, seconds)
    const borne = isBorne(run.marks)
    tell(lineOf(`${rate} a second${borne ? '' : ', not borne'}`, run))
    return borne
  }
  let low = 0
  let high = from
  while (await bears(high)) {
    low = high
    high = Math.round(high * factor)
  }
  for (let n = 0; n < finer && low > 0; n++) {
    const middle = Math.round((low + high) / 2)
    if (await bears(middle)) low = middle
    else high = middle
  }
  return low
}
