import { z } from 'zod'
import { seenVersion } from '../shared/seen-version.ts'
import { lengthOf, tidy } from '../shared/tidy.ts'
import { closingInput } from './closing-input.ts'

const why = 'Escribe por qué, con al menos 5 caracteres.'

/** The manager lets an appointment go. */
export const cancellingInput = closingInput.safeExtend({
  intent: z.literal('cancel-by-house'),
  version: seenVersion,
})

/** The manager takes its person off an appointment. */
export const releasingInput = z.object({
  intent: z.literal('release'),
  version: seenVersion,
  releaseReason: z.preprocess(
    tidy,
    z
      .string(why)
      .refine((reason) => lengthOf(reason) >= 5, why)
      .refine((reason) => lengthOf(reason) <= 300, 'Usa como máximo 300 caracteres.'),
  ),
})
