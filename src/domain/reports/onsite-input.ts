import { z } from 'zod'
import { optionalText } from '../shared/text.ts'
import { riskNames } from './installation-record.ts'

/** An instant, as ISO text. */
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** What a phone sends of a sheet's answers; each value is judged by its question. */
export const changesInput = z.object({
  changes: z
    .array(
      z.object({
        name: z.string().max(60),
        value: z.unknown(),
        base: z.int().min(0),
        at: instant,
      }),
    )
    .max(200),
})

/** What a phone sends of the steps that were made without a network. */
export const pressedInput = z.object({
  move: z.enum(['setOut', 'start', 'pause', 'resume', 'submit']),
  at: instant,
  reason: optionalText(300).optional(),
  /** The risks ticked with the start of an installation. */
  checklist: z.array(z.enum(riskNames)).optional(),
})
