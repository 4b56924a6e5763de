import { z } from 'zod'
import { choice, optionalText } from '../shared/text.ts'
import { loseIntent, lostReasons, reopenIntent } from './project-ending.ts'

const projectId = z.uuid('Vuelve a abrir la página.')
const loseInput = z.object({
  intent: z.literal(loseIntent),
  projectId,
  reason: choice(lostReasons, 'Elige por qué no se concretó.'),
  note: optionalText(500),
})
export type Losing = Omit<z.output<typeof loseInput>, 'intent'>

/** A project that is given up, with why, or taken up again. */
export const endingInput = z.discriminatedUnion('intent', [
  loseInput,
  z.object({ intent: z.literal(reopenIntent), projectId }),
])
