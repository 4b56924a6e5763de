import { randomBytes } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware } from 'better-auth/api'
import { deleteSessionCookie } from 'better-auth/cookies'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { Refusal } from '../../domain/shared/refusal.ts'
import type { Db } from '../platform/database/database.ts'
import { countTry } from './limits.ts'
import { spendTotpCode } from './used-codes.ts'

/** Seconds between the password and the code. */
const challengeSeconds = 600
const challengeCookie = 'two_factor'

/** Addresses of the library's plugin that this product does itself or does not offer. */
export const unusedTwoFactorPaths = [
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
]

type Hook = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * The second step of a sign-in: the library's own, and what it leaves open. Tries count for the account, over all
 * challenges; a code serves once; and whoever comes by the provider is asked too.
 */
export function secondStep(db: Db) {
  const library = twoFactor({
    twoFactorTable: 'twoFactors',
    twoFactorCookieMaxAge: challengeSeconds,
    accountLockout: { maxFailedAttempts: 10, durationSeconds: 15 * 60 },
  })
  const ours = {
    id: 'second-step',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path?.startsWith('/two-factor/verify-') ?? false,
          handler: createAuthMiddleware((ctx) => countForAccount(db, ctx)),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware((ctx) => refuseSecondUse(db, ctx)),
        },
        {
          matcher: ({ path }) => path?.startsWith('/callback/') ?? false,
          handler: createAuthMiddleware(askAfterProvider),
        },
      ],
    },
  } satisfies BetterAuthPlugin
  return [library, ours]
}

async function countForAccount(db: Db, ctx: Hook) {
  const { name } = ctx.context.createAuthCookie(challengeCookie)
  const challenge = await ctx.getSignedCookie(name, ctx.context.secret)
  const half = challenge && (await ctx.context.internalAdapter.findVerificationValue(challenge))
  if (!half) return
  await countTry(db, 'second step by account', half.value, new Date()).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw new APIError('TOO_MANY_REQUESTS', { code: 'TOO_MANY_TRIES', message: error.description })
  })
}

/** The library takes a code again as long as it fits: the session that a second use opened is closed before anybody hears of it. */
async function refuseSecondUse(db: Db, ctx: Hook) {
  const fresh = ctx.context.newSession
  if (!fresh || (await spendTotpCode(db, fresh.user.id, ctx.body.code, new Date()))) return
  await forget(ctx, fresh.session.token)
  throw new APIError('BAD_REQUEST', { code: 'CODE_USED', message: 'code used' })
}

/** The library asks for the second step after a password only. Here the provider's word counts as much as a password. */
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

/** Where the provider's answer was going, without its origin: /signin takes only paths of our own. */
function pathOf(location: string | null | undefined): string {
  if (!location || !URL.canParse(location, 'http://here.invalid')) return '/'
  const { pathname, search } = new URL(location, 'http://here.invalid')
  return pathname + search
}
