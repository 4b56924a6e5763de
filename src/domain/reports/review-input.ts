import { z } from 'zod'
import { seenVersion, staleForm } from '../shared/seen-version.ts'
import { requiredText } from '../shared/text.ts'

const approving = z.object({ intent: z.literal('approve-sheet'), version: seenVersion })
const returning = z.looseObject({
  intent: z.literal('return-sheet'),
  version: seenVersion,
  reason: requiredText('Escribe qué falta o qué está mal.', 1000),
})
/** One answer put right; its value has the boxes that its kind of question has. */
const correcting = z.looseObject({
  intent: z.literal('correct-answer'),
  name: z.string(staleForm).max(60, staleForm),
  base: z.coerce.number<string>(staleForm).int(staleForm).min(0, staleForm).max(1_000_000_000, staleForm),
})

/** The forms by which the office looks a sheet over. */
export const reviewInput = z.discriminatedUnion('intent', [approving, returning, correcting], staleForm)
export type Review = z.output<typeof reviewInput>
