import { z } from 'zod'
import { shortestNote } from './reasons.ts'
import { seenVersion, staleForm } from './seen-version.ts'
import { choice, optionalText, requiredText, ticked } from './text.ts'
import { lengthOf, tidy } from './tidy.ts'

/** Why a quote is not accepted. */
export const rejectReasons = {
  price: 'El precio',
  other_provider: 'Elegí a otro proveedor',
  not_now: 'Por ahora no',
  scope: 'No es lo que necesito',
  other: 'Otro motivo',
} as const

const quoteId = z.uuid(staleForm)
const common = { quoteId, version: seenVersion }

/** The box of an add-on in the form by which a quote is accepted. */
export const addOnBox = (id: string) => `addOn.${id}`

/** Add-ons are boxes of their own: `addOnsIn` reads them. */
export const acceptInput = z.looseObject({
  ...common,
  intent: z.literal('accept-quote'),
  digest: z.string(staleForm).regex(/^[0-9a-f]{64}$/, staleForm),
  option: requiredText('Elige una opción.', 40),
  name: requiredText('Escribe tu nombre completo.', 160),
  conditions: ticked.refine((is) => is, 'Marca que leíste y aceptas las condiciones.'),
})

/** The ids of the add-ons that are ticked. */
export const addOnsIn = (form: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(form)
    .filter((name) => name.startsWith('addOn.') && form[name] !== '')
    .map((name) => name.slice('addOn.'.length))

export const rejectInput = z
  .object({
    ...common,
    intent: z.literal('reject-quote'),
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

export const askChangesInput = z.object({
  ...common,
  intent: z.literal('ask-changes'),
  changes: requiredText('Escribe qué te gustaría cambiar.', 2000),
})

/** One tap: another quote in the place of one that ended. */
export const askAnewInput = z.object({ intent: z.literal('ask-anew'), quoteId })

const cancelReason = requiredText('Escribe por qué se cancela.', 500)
export const cancelQuoteInput = z.object({
  ...common,
  intent: z.literal('cancel-quote'),
  reason: cancelReason,
})

/** "El precio: me pasaron otra más barata", as it is kept and read. */
export const rejectionInWords = ({
  note,
  reason,
}: {
  reason: keyof typeof rejectReasons
  note: string | null
}) => tidy([rejectReasons[reason], note].filter(Boolean).join(': '))
