import { z } from 'zod'
import { requiredText } from '../shared/text.ts'
import { lengthOf } from '../shared/tidy.ts'

/** The database refuses shorter ones. */
const shortestReason = 10

/** The manager's form that opens a blocked account. */
export const openBlockedInput = z.object({
  intent: z.literal('open-blocked'),
  customerId: z.uuid('Este formulario ya no sirve. Vuelve a abrir la página.'),
  reason: requiredText('Escribe para qué la abres.', 500).refine(
    (text) => lengthOf(text) >= shortestReason,
    `Escribe el motivo con al menos ${shortestReason} letras: queda registrado.`,
  ),
})
export type OpenBlocked = z.output<typeof openBlockedInput>
