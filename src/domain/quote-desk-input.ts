import { z } from 'zod'
import { seenVersion, staleForm } from './seen-version.ts'
import { optionalText, requiredText } from './text.ts'

/** The forms by which the office moves a quote that was sent. */
export const quoteDeskInput = z.discriminatedUnion(
  'intent',
  [
    z.object({ intent: z.literal('revise-quote') }),
    z.object({ intent: z.literal('withdraw-quote'), version: seenVersion, reason: optionalText(500) }),
    z.object({
      intent: z.literal('cancel-quote'),
      version: seenVersion,
      reason: requiredText('Escribe por qué se cancela.', 500),
    }),
  ],
  staleForm,
)
