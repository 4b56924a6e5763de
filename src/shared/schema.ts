import { z } from 'zod'
import { addDays, localDate, toMinutes } from './calendar.ts'
import { centavosOf } from './money.ts'
import { failed, Refusal, type Result } from './refusal.ts'
import { normalisePhone } from './search.ts'
import { lengthOf, tidy } from './text.ts'

const within = (max: number) =>
  [(text: string) => lengthOf(text) <= max, `Usa como máximo ${max} caracteres.`] as const

/** Text of at most `max` characters; blank when absent. */
export const anyText = (max: number) => z.preprocess(tidy, z.string().refine(...within(max)))

/** Required text; `blank` is the message when it is missing or empty. */
export const requiredText = (blank: string, max: number) =>
  z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: blank, abort: true })
      .refine(...within(max)),
  )

/** Optional text: null when blank. */
export const optionalText = (max: number) => anyText(max).transform((text) => text || null)

/** One of the keys of a table of labels. */
export const choice = <Key extends string>(table: Readonly<Record<Key, string>>, message: string) =>
  z.preprocess(tidy, z.enum(Object.keys(table) as Key[], message))

/** A tick box: a form sends it only when it is ticked. */
export const ticked = z.preprocess(
  (sent) => sent === true || (typeof sent === 'string' && sent !== ''),
  z.boolean(),
)

/** The minimum and maximum of a number. */
export type Range = readonly [least: number, most: number]

/** A whole number within a range, as a form sends it. */
export const wholeNumber = ([least, most]: Range) =>
  z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: 'Escribe un número.', abort: true })
      .regex(/^-?\d+$/, { error: 'Escribe un número entero.', abort: true })
      .transform(Number)
      .refine((value) => value >= least && value <= most, `Escribe un número de ${least} a ${most}.`),
  )

const longAgoDays = 730

/** The day of a payment, as 2026-11-24: today, or a day of the last two years. */
export const paidOn = (now: Date) => {
  const today = localDate(toMinutes(now))
  return z.preprocess(
    tidy,
    z
      .string()
      .refine((date) => z.iso.date().safeParse(date).success, { error: 'Elige el día.', abort: true })
      .refine((date) => date <= today, 'Elige hoy o un día que ya pasó.')
      .refine((date) => date >= addDays(today, -longAgoDays), 'Elige un día de los últimos dos años.'),
  )
}

/** The message for a form with values that we did not issue. */
export const staleForm = 'Este formulario ya no sirve. Vuelve a abrir la página.'

/** A form without fields. */
export const noFields = z.object({})

/** The version of a row that a form was shown with: within the database's range. */
export const seenVersion = z.coerce
  .number<string>(staleForm)
  .int(staleForm)
  .positive(staleForm)
  .max(1_000_000_000, staleForm)

const tooLong = 'Ese correo es demasiado largo.'
const wrong = 'Escribe un correo válido, como nombre@correo.mx.'

/** A required e-mail, in lower case. */
export const requiredEmail = z.preprocess(
  (typed) => tidy(typed).toLowerCase(),
  z
    .string()
    .min(1, { error: 'Escribe el correo.', abort: true })
    .max(254, { error: tooLong, abort: true })
    .pipe(z.email(wrong)),
)

/** An optional e-mail, in lower case: null when blank. */
export const optionalEmail = z.preprocess(
  (typed) => tidy(typed).toLowerCase() || null,
  z.string().max(254, { error: tooLong, abort: true }).pipe(z.email(wrong)).nullable(),
)

function tenDigits(typed: string, ctx: z.RefinementCtx<string>, whose = 'tu'): string {
  const phone = normalisePhone(typed)
  if (phone) return phone
  ctx.addIssue(`Escribe los 10 dígitos de ${whose} teléfono, con lada.`)
  return z.NEVER
}

/** A required phone, as its ten digits. */
export const requiredPhone = required('tu')

/** The same for another person's phone. */
export const theirPhone = required('su')

function required(whose: 'tu' | 'su') {
  return z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: `Escribe ${whose} teléfono.`, abort: true })
      .transform((typed, ctx) => tenDigits(typed, ctx, whose)),
  )
}

/** An optional phone: null when blank. */
export const optionalPhone = z.preprocess(
  tidy,
  z.string().transform((typed, ctx) => (typed ? tenDigits(typed, ctx) : null)),
)

/** A required amount in whole centavos, limits included. */
export const requiredAmount = (min: number, max: number, message: string) =>
  z.preprocess(
    tidy,
    z
      .string()
      .min(1, { error: 'Escribe una cantidad.', abort: true })
      .transform((typed, ctx) => {
        const centavos = centavosOf(typed)
        if (centavos !== null && centavos >= min && centavos <= max) return centavos
        ctx.addIssue(centavos === null ? 'Escribe la cantidad como 12,345.50.' : message)
        return z.NEVER
      }),
  )

/** The validation errors of an input, and what else is wrong with it, as a result. */
export function invalid({ issues }: z.ZodError, others: Record<string, string>): Result<never> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[String(path[0] ?? '')] ??= message
  for (const [field, message] of Object.entries(others)) errors[field] ??= message
  const description = issues[0]?.message
  return failed(new Refusal('invalid-argument', { ...(description && { description }), details: { errors } }))
}

/** Metres or kilowatts with one decimal at most, null when blank. */
export const decimal = (most: number, message: string) =>
  z.preprocess(
    (typed) => tidy(typed).replace(',', '.') || null,
    z
      .string()
      .regex(/^\d{1,3}(\.\d)?$/, message)
      .transform(Number)
      .refine((value) => value <= most, message)
      .nullable(),
  )

/** Whether a text has pictures: faces, flags, keys. */
export const hasEmoji = (text: string) => /\p{Extended_Pictographic}|\p{RI}|\u20e3/u.test(text)
export const withoutEmojis = 'Escríbelo sin emojis.'
