import { z } from 'zod'
import { requiredPhone } from './phone.ts'
import { requiredText } from './text.ts'
import { lengthOf, tidy } from './tidy.ts'

/** An e-mail, in lower case. */
export const email = z.preprocess(
  (typed) => tidy(typed).toLowerCase(),
  z
    .string()
    .min(1, { error: 'Escribe tu correo electrónico.', abort: true })
    .max(254, { error: 'Ese correo es demasiado largo.', abort: true })
    .pipe(z.email('Escribe un correo válido, como nombre@correo.mx.')),
)

// A password is kept to the letter: spaces at its ends and odd characters are part of it.
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

/** A path of our own site to go to after signing in, or null when it would lead elsewhere. */
function ownPath(typed: unknown): string | null {
  if (typeof typed !== 'string' || !typed.startsWith('/') || !URL.canParse(typed, here)) return null
  const { origin, pathname, search, hash } = new URL(typed, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : null
}

/** Where a person was going before they had to sign in. */
export const nextPath = z.preprocess(ownPath, z.string().nullable())

/** A name or last name; what is said when it is left blank depends on whose it is. */
export const personName = (blank: string) =>
  requiredText(blank, 80).refine((name) => /\p{L}/u.test(name), 'Escribe al menos una letra.')

/** The form of /signup. */
export const signUpInput = z.object({ email, password: newPassword })

/** The form of /signin; `next` is where the person was going, kept only when it is ours. */
export const signInInput = z.object({
  email,
  password,
  next: nextPath,
})

/** Sign-out asks nothing. */
export const signOutInput = z.unknown()

/** The form that asks for a letter with a link to a new password. */
export const recoveryInput = z.object({ email })

// Whatever is no code of ours is refused as forged, in words, so it needs none here.
const oobCode = z.preprocess(
  (sent) => (typeof sent === 'string' && sent.length <= 200 ? sent.trim() : ''),
  z.string(),
)

/** The code of a letter's link, under the name that the specification's sign-in service gave it. */
export const codeInput = z.object({ oobCode })

/** The form behind a letter's link: the new password. */
export const newPasswordInput = z.object({ oobCode, password: newPassword })

/** The forms behind the letter that proves a mailbox, without a session of its account: by its password, or by a new one. */
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
