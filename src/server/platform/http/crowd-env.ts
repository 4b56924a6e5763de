import { z } from 'zod'

/** How many requests a process answers at the same time before it turns others away. */
export const crowdVariables = {
  /** The most that may be inside at once, changes among them. */
  REQUESTS_AT_ONCE: z.coerce.number().int().min(1).max(100_000).default(512),
  /** As many as may stand there for longer than a moment. */
  REQUESTS_STANDING: z.coerce.number().int().min(1).max(100_000).default(64),
}

type Values = z.output<z.ZodObject<typeof crowdVariables>>

/** `most` may be inside for a moment; of a crowd that stays, `standing`. */
export type CrowdLimits = { most: number; standing: number }

export function crowdOf({ REQUESTS_AT_ONCE: most, REQUESTS_STANDING: standing }: Values): CrowdLimits {
  if (standing > most)
    throw new Error(
      'REQUESTS_STANDING no puede ser mayor que REQUESTS_AT_ONCE: son las que pueden quedarse, de las que caben.',
    )
  return { most, standing }
}
