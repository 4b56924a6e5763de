/** Between which moments somebody who set out is expected. */
export type ArrivalSpan = { from: Date; to: Date }

/** The shortest and the longest way that is believed, in minutes. */
const ways = [5, 120] as const

/** How wide the answer is at least, in minutes, and as a share of the way that is left. */
const leastWidth = 10
const widthShare = 0.3
const step = 5 * 60_000
const roundedUp = (ms: number) => Math.ceil(ms / step) * step

/**
 * When somebody arrives who left at `since` for a way of so many minutes: never before now, so that the answer moves with
 * whoever is late, and on whole five minutes.
 */
export function arrivalOf({ since, minutes }: { since: Date; minutes: number }, now: Date): ArrivalSpan {
  const way = Math.min(Math.max(minutes, ways[0]), ways[1])
  const expected = Math.max(since.getTime() + way * 60_000, now.getTime())
  const left = (expected - now.getTime()) / 60_000
  const from = roundedUp(expected)
  return {
    from: new Date(from),
    to: new Date(roundedUp(from + Math.max(leastWidth, left * widthShare) * 60_000)),
  }
}

/** When somebody arrives who said that they come at another hour: not before it. */
export const notBefore = (span: ArrivalSpan | null, told: Date | null): ArrivalSpan | null =>
  span && told && told > span.from ? { from: told, to: new Date(told.getTime() + leastWidth * 60_000) } : span

type Departure = { setOutAt: Date; startsAt: Date }

/**
 * The minutes of a way by the districts' travel times. Without a visit before, `between` is null: whoever leaves then is
 * taken to leave in time for the agreed start, and to need `within` at least.
 */
export function wayByDistricts(
  { setOutAt, startsAt }: Departure,
  { between, within }: { between: number | null; within: number },
): number {
  return between ?? Math.max(within, (startsAt.getTime() - setOutAt.getTime()) / 60_000)
}
