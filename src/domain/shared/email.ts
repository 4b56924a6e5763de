import { z } from 'zod'
import { tidy } from './tidy.ts'

const tooLong = 'Ese correo es demasiado largo.'
const wrong = 'Escribe un correo válido, como nombre@correo.mx.'

/** An e-mail in lower case that must be given. */
export const requiredEmail = z.preprocess(
  (typed) => tidy(typed).toLowerCase(),
  z
    .string()
    .min(1, { error: 'Escribe el correo.', abort: true })
    .max(254, { error: tooLong, abort: true })
    .pipe(z.email(wrong)),
)

/** An e-mail in lower case that may be left out: null when blank. */
export const optionalEmail = z.preprocess(
  (typed) => tidy(typed).toLowerCase() || null,
  z.string().max(254, { error: tooLong, abort: true }).pipe(z.email(wrong)).nullable(),
)
