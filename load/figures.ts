import type { Mark, Outcome } from './drive.ts'

export type Sums = {
  /** Requests that were due, and what became of them. */
  due: number
  outcomes: Record<Outcome, number>
  /** Milliseconds, of those that were answered or refused, from when they were due. */
  p50: number
  p99: number
  /** Of the requests' own lateness, in milliseconds: large, it is the generator that could not follow. */
  late: number
}

/** The value below which a share of the numbers lies; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0)
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

const served = ({ outcome }: Mark) => outcome === 'answered' || outcome === 'refused'

/** What so many requests amount to. */
export function sumsOf(marks: readonly Mark[]): Sums {
  const count = (wanted: Outcome) => marks.filter(({ outcome }) => outcome === wanted).length
  const times = marks.filter(served).map(({ ms }) => ms)
  return {
    due: marks.length,
    outcomes: {
      answered: count('answered'),
      refused: count('refused'),
      away: count('away'),
      failed: count('failed'),
    },
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    late: quantile(
      marks.map(({ late }) => late),
      0.99,
    ),
  }
}

/** Those due in a part of a run, in seconds from its start. */
export const between = (marks: readonly Mark[], from: number, to: number) =>
  marks.filter(({ at }) => at >= from * 1000 && at < to * 1000)

/** Statuses of what failed; 0 is no answer at all. */
export function failuresOf(marks: readonly Mark[]): string {
  const failed = Map.groupBy(
    marks.filter(({ outcome }) => outcome === 'failed'),
    ({ kind, status }) => `${kind} ${status}`,
  )
  return [...failed].map(([what, some]) => `${what} x ${some.length}`).join(', ')
}
