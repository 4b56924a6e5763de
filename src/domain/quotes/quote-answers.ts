import { z } from 'zod'
import { clientInvitation, requiredCode } from '../agencies/attribution-input.ts'
import { shortestNote } from '../appointments/reasons.ts'
import { seenVersion, staleForm } from '../shared/seen-version.ts'
import { choice, optionalText, requiredText, ticked } from '../shared/text.ts'
import { lengthOf } from '../shared/tidy.ts'
import { rejectReasons } from './reject-reasons.ts'

const quoteId = z.uuid(staleForm)
const common = { quoteId, version: seenVersion }

/** Add-ons are boxes of their own, which `choiceIn` reads. */
const accepting = z.looseObject({
  ...common,
  digest: z.string(staleForm).regex(/^[0-9a-f]{64}$/, staleForm),
  option: requiredText('Elige una opción.', 40),
  name: requiredText('Escribe tu nombre completo.', 160),
  conditions: ticked.refine((is) => is, 'Marca que leíste y aceptas las condiciones.'),
  /** Centavos of the total on the screen; blank where nothing added it up. */
  seenTotal: z
    .string()
    .regex(/^\d{0,15}$/, staleForm)
    .default(''),
})

const rejecting = z
  .object({
    ...common,
    reason: choice(rejectReasons, 'Elige un motivo.'),
    note: optionalText(500),
  })
  .superRefine(({ note, reason }, { addIssue }) => {
    if (reason === 'other' && lengthOf(note ?? '') < shortestNote)
      addIssue({
        code: 'custom',
        path: ['note'],
        message: `Cuenta por qué, con al menos ${shortestNote} caracteres.`,
      })
  })

const askingChanges = z.object({
  ...common,
  changes: requiredText('Escribe qué te gustaría cambiar.', 2000),
})

/** One tap: another quote in the place of one that ended. */
const askingAnew = z.object({ quoteId })

/** A code that its customer has, before they accept. */
const redeeming = z.object({
  codigo: requiredCode,
  registro: clientInvitation,
})

const noting = z.object({ quoteId })

/** What was accepted is called off, by its customer or by the manager. */
const cancelling = z.object({
  ...common,
  reason: requiredText('Escribe por qué se cancela.', 500),
})

/** The forms of a customer's page of quotes, by their intent. */
export const ownQuoteInput = {
  'accept-quote': accepting,
  'reject-quote': rejecting,
  'ask-changes': askingChanges,
  'ask-anew': askingAnew,
  'redeem-code': redeeming,
  'note-viewed': noting,
  'cancel-quote': cancelling,
}
export type Accepting = z.output<typeof accepting>
export type Redeeming = z.output<typeof redeeming>
