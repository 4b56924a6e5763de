import { z } from 'zod'

/** How many requests a process answers concurrently before it rejects others. */
export const loadShedderVariables = {
  /** The most requests in progress at once, writes included. */
  REQUESTS_AT_ONCE: z.coerce.number().int().min(1).max(100_000).default(512),
  /** The most requests in progress for longer than a moment. */
  REQUESTS_STANDING: z.coerce.number().int().min(1).max(100_000).default(64),
}

type Values = z.output<z.ZodObject<typeof loadShedderVariables>>

/** `peakLimit` requests may be in progress for a moment, `sustainedLimit` for longer. */
export type LoadLimits = { peakLimit: number; sustainedLimit: number }

export function loadLimitsOf({
  REQUESTS_AT_ONCE: peakLimit,
  REQUESTS_STANDING: sustainedLimit,
}: Values): LoadLimits {
  if (sustainedLimit > peakLimit)
    throw new Error(
      'REQUESTS_STANDING must not exceed REQUESTS_AT_ONCE: it is the sustained part of that limit.',
    )
  return { peakLimit, sustainedLimit }
}
