import { z } from 'zod'
import { tidy } from './text.ts'

const wrong = 'Escribe un correo válido, como nombre@correo.mx.'

/** An e-mail in lower case that may be left out: null when blank. */
export const optionalEmail = z.preprocess(
  (typed) => tidy(typed).toLowerCase() || null,
  z
    .string()
    .max(254, { error: 'Ese correo es demasiado largo.', abort: true })
    .pipe(z.email(wrong))
    .nullable(),
)
