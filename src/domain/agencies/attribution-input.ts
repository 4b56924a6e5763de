import { z } from 'zod'
import { requiredText } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { unknownCode } from './attribution.ts'
import { codeIn } from './benefit-code.ts'

/** A code from a form: null when blank; an error when it is malformed. */
export const optionalCode = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    const code = codeIn(typed)
    if (typed === '' || code) return code
    ctx.addIssue(unknownCode)
    return z.NEVER
  }),
)

/** A code that must be given. */
export const requiredCode = optionalCode.transform((code, ctx) => {
  if (code) return code
  ctx.addIssue('Escribe tu código.')
  return z.NEVER
})

/** The token of a counter invitation's link; a malformed one is null. */
export const clientInvitation = z
  .preprocess(tidy, z.string())
  .transform((token) => (/^[\w-]{20,100}$/.test(token) ? token : null))

const staleForm = 'Este formulario ya no sirve. Vuelve a abrir la página.'
/** What ties the customer as the form was shown: the row's id, or none. */
const seen = z.preprocess((sent) => sent || null, z.uuid(staleForm).nullable())
const reason = requiredText('Escribe por qué.', 200)

/** The manager's forms at a customer's page. */
export const attributionInput = z.discriminatedUnion(
  'intent',
  [
    z.object({
      intent: z.literal('attribution.give'),
      seen,
      allyId: z.preprocess((sent) => sent || undefined, z.uuid('Elige a un aliado.')),
      reason,
    }),
    z.object({ intent: z.literal('attribution.end'), seen, reason }),
  ],
  staleForm,
)
