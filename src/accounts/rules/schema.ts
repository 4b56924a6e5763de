import { z } from 'zod'
import type { NewsKind } from '../../notifications/rules/push.ts'
import {
  hasEmoji,
  requiredPhone,
  requiredText,
  seenVersion,
  staleForm,
  ticked,
  withoutEmojis,
} from '../../shared/schema.ts'
import { lengthOf, tidy } from '../../shared/text.ts'

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
const exactly = (typed: unknown) => (typeof typed === 'string' ? typed : '')
const isBrief = (typed: string) => lengthOf(typed) <= 64
const tooLong = 'Usa como máximo 64 caracteres.'
export const password = z.preprocess(
  exactly,
  z.string().min(1, { error: 'Escribe tu contraseña.', abort: true }).refine(isBrief, tooLong),
)
/** The same where a user may have none: a sign-in of minutes ago then replaces it. */
const passwordIfAny = z.preprocess(exactly, z.string().refine(isBrief, tooLong))

const newPassword = password.refine((typed) => lengthOf(typed) >= 8, 'Usa al menos 8 caracteres.')

// Any origin works here: it only shows whether the address stays on its own site.
const here = 'http://here.invalid'

/** A same-site path to open after signing in, or null when it leads to another site. */
function ownPath(typed: unknown): string | null {
  if (typeof typed !== 'string' || !typed.startsWith('/') || !URL.canParse(typed, here)) return null
  const { origin, pathname, search, hash } = new URL(typed, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : null
}

/** The page that the user wanted before sign-in was required. */
export const nextPath = z.preprocess(ownPath, z.string().nullable())

/** The form by which a user accepts a newer text of the terms: the text that the form showed. */
export const newTermsInput = z.object({ terms: requiredText(staleForm, 60) })

/** A name or last name; the message for a blank one depends on whose it is. */
export const personName = (blank: string) =>
  requiredText(blank, 80)
    .refine((name) => /\p{L}/u.test(name), 'Escribe al menos una letra.')
    .refine((name) => !hasEmoji(name), withoutEmojis)

/**
 * What the provider's button sends: the next path, and the window's own name for this attempt; a full page has no name.
 */
export const providerStartInput = z.object({
  next: nextPath,
  attempt: z
    .string()
    .regex(/^[\w-]{8,40}$/)
    .nullable()
    .catch(null),
})

/** The form of /signup. */
export const signUpInput = z.object({ email, password: newPassword })

/** The form of /signin; `next` is the path to return to, kept only when it is same-site. */
export const signInInput = z.object({
  email,
  password,
  next: nextPath,
})

/** Sign-out takes no input. */
export const signOutInput = z.unknown()

/** The form that requests an e-mail with a link to set a new password. */
export const recoveryInput = z.object({ email })

// A malformed code is refused like a forged one, so it needs no message of its own.
const oobCode = z.preprocess(
  (sent) => (typeof sent === 'string' && sent.length <= 200 ? sent.trim() : ''),
  z.string(),
)

/** The code of an e-mail's link, named as in the specification's sign-in service. */
export const actionCodeInput = z.object({ oobCode })

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

/** The forms of /recover-password, where the letters' links lead, by their intent. */
export const recoverInput = {
  ask: recoveryInput,
  password: newPasswordInput,
  prove: actionCodeInput,
  'prove-by-password': proveBySignInInput,
  'prove-by-new': newPasswordInput,
  disown: actionCodeInput,
  resend: actionCodeInput,
  'change-email': actionCodeInput,
  'change-email-new': newPasswordInput,
  'object-email': newPasswordInput,
}

export type SignUp = z.output<typeof signUpInput>
export type SignIn = z.output<typeof signInInput>
export type Recovery = z.output<typeof recoveryInput>
export type NewPassword = z.output<typeof newPasswordInput>

/** Days between the request to delete an account and its deletion. */
export const deletionWaitDays = 5

/**
 * Days that a deleted account's data stay blocked before suppression: kept apart and used only to answer for what was
 * done, for as long as a customer may still complain about the service.
 */
export const blockedDays = 365
/** The same, as its owner reads it. */
export const blockedFor = '1 año'

/** The e-mail that replaces the own one of a deleted account: a domain that no mail server ever accepts (RFC 2606). */
export const nobodysEmail = (id: string) => `${id}@eliminada.invalid`

/** When the data of an account blocked at this moment are suppressed. */
export const suppressionDue = (blockedAt: Date) =>
  new Date(blockedAt.getTime() + blockedDays * 24 * 60 * 60 * 1000)

/** When an account whose deletion was requested at this moment is deleted. */
export const deletionDue = (requestedAt: Date) =>
  new Date(requestedAt.getTime() + deletionWaitDays * 24 * 60 * 60 * 1000)

/** A code of the authenticator: six digits, however they were spaced. */
const totpCode = z.preprocess(
  (typed) => tidy(typed).replace(/[\s-]/g, ''),
  z
    .string()
    .min(1, { error: 'Escribe el código.', abort: true })
    .regex(/^\d{6}$/, 'El código tiene 6 dígitos.'),
)

/** A recovery code as stored: lower case, in two groups. */
const recoveryCode = z.preprocess(
  (typed) =>
    tidy(typed)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .replace(/^(.{6})(.{6})$/, '$1-$2'),
  z
    .string()
    .min(1, { error: 'Escribe un código de recuperación.', abort: true })
    .regex(/^.{6}-.{6}$/, 'Un código de recuperación tiene 12 letras y números.'),
)

/** A TOTP code or a recovery code; blank where a sign-in of minutes ago may replace it. */
const anyCode = z.union(
  [z.preprocess((typed) => tidy(typed), z.literal('')), totpCode, recoveryCode],
  'Escribe el código de 6 dígitos o uno de recuperación.',
)

/** What a browser's dialog of passkeys gave, as JSON text; the sign-in library reads the rest. */
const credential = z.preprocess(
  parsed,
  z.looseObject(
    {
      id: z.string().min(1).max(1400),
      response: z.looseObject({ attestationObject: z.string().optional() }),
    },
    staleForm,
  ),
)

function parsed(sent: unknown): unknown {
  try {
    return typeof sent === 'string' && sent.length <= 16_000 ? JSON.parse(sent) : null
  } catch {
    return null
  }
}

/** The answer of a passkey that signs in. */
export const passkeyInput = z.object({ credential })

const profile = completionInput.extend({ version: seenVersion })
const changePassword = z.object({ currentPassword: password, newPassword })
const empty = z.object({})
const typedPassword = z.object({ currentPassword: password })
const proved = z.object({ currentPassword: password, code: anyCode })
const notices = z.object({ version: seenVersion, whatsapp: ticked, news: ticked })

/** What a browser gives to be written to; the lengths are those of RFC 8291. */
const subscription = z.object({
  endpoint: z.url({ protocol: /^https?$/, error: staleForm }).max(2000, staleForm),
  p256dh: z.string(staleForm).regex(/^[\w-]{87}$/, staleForm),
  auth: z.string(staleForm).regex(/^[\w-]{22}$/, staleForm),
})

const newsChoice = z.object({
  appointments: ticked,
  quotes: ticked,
  payments: ticked,
  procedures: ticked,
  agenda: ticked,
  pending: ticked,
} satisfies Record<NewsKind, typeof ticked>)

/** The forms that /admin/account and "Mi cuenta" share, by their intent. */
export const accountInput = {
  profile,
  password: changePassword,
  'password-letter': empty,
  'close-session': z.object({ sessionId: z.uuid('Esa sesión ya no existe.') }),
  'close-others': empty,
  email: z.object({ email: email, currentPassword: password }),
  'cancel-email': empty,
  'second-factor-start': typedPassword,
  'second-factor-confirm': z.object({ code: totpCode }),
  'second-factor-passkey': typedPassword,
  'second-factor-codes': proved,
  'second-factor-off': proved,
  'passkey-start': z.object({ currentPassword: passwordIfAny, code: anyCode }),
  'passkey-add': passkeyInput,
  'passkey-remove': z.object({
    passkeyId: z.uuid('Esa llave ya no está.'),
    currentPassword: passwordIfAny,
  }),
  'unlink-provider': z.object({
    linkId: z.uuid('Esa forma de entrar ya no está.'),
    currentPassword: passwordIfAny,
  }),
  keys: z.object({ singleKeys: ticked }),
  contrast: z.object({ high: ticked }),
  'calendar-link': empty,
  'calendar-unlink': empty,
  'news-on': subscription,
  'news-off': empty,
  'news-kinds': newsChoice,
}

/** The additional forms of "Mi cuenta". */
export const customerAccountInput = { notices, delete: typedPassword, keep: empty }

/** The forms of the second step at /signin, by their intent. */
export const secondStepInput = {
  'totp-code': z.object({ code: totpCode, next: nextPath }),
  'recovery-code': z.object({ recoveryCode, next: nextPath }),
  'send-phone-code': z.object({ next: nextPath }),
  'phone-code': z.object({ phoneCode: totpCode, next: nextPath }),
  'start-over': empty,
}

export type Notices = z.output<typeof notices>
export type ProfileForm = z.output<typeof profile>
export type PasswordChange = z.output<typeof changePassword>

/** The database refuses shorter ones. */
const shortestReason = 10

/** The manager's form that opens the blocked data of a deleted account. */
export const openBlockedInput = z.object({
  customerId: z.uuid('Este formulario ya no sirve. Vuelve a abrir la página.'),
  reason: requiredText('Escribe para qué la abres.', 500).refine(
    (text) => lengthOf(text) >= shortestReason,
    `Escribe el motivo con al menos ${shortestReason} letras: queda registrado.`,
  ),
})
export type OpenBlocked = z.output<typeof openBlockedInput>

/** What an act of the manager's desk of security is about: a person's id, or a network. */
export const deskInput = z.object({ about: z.union([z.uuid(), z.ipv4(), z.cidrv6()], staleForm) })
