import { z } from 'zod'
import { addressInputBy } from '../projects/address.ts'
import { seenVersion } from '../shared/seen-version.ts'
import { optionalText, requiredText } from '../shared/text.ts'

/** The forms by which the office moves a quote that was sent, by their intent. */
export const quoteDeskInput = {
  'revise-quote': z.object({}),
  'withdraw-quote': z.object({ version: seenVersion, reason: optionalText(500) }),
  'cancel-quote': z.object({
    version: seenVersion,
    reason: requiredText('Escribe por qué se cancela.', 500),
  }),
}

const approvedHome = z.object({
  version: seenVersion,
  stands: z.enum(['yes', 'no'], 'Elige qué pasa con la cotización.').transform((chosen) => chosen === 'yes'),
  reason: requiredText('Escribe por qué: su cliente lo lee.', 500),
})

/** The address that the manager approves in the place of the one that was quoted, and what becomes of the quote. */
export const approvedHomeInput = (...places: Parameters<typeof addressInputBy>) =>
  z.intersection(addressInputBy(...places), approvedHome)
