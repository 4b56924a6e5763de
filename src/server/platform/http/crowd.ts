import { z } from 'zod'
import { log } from '../../app/stop.ts'

/** A request that is inside; `arrived` says whether all of it came. */
type Guest = { arrived: () => boolean }

/** Milliseconds for which more than `standing` may be inside: a page's own requests, or a shop's opening, are no crowd. */
const patience = 1_000

/** Milliseconds between two lines of the log about those turned away. */
const silence = 10_000

export type Crowd = ReturnType<typeof openCrowd>

/**
 * Counts the requests that are being answered, and says which have to be turned away. What takes longest under load is
 * waiting for one's turn, so a queue that does not get shorter by itself is kept short: its requests are answered in good
 * time, and the others at once. `now` counts milliseconds.
 */
export function openCrowd({ most, standing }: CrowdLimits, now = () => performance.now()) {
  const inside = new Set<Guest>()
  let calmAt = now()
  let turnedAway = 0
  let untold = 0
  let toldAt = Number.NEGATIVE_INFINITY

  // Half of it: at the limit itself, where a crowd that stays is kept, every answer would look like its end.
  const look = () => {
    if (inside.size <= standing / 2) calmAt = now()
  }
  /** Those whose requests are whole: a body that comes slowly takes nobody's turn. */
  const waiting = () => [...inside].reduce((count, { arrived }) => count + (arrived() ? 1 : 0), 0)
  const isFull = (patient: boolean) => {
    if (inside.size < standing) return false
    const limit = patient && now() - calmAt > patience ? standing : most
    return inside.size >= limit && waiting() >= limit
  }
  const tell = () => {
    turnedAway++
    untold++
    if (now() - toldAt < silence) return
    log.warn({ turnedAway: untold, inside: inside.size }, 'more is asked than can be answered')
    untold = 0
    toldAt = now()
  }

  return {
    /** Whether there is room; without it the request is to be turned away unread. What changes something is let in as long as there is any. */
    admits(changes: boolean): boolean {
      look()
      const full = isFull(!changes)
      if (full) tell()
      return !full
    },
    /** Counts a request until its answer is there; how long a reader takes to read it is not our work. */
    async within(guest: Guest, run: () => Promise<void>): Promise<void> {
      inside.add(guest)
      try {
        await run()
      } finally {
        inside.delete(guest)
        look()
      }
    },
    figures: () => ({ inside: inside.size, turnedAway }),
  }
}

/** How many requests a process answers at the same time before it turns others away. */
export const crowdVariables = {
  /** The most that may be inside at once, changes among them. */
  REQUESTS_AT_ONCE: z.coerce.number().int().min(1).max(100_000).default(512),
  /** As many as may stand there for longer than a moment. */
  REQUESTS_STANDING: z.coerce.number().int().min(1).max(100_000).default(64),
}

type Values = z.output<z.ZodObject<typeof crowdVariables>>

/** `most` may be inside for a moment; of a crowd that stays, `standing`. */
type CrowdLimits = { most: number; standing: number }

export function crowdOf({ REQUESTS_AT_ONCE: most, REQUESTS_STANDING: standing }: Values): CrowdLimits {
  if (standing > most)
    throw new Error(
      'REQUESTS_STANDING must not exceed REQUESTS_AT_ONCE: it is the sustained part of that limit.',
    )
  return { most, standing }
}
