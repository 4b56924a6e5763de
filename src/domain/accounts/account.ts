import { z } from 'zod'
import { requiredPhone } from '../shared/phone.ts'
import { requiredText } from '../shared/text.ts'
import { lengthOf, tidy } from '../shared/tidy.ts'

/** An e-mail, in lower case. */
export const email = z.preprocess(
  (typed) => tidy(typed).toLowerCase(),
  z
    .string()
    .min(1, { error: 'Escribe tu correo electrónico.', abort: true })
    .max(254, { error: 'Ese correo es demasiado largo.', abort: true })
    .pipe(z.email('Escribe un correo válido, como nombre@correo.mx.')),
)

// A password is stored exactly: leading and trailing spaces and odd characters are part of it.
export const password = z.preprocess(
  (typed) => (typeof typed === 'string' ? typed : ''),
  z
    .string()
    .min(1, { error: 'Escribe tu contraseña.', abort: true })
    .refine((typed) => lengthOf(typed) <= 64, 'Usa como máximo 64 caracteres.'),
)

export const newPassword = password.refine((typed) => lengthOf(typed) >= 8, 'Usa al menos 8 caracteres.')

// Any origin serves here: it only shows whether the address stays on the site that it started from.
const here = 'http://here.invalid'

/** A same-site path to open after signing in, or null when it leads to another site. */
function ownPath(typed: unknown): string | null {
  if (typeof typed !== 'string' || !typed.startsWith('/') || !URL.canParse(typed, here)) return null
  const { origin, pathname, search, hash } = new URL(typed, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : null
}

/** Where a person was going before they had to sign in. */
export const nextPath = z.preprocess(ownPath, z.string().nullable())

/** A name or last name; the message for a blank one depends on whose it is. */
export const personName = (blank: string) =>
  requiredText(blank, 80).refine((name) => /\p{L}/u.test(name), 'Escribe al menos una letra.')

/** The form of /signup. */
export const signUpInput = z.object({ email, password: newPassword })

/** The form of /signin; `next` is the path to return to, kept only when it is same-site. */
export const signInInput = z.object({
  email,
  password,
  next: nextPath,
})

/** Sign-out asks nothing. */
export const signOutInput = z.unknown()

/** The form that requests an e-mail with a link to set a new password. */
export const recoveryInput = z.object({ email })

// A malformed code is refused like a forged one, so it needs no message of its own.
const oobCode = z.preprocess(
  (sent) => (typeof sent === 'string' && sent.length <= 200 ? sent.trim() : ''),
  z.string(),
)

/** The code of an e-mail's link, named as in the specification's sign-in service. */
export const codeInput = z.object({ oobCode })

/** The form behind an e-mail's link: the new password. */
export const newPasswordInput = z.object({ oobCode, password: newPassword })

/** The forms that verify an e-mail address without a session of its account: by the current password, or by a new one. */
export const proveBySignInInput = z.object({ oobCode, password })

/** The form of /completion. */
export const completionInput = z.object({
  name: personName('Escribe tu nombre.'),
  lastname: personName('Escribe tus apellidos.'),
  phone: requiredPhone,
})

export type SignUp = z.output<typeof signUpInput>
export type SignIn = z.output<typeof signInInput>
export type Recovery = z.output<typeof recoveryInput>
export type NewPassword = z.output<typeof newPasswordInput>
