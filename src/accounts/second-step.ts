import { createHmac, randomBytes } from 'node:crypto'
import { passkey } from '@better-auth/passkey'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api'
import { deleteSessionCookie, expireCookie } from 'better-auth/cookies'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Db } from '../platform/database/client.ts'
import { Refusal } from '../shared/refusal.ts'
import { countTry, spendTotpCode } from './limits.ts'
import { notePhoneCode, provedPhone, type SendPhoneCode } from './phone-code.ts'
import { isByPasskey, passkeysOf } from './providers.ts'
import { deviceInWords, phoneCodeMinutes } from './rules/sessions.ts'

/** Seconds between the password and the code. */
const challengeSeconds = 600
const challengeCookie = 'two_factor'

/** Paths of the library's plugin that this product implements itself or does not offer. */
export const unusedTwoFactorPaths = [
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]

export const phoneCodePaths = { send: '/two-factor/send-otp', verify: '/two-factor/verify-otp' }

type Options = { secret: string; sendCode?: SendPhoneCode }
type PhoneOf = (userId: string) => Promise<string | null>

type Hook = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * The second step of a sign-in: the library's own, and what it leaves open. Tries count for the account, over all
 * challenges; a code works once; a user who signs in by the provider is asked too; a passkey of the account answers it,
 * and a code sent to a customer's proved phone.
 */
export function secondStep(db: Db, { secret, sendCode }: Options) {
  const phoneOf: PhoneOf = async (userId) => (sendCode ? provedPhone(db, userId, new Date()) : null)
  const library = twoFactor({
    twoFactorTable: 'twoFactors',
    twoFactorCookieMaxAge: challengeSeconds,
    accountLockout: { maxFailedAttempts: 10, durationSeconds: 15 * 60 },
    otpOptions: {
      period: phoneCodeMinutes,
      // With a key: a plain hash of six digits is reversed at once.
      storeOTP: { hash: async (code) => createHmac('sha256', secret).update(`phone ${code}`).digest('hex') },
      sendOTP: async ({ user, otp }) => sendCode?.(user.id, otp),
    },
  })
  const ours = {
    id: 'second-step',
    endpoints: {
      secondStepWays: createAuthEndpoint(secondStepWaysPath, { method: 'GET' }, async (ctx) =>
        ctx.json(await waysFor(db, phoneOf, (await halfSigned(ctx))?.userId)),
      ),
    },
    hooks: {
      before: [
        {
          matcher: ({ path }) => path?.startsWith('/two-factor/verify-') ?? false,
          handler: createAuthMiddleware((ctx) => countForAccount(db, ctx)),
        },
        {
          matcher: ({ path }) => Object.values(phoneCodePaths).includes(path ?? ''),
          handler: createAuthMiddleware((ctx) => assertProvedPhone(db, phoneOf, ctx)),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware((ctx) => refuseSecondUse(db, ctx)),
        },
        {
          matcher: ({ path }) => path === phoneCodePaths.verify,
          handler: createAuthMiddleware(async ({ context: { newSession } }) => {
            if (newSession) await notePhoneCode(db, newSession.user.id)
          }),
        },
        {
          matcher: ({ path }) => path?.startsWith('/callback/') ?? false,
          handler: createAuthMiddleware(askAfterProvider),
        },
        {
          matcher: ({ path }) => path === '/passkey/verify-authentication',
          handler: createAuthMiddleware(answerByPasskey),
        },
      ],
    },
  } satisfies BetterAuthPlugin
  return [library, ours]
}

export const secondStepWaysPath = '/second-step/ways'

/** By what the user who gave the password may answer; of a proved phone, its last two digits. */
export type SecondStepWays = { app: boolean; passkey: boolean; phone: string | null }

async function waysFor(db: Db, phoneOf: PhoneOf, userId = ''): Promise<SecondStepWays> {
  if (!userId) return { app: true, passkey: false, phone: null }
  const held = await passkeysOf(db, userId)
  const phone = (await phoneOf(userId))?.slice(-2) ?? null
  return { app: !(await isByPasskey(db, userId)), passkey: held.length > 0, phone }
}

const challenge = /(?:^|;\s*)((?:__Host-)?carga\.two_factor)=[^;]+/

/** Whether a browser is between the password and the code. */
export const isHalfSigned = (cookies: string | null) => challenge.test(cookies ?? '')

/** Removes the unfinished sign-in from the browser. */
export function forgetChallenge(cookies: string | null, headers: Headers): void {
  const name = challenge.exec(cookies ?? '')?.[1]
  if (!name) return
  const secure = name.startsWith('__Host-') ? '; Secure' : ''
  headers.append('set-cookie', `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure}`)
}

/** The user whom a browser's challenge is about: the password was right. */
async function halfSigned(ctx: Pick<Hook, 'context' | 'getSignedCookie'>) {
  const { name } = ctx.context.createAuthCookie(challengeCookie)
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  const half = challenge && (await ctx.context.internalAdapter.findVerificationValue(challenge))
  return half && half.expiresAt > new Date() ? { challenge, userId: half.value } : null
}

