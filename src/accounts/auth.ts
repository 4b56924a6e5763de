import { createHmac } from 'node:crypto'
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError } from 'better-auth/api'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { desc, eq, inArray } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import type { Db } from '../platform/database/client.ts'
import {
  accounts,
  consents,
  passkeys,
  sessions,
  twoFactors,
  users,
  verifications,
} from '../platform/database/schema/accounts.ts'
import { agencies, events } from '../platform/database/schema/projects.ts'
import { log } from '../platform/telemetry/log.ts'
import { epochSeconds } from '../shared/calendar.ts'
import { noteTry } from './limits.ts'
import { tellOfLink } from './linked-providers.ts'
import { hashedPassword, isFirebase, isPassword } from './password.ts'
import type { SendPhoneCode } from './phone-code.ts'
import { sessionLimits } from './rules/sessions.ts'
import { passkeySignIn, secondStep, unusedTwoFactorPaths } from './second-step.ts'
import { cookiePrefix, type KnownBrowser } from './session.ts'

/**
 * Whether the typed password matches the stored hash. A hash imported from Firebase is then replaced by one of ours.
 */
async function isPasswordRenewed(db: Db, { hash, password }: { hash: string; password: string }) {
  const right = await isPassword({ hash, password })
  if (right && isFirebase(hash)) {
    const renewed = await hashedPassword(password)
    // The hash is unique, since it has its own salt; a user who changed their password meanwhile keeps the new one.
    await db
      .update(accounts)
      .set({ password: renewed, updatedAt: new Date() })
      .where(eq(accounts.password, hash))
  }
  return right
}

export type Auth = ReturnType<typeof createAuth>
const authPath = '/session'
const clientAddressHeader = 'x-real-ip'

const day = 24 * 60 * 60

/** An issuer that signs people in, and our path that receives a failed answer. */
type Issuer = { plugin: BetterAuthPlugin; failedPath: string }

type Options = {
  secret: string
  baseUrl: string
  brand: string
  termsVersion: string
  provider?: Issuer
  sendCode?: SendPhoneCode
}

/** Passwords and sessions, on our own tables. */
export function createAuth(db: Db, options: Options) {
  const { baseUrl, brand, provider, secret, termsVersion } = options
  return betterAuth({
    appName: brand,
    baseURL: baseUrl,
    basePath: authPath,
    secret,
    trustedOrigins: [baseUrl],
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { users, sessions, accounts, verifications, twoFactors, passkeys },
      transaction: true,
    }),
    ...models,
    advanced: cookiesAndAddress(baseUrl),
    // Our own limits count in the operations: by address and by account, and their messages state how long to wait.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      autoSignIn: true,
      password: { hash: hashedPassword, verify: (typed) => isPasswordRenewed(db, typed) },
    },
    databaseHooks: hooks(db, termsVersion),
    plugins: [...secondStep(db, options), passkeySignIn(baseUrl), ...(provider ? [provider.plugin] : [])],
    ...(provider && { onAPIError: { errorURL: baseUrl + provider.failedPath } }),
    disabledPaths,
    telemetry: { enabled: false },
    logger: {
      log: (level, message) =>
        log[message.startsWith('Failed to verify') ? 'warn' : levels[level]]({ part: 'sign-in' }, message),
    },
  })
}

/** An answer of a passkey that does not fit is no fault of ours; the library says "Failed to verify". */
const levels = { error: 'error', warn: 'warn', info: 'debug', debug: 'debug' } as const

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
  // Who may add a passkey, this product decides itself (passkeys.ts).
  session: { modelName: 'sessions', expiresIn: 30 * day, updateAge: day, freshAge: 0 },
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
  '/passkey/list-user-passkeys',
  '/passkey/delete-passkey',
  '/passkey/update-passkey',
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
          await noteTry(db, 'opened')
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
    session: {
      create: {
        before: async (session) => {
          await refuseInactive(db, session.userId)
          return { data: { ...session, userAgent: session.userAgent?.slice(0, longestUserAgent) } }
        },
        after: async ({ userId }) => endUnused(db, userId),
      },
    },
  }) satisfies BetterAuthOptions['databaseHooks']

const longestUserAgent = 300
const mostSessions = 50

