import { z } from 'zod'
import { seenVersion } from '../shared/seen-version.ts'
import { ticked } from '../shared/text.ts'
import { tidy } from '../shared/tidy.ts'
import { completionInput, email as newEmail, newPassword, nextPath, password } from './account.ts'

/** Days between the request to delete an account and its deletion. */
export const deletionWaitDays = 5

/**
 * Days that a deleted account's data stay blocked before they are suppressed: kept apart and used for nothing but to
 * answer for what was done, as long as a customer may still complain of the service.
 */
export const blockedDays = 365

/** What an account has instead of an e-mail once its own is not its any more: a name that no mail server will ever take (RFC 2606). */
export const nobodysEmail = (id: string) => `${id}@eliminada.invalid`

/** When the data of an account are suppressed that was blocked at this moment. */
export const suppressionDue = (blockedAt: Date) =>
  new Date(blockedAt.getTime() + blockedDays * 24 * 60 * 60 * 1000)

/** When an account is deleted that was asked for at this moment. */
export const deletionDue = (requestedAt: Date) =>
  new Date(requestedAt.getTime() + deletionWaitDays * 24 * 60 * 60 * 1000)

/** A code of the authenticator: six digits, however they were spaced. */
export const totpCode = z.preprocess(
  (typed) => tidy(typed).replace(/[\s-]/g, ''),
  z
    .string()
    .min(1, { error: 'Escribe el código.', abort: true })
    .regex(/^\d{6}$/, 'El código tiene 6 dígitos.'),
)

/** A recovery code as they are kept: lower case, in two groups. */
export const recoveryCode = z.preprocess(
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

/** Either of the two. */
const anyCode = z.union([totpCode, recoveryCode], 'Escribe el código de 6 dígitos o uno de recuperación.')

const profile = completionInput.extend({ version: seenVersion })
const changePassword = z.object({ currentPassword: password, newPassword })
const empty = z.object({})
const proved = z.object({ currentPassword: password, code: anyCode })
const notices = z.object({ version: seenVersion, whatsapp: ticked, news: ticked })

/** The forms that /admin/account and "Mi cuenta" share, by their intent. */
export const accountInput = {
  profile,
  password: changePassword,
  'password-letter': empty,
  'close-session': z.object({ sessionId: z.uuid('Esa sesión ya no existe.') }),
  'close-others': empty,
  email: z.object({ email: newEmail, currentPassword: password }),
  'cancel-email': empty,
  'unlink-provider': z.object({ linkId: z.uuid('Esa forma de entrar ya no está.') }),
  'calendar-link': empty,
  'calendar-unlink': empty,
}

/** The further forms of /admin/account. */
export const staffAccountInput = {
  'second-factor-start': z.object({ currentPassword: password }),
  'second-factor-confirm': z.object({ code: totpCode }),
  'second-factor-codes': proved,
  'second-factor-off': proved,
}

/** The further forms of "Mi cuenta". */
export const customerAccountInput = { notices, delete: z.object({ currentPassword: password }), keep: empty }

/** The two forms of the second step at /signin. */
export const secondStepInput = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('totp-code'), code: totpCode, next: nextPath }),
  z.object({ intent: z.literal('recovery-code'), recoveryCode, next: nextPath }),
])

export type Notices = z.output<typeof notices>
export type Profile = z.output<typeof profile>
export type PasswordChange = z.output<typeof changePassword>
