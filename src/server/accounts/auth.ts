import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError } from 'better-auth/api'
import { eq } from 'drizzle-orm'
import { sessionLimits } from '../../domain/accounts/sessions.ts'
import { log } from '../app/log.ts'
import type { Db } from '../platform/database/database.ts'
import {
  accounts,
  sessions,
  twoFactors,
  users,
  verifications,
} from '../platform/database/schema/account-schema.ts'
import { agencies, events } from '../platform/database/schema/office-schema.ts'
import { consents } from '../platform/database/schema/privacy-schema.ts'
import { hashedPassword } from './hashing.ts'
import { tellOfLink } from './providers.ts'
import { isPasswordRenewed } from './renew-password.ts'
import { secondStep, unusedTwoFactorPaths } from './second-factor-plugin.ts'
import { cookiePrefix } from './session.ts'

export type Auth = ReturnType<typeof createAuth>
export const authPath = '/session'
export const clientAddressHeader = 'x-real-ip'

const day = 24 * 60 * 60

/** An issuer that signs people in, and the address of ours that hears of what went wrong with its answer. */
type Issuer = { plugin: BetterAuthPlugin; failedPath: string }

type Options = { secret: string; baseUrl: string; termsVersion: string; provider?: Issuer }

/** Passwords and sessions, on our own tables. */
export function createAuth(db: Db, { secret, baseUrl, termsVersion, provider }: Options) {
  return betterAuth({
    baseURL: baseUrl,
    basePath: authPath,
    secret,
    trustedOrigins: [baseUrl],
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { users, sessions, accounts, verifications, twoFactors },
      transaction: true,
    }),
    ...models,
    advanced: cookiesAndAddress(baseUrl),
    // Our own limits count in the operations: by address and by account, and in words that say how long to wait.
    rateLimit: { enabled: false },
    emailAndPassword: {
      ...{ enabled: true, minPasswordLength: 8, maxPasswordLength: 128, autoSignIn: true },
      password: { hash: hashedPassword, verify: (typed) => isPasswordRenewed(db, typed) },
    },
    databaseHooks: hooks(db, termsVersion),
    plugins: [...secondStep(db), ...(provider ? [provider.plugin] : [])],
    ...(provider && { onAPIError: { errorURL: baseUrl + provider.failedPath } }),
    disabledPaths,
    telemetry: { enabled: false },
    logger: {
      log: (level, message) =>
        log[level === 'error' ? 'error' : level === 'warn' ? 'warn' : 'debug']({ part: 'sign-in' }, message),
    },
  })
}

const models = {
  user: {
    modelName: 'users',
    additionalFields: {
      role: { type: 'string', input: false, required: false },
      kind: { type: 'string', input: false, required: false },
      active: { type: 'boolean', input: false, required: false },
      termsVersion: { type: 'string', input: false, required: false },
      termsAcceptedAt: { type: 'date', input: false, required: false },
    },
  },
  session: { modelName: 'sessions', expiresIn: 30 * day, updateAge: day },
  account: { modelName: 'accounts', encryptOAuthTokens: true },
  verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
} as const satisfies BetterAuthOptions

/** Only what this product uses is reachable. */
const disabledPaths = [
  '/update-user',
  '/change-email',
  '/delete-user',
  '/ok',
  '/error',
  ...unusedTwoFactorPaths,
]

const cookiesAndAddress = (baseUrl: string) =>
  ({
    database: { generateId: false },
    cookiePrefix: cookiePrefix(baseUrl),
    // The library's own prefix is the weaker __Secure-.
    useSecureCookies: false,
    defaultCookieAttributes: { secure: baseUrl.startsWith('https:') },
    // What a redirect's answer has to fit; the library would forget it after five minutes.
    cookies: { state: { attributes: { maxAge: sessionLimits.redirectAnswer / 1000 } } },
    ipAddress: { ipAddressHeaders: [clientAddressHeader] },
  }) satisfies BetterAuthOptions['advanced']

const hooks = (db: Db, termsVersion: string) =>
  ({
    user: {
      create: {
        before: async (user) => ({ data: newUser(user, termsVersion) }),
        after: async ({ id }) => {
          await db.insert(events).values({ entity: 'user', entityId: id, actorId: id, name: 'sign_up' })
          await db
            .insert(consents)
            .values({ userId: id, kind: 'terms', given: true, version: termsVersion, source: 'signup' })
        },
      },
    },
    account: {
      create: {
        after: async (account) => {
          if (account.providerId !== 'credential') await tellOfLink(db, account)
        },
      },
    },
    session: { create: { before: async (session) => refuseInactive(db, session.userId) } },
  }) satisfies BetterAuthOptions['databaseHooks']

/** The library demands a name at sign-up; the specification wants it null until the profile is completed. */
const newUser = <User extends { name: string }>(user: User, termsVersion: string) => ({
  ...user,
  name: null as unknown as string,
  // No picture of anybody's is asked for or shown.
  image: null,
  termsVersion,
  termsAcceptedAt: new Date(),
})

async function refuseInactive(db: Db, userId: string) {
  const [user] = await db
    .select({ active: users.active, agencyActive: agencies.active })
    .from(users)
    .leftJoin(agencies, eq(agencies.id, users.agencyId))
    .where(eq(users.id, userId))
  // At sign-up the account is not committed yet, so not seen from here; it begins active.
  if (user && !user.active)
    throw new APIError('FORBIDDEN', { code: 'USER_DISABLED', message: 'user disabled' })
  if (user?.agencyActive === false)
    throw new APIError('FORBIDDEN', { code: 'AGENCY_DISABLED', message: 'agency disabled' })
}