async function countForAccount(db: Db, ctx: Hook) {
  const half = await halfSigned(ctx)
  if (!half) return
  await countTry(db, 'second step by account', half.userId, new Date()).catch(tooMany)
  // The secret of a second factor by passkey is shown to no user: a code is a guess.
  if (ctx.path === '/two-factor/verify-totp' && (await isByPasskey(db, half.userId)))
    throw new APIError('BAD_REQUEST', { code: 'INVALID_CODE', message: 'no authenticator' })
}

function tooMany(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_TRIES', message: error.description })
}

/** A code is sent, and taken, only between the password and the session: the library would go on with an open one. */
async function assertProvedPhone(db: Db, phoneOf: PhoneOf, ctx: Hook) {
  const half = await halfSigned(ctx)
  if (!half)
    throw new APIError('UNAUTHORIZED', { code: 'INVALID_TWO_FACTOR_COOKIE', message: 'no challenge' })
  const phone = await phoneOf(half.userId)
  if (!phone) throw new APIError('BAD_REQUEST', { code: 'NO_PROVED_PHONE', message: 'no proved phone' })
  if (ctx.path !== phoneCodePaths.send) return
  await countTry(db, 'phone codes by account', half.userId, new Date()).catch(tooMany)
  await countTry(db, 'phone codes by number', phone, new Date()).catch(tooMany)
}

/**
 * The library accepts a code again as long as it fits: the session that a second use opened is closed before its
 * cookies are sent.
 */
async function refuseSecondUse(db: Db, ctx: Hook) {
  const fresh = ctx.context.newSession
  if (!fresh || (await spendTotpCode(db, fresh.user.id, ctx.body.code, new Date()))) return
  await forget(ctx, fresh.session.token)
  throw new APIError('BAD_REQUEST', { code: 'CODE_USED', message: 'code used' })
}

/** A passkey signs in by itself; between the password and the second step only one of the same account does. */
async function answerByPasskey(ctx: Hook) {
  const fresh = ctx.context.newSession
  const half = fresh && (await halfSigned(ctx))
  if (!half) return
  if (half.userId !== fresh.user.id) {
    await forget(ctx, fresh.session.token)
    throw new APIError('BAD_REQUEST', { code: 'PASSKEY_OF_ANOTHER', message: 'passkey of another account' })
  }
  await ctx.context.internalAdapter.deleteVerificationByIdentifier(half.challenge)
  expireCookie(ctx, ctx.context.createAuthCookie(challengeCookie))
}

/** The library asks for the second step after a password only. Here a sign-in by the provider asks for it, too. */
async function askAfterProvider(ctx: Hook) {
  const fresh = ctx.context.newSession
  if (!fresh?.user.twoFactorEnabled) return
  const next = (ctx.context.returned as { headers?: Headers } | undefined)?.headers?.get?.('location')
  await forget(ctx, fresh.session.token)
  const cookie = ctx.context.createAuthCookie(challengeCookie, { maxAge: challengeSeconds })
  const challenge = `2fa-${randomBytes(15).toString('base64url')}`
  const expiresAt = new Date(Date.now() + challengeSeconds * 1000)
  const remember = (identifier: string, value: string) =>
    ctx.context.internalAdapter.createVerificationValue({ identifier, value, expiresAt })
  await remember(challenge, fresh.user.id)
  await remember(`2fa-attempts-${challenge}`, '0')
  await ctx.setSignedCookie(cookie.name, challenge, ctx.context.secret, cookie.attributes)
  throw ctx.redirect(`/signin?next=${encodeURIComponent(pathOf(next))}`)
}

async function forget(ctx: Hook, token: string) {
  deleteSessionCookie(ctx, true)
  await ctx.context.internalAdapter.deleteSession(token)
  ctx.context.setNewSession(null)
}

/** The path that the provider's answer redirects to, without its origin: /signin takes only paths of our own. */
function pathOf(location: string | null | undefined): string {
  if (!location || !URL.canParse(location, 'http://here.invalid')) return '/'
  const { pathname, search } = new URL(location, 'http://here.invalid')
  return pathname + search
}

/**
 * Passkeys: the library's own. Each is found by its browser without a name, and has to verify its user (finger, face,
 * PIN), so that it proves both factors.
 */
export function passkeySignIn(baseUrl: string) {
  return passkey({
    origin: new URL(baseUrl).origin,
    schema: { passkey: { modelName: 'passkeys' } },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ ctx, verification }) => {
        assertUserVerified(verification.registrationInfo)
        return { name: deviceInWords(ctx.headers?.get('user-agent') ?? null) }
      },
    },
    authentication: {
      afterVerification: ({ verification }) => assertUserVerified(verification.authenticationInfo),
    },
  })
}

function assertUserVerified(info: { userVerified: boolean } | undefined): void {
  if (!info?.userVerified)
    throw new APIError('BAD_REQUEST', { code: 'AUTHENTICATION_FAILED', message: 'user not verified' })
}
