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

/** What goes with the address that the manager approves in the place of the one that was quoted. */
export const approvedHome = z.object({
  intent: z.literal('approve-home'),
  version: seenVersion,
  stands: z.enum(['yes', 'no'], 'Elige qué pasa con la cotización.').transform((chosen) => chosen === 'yes'),
  reason: requiredText('Escribe por qué: su cliente lo lee.', 500),
})
