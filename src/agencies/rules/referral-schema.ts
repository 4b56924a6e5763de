import { z } from 'zod'
import { personName } from '../../accounts/rules/schema.ts'
import { addDays, localDate, toMinutes } from '../../shared/calendar.ts'
import {
  optionalEmail,
  optionalText,
  requiredText,
  seenVersion,
  staleForm,
  theirPhone,
  ticked,
} from '../../shared/schema.ts'
import { tidy } from '../../shared/text.ts'
import { unknownCode } from './clients.ts'
import { referralCodeIn } from './codes.ts'
import { benefitFields } from './schema.ts'

/** How far ahead a code may be made, in days. */
const longest = 730
const mostUses = 10_000

const codeText = z.preprocess(
  (sent) => tidy(sent).replace(/[\s-]/g, '').toUpperCase(),
  z.string().regex(/^[A-HJ-NP-Z2-9]{6,12}$/, 'Usa de 6 a 12 letras y números, sin I, O, 0 ni 1.'),
)

const uses = z.preprocess(
  (sent) => tidy(sent).replaceAll(',', ''),
  z
    .string()
    .regex(/^\d{1,5}$/, 'Escribe un número de 1 a 10,000.')
    .transform(Number)
    .pipe(z.int().min(1, 'Escribe al menos 1.').max(mostUses, 'Usa como máximo 10,000.')),
)

const day = (message: string) => z.preprocess(tidy, z.iso.date(message))
const laterDay = z
  .preprocess(tidy, z.union([z.literal(''), z.iso.date('Elige un día, o deja la casilla vacía.')]))
  .transform((typed) => typed || null)

/** The form of a new code; its first day is today or later. */
export const newCodeInput = (now: Date) => {
  const today = localDate(toMinutes(now))
  const last = addDays(today, longest)
  const fields = z.object({
    codeText,
    label: optionalText(80),
    maxUses: uses,
    startsOn: day('Elige desde cuándo sirve.').refine(
      (date) => date >= today && date <= last,
      'Elige un día de hoy en adelante, a dos años como máximo.',
    ),
    endsOn: laterDay.refine((date) => date === null || date <= last, 'Elige un día a dos años como máximo.'),
  })
  const dated = fields.refine(({ endsOn, startsOn }) => endsOn === null || endsOn >= startsOn, {
    path: ['endsOn'],
    message: 'Termina antes de empezar.',
  })
  return z.intersection(dated, benefitFields('Elige qué da el código.'))
}
export type CodeInput = z.output<ReturnType<typeof newCodeInput>>

const about = { codeId: z.uuid(staleForm), version: seenVersion }

/** The forms that act on one code of the list. */
export const codeMoveInput = z.object(about)

/** A manager's answer to a code that gives more than its agency's limit, by its intent. */
export const codeAnswerInput = {
  'codes.approve': z.object(about),
  'codes.refuse': z.object({ ...about, reason: requiredText('Escribe por qué, para quien lo pidió.', 200) }),
}

/** A code from a form: null when blank; an error when it is malformed. */
export const optionalCode = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    const code = referralCodeIn(typed)
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

/** The customer's attribution when the form was shown: the row's id, or none. */
const seen = z.preprocess((sent) => sent || null, z.uuid(staleForm).nullable())
const reason = requiredText('Escribe por qué.', 200)

/** The manager's attribution forms on a customer's page, by their intent. */
export const attributionInput = {
  'attribution.give': z.object({
    seen,
    allyId: z.preprocess((sent) => sent || undefined, z.uuid('Elige a un aliado.')),
    reason,
  }),
  'attribution.end': z.object({ seen, reason }),
}

const firstYear = 1990

/** The newest model year on sale is next year's. */
const modelYear = (now: Date) => {
  const lastYear = now.getUTCFullYear() + 1
  const wrong = `Escribe un año de ${firstYear} a ${lastYear}.`
  const typed = z.preprocess(
    (sent) => (tidy(sent) === '' ? null : Number(tidy(sent))),
    z.int(wrong).min(firstYear, wrong).max(lastYear, wrong).nullable(),
  )
  return typed
}

const code = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => {
    const read = referralCodeIn(typed)
    if (typed === '' || read) return read
    ctx.addIssue('Escribe el código como está: de 6 a 12 letras y números.')
    return z.NEVER
  }),
)

/** The form by which an ally registers a client in person. */
export const clientInput = (now: Date) =>
  z
    .object({
      name: personName('Escribe su nombre.'),
      phone: theirPhone,
      email: optionalEmail,
      vehicleBrand: optionalText(40),
      vehicleModel: optionalText(60),
      vehicleYear: modelYear(now),
      reference: optionalText(64),
      code,
      consent: ticked.refine(
        Boolean,
        'Pídele su consentimiento y marca la casilla: sin él no podemos guardar sus datos.',
      ),
      requestKey: z.uuid('Vuelve a abrir la página.'),
    })
    .transform(
      ({ vehicleBrand: brand, vehicleModel: model, vehicleYear: year, consent, requestKey, ...person }) => ({
        client: {
          ...person,
          lastname: null,
          vehicle: brand || model || year ? { brand, model, year, deliveredOn: null } : null,
        },
        requestKey,
      }),
    )

/** The ally's forms about an open invitation. */
export const invitationInput = { invite: z.object({}), withdraw: z.object({}) }

/** The data of the first referral link followed in a browser. */
export const firstTouchInput = z.object({
  code: z.string().transform(referralCodeIn).nullable(),
  invitation: clientInvitation.nullable(),
})
/** How a visitor arrived: the code of the first link they followed, and the token of a counter invitation. */
export type Touch = z.output<typeof firstTouchInput>
