import { z } from 'zod'
import { optionalText } from '../shared/text.ts'
import { lengthOf } from '../shared/tidy.ts'
import { type Closing, closingReasonCodes, shortestNote } from './reasons.ts'

/** Why, and a note, which `otro` demands. */
export const closingInput = z
  .object({
    reason: z.enum(closingReasonCodes, 'Elige un motivo.'),
    note: optionalText(500),
  })
  .superRefine(({ note, reason }, { addIssue }) => {
    if (reason === 'otro' && lengthOf(note ?? '') < shortestNote)
      addIssue({
        code: 'custom',
        path: ['note'],
        message: `Cuenta por qué, con al menos ${shortestNote} caracteres.`,
      })
  }) satisfies z.ZodType<Closing, Record<string, unknown>>
