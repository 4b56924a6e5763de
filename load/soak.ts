import type { Line } from '../bench/report.ts'
import { lineOf } from './climb.ts'
import { between, type Mark, quantile, sumsOf } from './drive.ts'
import type { Site } from './site.ts'

/** Seconds. The memory's growth counts from the end of `settle`. */
type Lengths = { soak: number; settle: number; overload: number; after: number }
const shares = { soak: 0.3, overload: 1.5 }
const goals = { growth: 0.1, overloadP99: 2_000, normalWithin: 10 }

/** Long under a usual load, then short under too much of it, then as before. */
export async function soak(site: Site, peak: number, lengths: Lengths, tell: (line: Line) => void) {
  const usual = peak * shares.soak
  const long = await site.run('usual', usual, lengths.soak)
  const growth = growthOf(long.memory, lengths.settle)
  const calm = sumsOf(long.marks)
  tell({
    ...lineOf(`${lengths.soak} s at 30 % of the peak`, long),
    grows: `${Math.round(growth * 1000) / 10} %`,
    goal: 'memory grows < 10 %, nothing fails or is turned away',
    met: growth < goals.growth && calm.failed + calm.away === 0,
  })
  const much = await site.run('usual', peak * shares.overload, lengths.overload)
  const { away, failed, p99 } = sumsOf(much.marks)
  tell({
    ...lineOf(`${lengths.overload} s at 150 % of the peak`, much),
    goal: `what is too much is turned away with Retry-After, nothing fails, p99 of the rest <= ${goals.overloadP99} ms`,
    met: failed === 0 && away > 0 && p99 <= goals.overloadP99,
  })
  const normal = Math.max(2 * calm.p99, 100)
  const later = await site.run('usual', usual, lengths.after)
  const since = normalSince(later.marks, normal)
  const rest = sumsOf(between(later.marks, goals.normalWithin, lengths.after))
  tell({
    ...lineOf('afterwards, at 30 % again', later),
    normalAfter: `${since} s`,
    goal: `p99 <= ${normal} ms (twice the usual, or 100) within ${goals.normalWithin} s`,
    met: since <= goals.normalWithin && rest.p99 <= normal && sumsOf(later.marks).failed === 0,
  })
}

/** By how much the last tenth of the memory's seconds lies above the tenth that follows the settling. */
export function growthOf(memory: readonly number[], settle: number): number {
  const part = Math.max(1, Math.floor(memory.length / 10))
  return quantile(memory.slice(-part), 0.5) / quantile(memory.slice(settle, settle + part), 0.5) - 1
}

/** Seconds after which the p99 of every second that follows in the first half minute is usual. */
export function normalSince(marks: readonly Mark[], usual: number): number {
  let since = 0
  for (let second = 0; second < 30; second++)
    if (sumsOf(between(marks, second, second + 1)).p99 > usual) since = second + 1
  return since
}
