import { z } from 'zod'

/** The condominium's permit is handed in; its file comes beside the form. */
export const permitInput = z.object({ intent: z.literal('hand-in-permit') })