/** Ends the least used sessions beyond the most that a user may have. */
async function endUnused(db: Db, userId: string) {
  const least = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt))
    .offset(mostSessions)
  await db.delete(sessions).where(inArray(sessions.id, least))
}

/** The library demands a name at sign-up; the specification wants it null until the profile is completed. */
const newUser = <User extends { name: string }>(user: User, termsVersion: string) => ({
  ...user,
  name: null as unknown as string,
  // No user's picture is asked for or shown.
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
  // At sign-up the account is not committed yet, so this query does not see it; it begins active.
  if (user && !user.active)
    throw new APIError('FORBIDDEN', { code: 'USER_DISABLED', message: 'user disabled' })
  if (user?.agencyActive === false)
    throw new APIError('FORBIDDEN', { code: 'AGENCY_DISABLED', message: 'agency disabled' })
}

type Origin = { baseUrl: string; address: string; headers: Headers }

export type AskAuth = ReturnType<typeof askAuth>

/** Calls the sign-in library as a browser would; answers its response with cookies. */
export function askAuth(auth: Auth, { baseUrl, address, headers: given }: Origin) {
  const headers = (extra: Record<string, string> = {}, sent = ['cookie', 'user-agent']) => {
    const own = new Headers({ origin: baseUrl, [clientAddressHeader]: address, ...extra })
    for (const name of sent) if (given.has(name)) own.set(name, given.get(name) as string)
    return own
  }
  return {
    post: (path: string, body: object): Promise<Response> =>
      auth.handler(
        new Request(`${baseUrl}${authPath}${path}`, {
          method: 'POST',
          headers: headers({ 'content-type': 'application/json' }),
          body: JSON.stringify(body),
        }),
      ),
    get: (path: string): Promise<Response> =>
      auth.handler(new Request(`${baseUrl}${authPath}${path}`, { headers: headers() })),
    /** Without the browser's cookies: the library deletes a session that has ended, also one set aside to be given back. */
    getAsStranger: (path: string): Promise<Response> =>
      auth.handler(new Request(`${baseUrl}${authPath}${path}`, { headers: headers({}, []) })),
    /** The cookies that extend a session; the library decides whether it is due. */
    async refreshed(): Promise<string[]> {
      const answer = await auth.handler(
        new Request(`${baseUrl}${authPath}/get-session`, { headers: headers() }),
      )
      return answer.headers.getSetCookie()
    },
    /** A text encrypted under the library's key, as the library stores secrets. */
    sealed: async (data: string): Promise<string> =>
      symmetricEncrypt({ key: (await auth.$context).secretConfig, data }),
    unsealed: async (data: string): Promise<string> =>
      symmetricDecrypt({ key: (await auth.$context).secretConfig, data }),
  }
}

/** The key of ID tokens: derived from the sessions' secret, but useless for forging a session. */
export const idTokenKey = (secret: string) => createHmac('sha256', secret).update('id-token').digest()

type Issue = {
  secret: string
  baseUrl: string
  actor: Pick<Actor, 'id' | 'email' | 'emailVerified'>
  issuedAt: Date
}

/**
 * The ID token for an adjacent program: a JWT (HS256) issued at the session's start or last renewal, valid as long as
 * it may be synced. Null once it is older.
 */
export function idToken({ secret, baseUrl, actor, issuedAt }: Issue, now: Date): string | null {
  const iat = epochSeconds(issuedAt)
  const exp = iat + sessionLimits.tokenSyncSeconds
  if (epochSeconds(now) >= exp) return null
  const { id: sub, email, emailVerified: email_verified } = actor
  const claims = { iss: baseUrl, aud: baseUrl, sub, email, email_verified, iat, exp }
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encoded).join('.')
  return `${text}.${createHmac('sha256', idTokenKey(secret)).update(text).digest('base64url')}`
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The caller of a sign-in operation: from where and when, and the services it uses. */
export type OperationCaller = {
  db: Db
  ask: AskAuth
  /** The network address that limits count by. */
  address: string
  /** The user who is already signed in, if any. */
  actor: Actor | null
  sessionId: string | null
  /** Whether this browser is known to an e-mail. */
  known: KnownBrowser
  /** The version of the terms and the privacy notice in force. */
  termsVersion: string
  now: Date
}

/** The result of an operation: its value, and the answer's cookies, which scripts must not read. */
export type Done<T> = { value: T; headers?: Headers }
