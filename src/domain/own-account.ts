import { z } from 'zod'
import { completionInput, email as newEmail, newPassword, nextPath, password } from './account.ts'
import { seenVersion } from './seen-version.ts'
import { ticked } from './text.ts'
import { tidy } from './tidy.ts'

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

const profile = completionInput.extend({ intent: z.literal('profile'), version: seenVersion })
const changePassword = z.object({
  intent: z.literal('password'),
  currentPassword: password,
  newPassword,
})
const sendPasswordLetter = z.object({ intent: z.literal('password-letter') })
const closeSession = z.object({
  intent: z.literal('close-session'),
  sessionId: z.uuid('Esa sesión ya no existe.'),
})
const closeOthers = z.object({ intent: z.literal('close-others') })
const changeEmail = z.object({ intent: z.literal('email'), email: newEmail, currentPassword: password })
const cancelEmail = z.object({ intent: z.literal('cancel-email') })
const unlinkProvider = z.object({
  intent: z.literal('unlink-provider'),
  linkId: z.uuid('Esa forma de entrar ya no está.'),
})
const makeCalendarLink = z.object({ intent: z.literal('calendar-link') })
const removeCalendarLink = z.object({ intent: z.literal('calendar-unlink') })
const everybodys = [
  profile,
  changePassword,
  sendPasswordLetter,
  closeSession,
  closeOthers,
  changeEmail,
  cancelEmail,
  unlinkProvider,
  makeCalendarLink,
  removeCalendarLink,
] as const

/** Every form of /admin/account, by `intent`. */
export const staffAccountInput = z.discriminatedUnion('intent', [
  ...everybodys,
  z.object({ intent: z.literal('second-factor-start'), currentPassword: password }),
  z.object({ intent: z.literal('second-factor-confirm'), code: totpCode }),
  z.object({ intent: z.literal('second-factor-codes'), currentPassword: password, code: anyCode }),
  z.object({ intent: z.literal('second-factor-off'), currentPassword: password, code: anyCode }),
])

/** Every form of "Mi cuenta". */
export const customerAccountInput = z.discriminatedUnion('intent', [
  ...everybodys,
  z.object({ intent: z.literal('notices'), version: seenVersion, whatsapp: ticked, news: ticked }),
  z.object({ intent: z.literal('delete'), currentPassword: password }),
  z.object({ intent: z.literal('keep') }),
])

/** The two forms of the second step at /signin. */
export const secondStepInput = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('totp-code'), code: totpCode, next: nextPath }),
  z.object({ intent: z.literal('recovery-code'), recoveryCode, next: nextPath }),
])

export type EveryonesForm = z.output<(typeof everybodys)[number]>
export type StaffForm = z.output<typeof staffAccountInput>
export type CustomerForm = z.output<typeof customerAccountInput>
export type Notices = Extract<CustomerForm, { intent: 'notices' }>
export type Profile = z.output<typeof profile>
export type PasswordChange = z.output<typeof changePassword>
