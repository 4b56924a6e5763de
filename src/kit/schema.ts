import { z } from 'zod'

/** A toast as its cookie carries it. */
export const flash = z.object({
  title: z.string().max(200),
  description: z.string().max(500),
  variant: z.enum(['default', 'success', 'destructive']),
  /** The changes that it offers to undo (appointments/rules/undo.ts). */
  undo: z.string().max(2100).optional(),
  /** Two requests may carry one toast: it is shown once. The version before sends none. */
  once: z.string().max(36).optional(),
})

/** A toast that waits in a cookie for the next page; the host signs it (platform/http/cookies.ts). */
export type Flash = z.output<typeof flash>
