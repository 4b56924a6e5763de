import { log } from '../telemetry/log.ts'
import type { LoadLimits } from './load-env.ts'

/** A request in progress; `arrived` says whether its whole body was received. */
type Admitted = { arrived: () => boolean }

/** How long more than `sustainedLimit` requests may be in progress: the burst of one page's own requests is no overload. */
const SUSTAINED_AFTER_MS = 1_000

/** The interval between two log lines about rejected requests. */
const LOG_EVERY_MS = 10_000

export type LoadShedder = ReturnType<typeof createLoadShedder>

/**
 * Counts the requests in progress and decides which to reject. Under load most of the latency is time in the queue, so a
 * queue that does not drain by itself is kept short: admitted requests are answered in time, the rest are rejected at once.
 * `now` counts milliseconds.
 */
export function createLoadShedder({ peakLimit, sustainedLimit }: LoadLimits, now = () => performance.now()) {
  const inside = new Set<Admitted>()
  let belowLimitAt = now()
  let shed = 0
  let unlogged = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  // Half of the limit: a sustained overload is held at the limit itself, where every answer would look like its end.
  const look = () => {
    if (inside.size <= sustainedLimit / 2) belowLimitAt = now()
  }
  /** Requests whose body is complete: one that is received slowly takes no capacity. */
  const waiting = () => [...inside].reduce((count, { arrived }) => count + (arrived() ? 1 : 0), 0)
  const isFull = (isRead: boolean) => {
    if (inside.size < sustainedLimit) return false
    const limit = isRead && now() - belowLimitAt > SUSTAINED_AFTER_MS ? sustainedLimit : peakLimit
    return inside.size >= limit && waiting() >= limit
  }
  const countShed = () => {
    shed++
    unlogged++
    if (now() - loggedAt < LOG_EVERY_MS) return
    log.warn({ turnedAway: unlogged, inside: inside.size }, 'load shedding: requests rejected')
    unlogged = 0
    loggedAt = now()
  }

  return {
    /** Whether there is capacity; if not, the request is rejected unread. Writes are admitted up to `peakLimit`. */
    admits(changes: boolean): boolean {
      look()
      const full = isFull(!changes)
      if (full) countShed()
      return !full
    },
    /** Counts a request until its response is ready; the time a client takes to read it does not count. */
    async within(guest: Admitted, run: () => Promise<void>): Promise<void> {
      inside.add(guest)
      try {
        await run()
      } finally {
        inside.delete(guest)
        look()
      }
    },
    figures: () => ({ inside: inside.size, shed }),
  }
}
