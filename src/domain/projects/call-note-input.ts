import { z } from 'zod'
import { staleForm } from '../shared/seen-version.ts'
import { anyText } from '../shared/text.ts'
import { lengthOf } from '../shared/tidy.ts'

/** The outcome of a call about a quote, and the last call that was shown. */
export const callInput = z.object({
  quoteId: z.uuid(staleForm),
  seen: z.union([z.literal(''), z.uuid(staleForm)]),
  result: anyText(500).refine((text) => lengthOf(text) >= 3, 'Escribe en qué quedaron.'),
})
