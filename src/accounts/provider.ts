import { AsyncLocalStorage } from 'node:async_hooks'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { eq } from 'drizzle-orm'
import { type Db, transaction } from '../platform/database/client.ts'
import { sessions } from '../platform/database/schema/accounts.ts'
import { ask, limited } from '../platform/external.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log } from '../platform/telemetry/log.ts'
import { withoutTail } from '../shared/text.ts'
import { type Auth, askAuth, createAuth, type OperationCaller } from './auth.ts'
import { cookiesOf } from './entry.ts'
import { countTry } from './limits.ts'
import { acceptTerms } from './privacy.ts'
import { readSession } from './session.ts'

type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  label: string
}
type Options = Parameters<typeof createAuth>[1]

/** The one provider's name, as in its return address and in `accounts`. */
export const providerId = 'oidc'

/** Where the library redirects an answer that it cannot attribute to an attempt. */
const failedPath = '/session/provider/done'

/** What a call to the issuer revealed besides the library's result. */
const noticed = new AsyncLocalStorage<{ clientRefused: boolean }>()

/**
 * The sign-in library with the issuer, whose metadata is read at first use and cached; null while it cannot be read or
 * names another issuer. A separate instance: an issuer that is down must not block sign-ins by password.
 */
function providerAuth(db: Db, options: Options, settings: ProviderSettings) {
  let opened: Promise<Auth | null> | undefined
  return async (): Promise<Auth | null> => {
    opened ??= open(db, options, settings)
    const auth = await opened
    if (!auth) opened = undefined
    return auth
  }
}

async function open(db: Db, options: Options, settings: ProviderSettings): Promise<Auth | null> {
  try {
    const address = `${plain(settings.issuer)}/.well-known/openid-configuration`
    const { body } = await ask('identity', { url: address })
    const { issuer } = JSON.parse(body) as { issuer?: unknown }
    if (typeof issuer !== 'string' || plain(issuer) !== plain(settings.issuer))
      throw new Error('the issuer names itself otherwise')
    const auth = createAuth(db, { ...options, provider: { plugin: plugin(address, settings), failedPath } })
    return (await noticesRefusal(auth)) ? auth : null
  } catch (err) {
    log.error({ err }, 'identity provider unavailable')
    return null
  }
}

const plain = (address: string) => withoutTail(address, '/')

const plugin = (discoveryUrl: string, { clientId, clientSecret }: ProviderSettings) =>
  genericOAuth({
    config: [
      {
        providerId,
        discoveryUrl,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        // The user enters their own name; only an explicit true says that the mailbox is verified.
        mapProfileToUser: ({ email_verified: verified }) => ({
          name: '',
          emailVerified: verified === true || verified === 'true',
        }),
      },
    ],
  })

/**
 * Has the library ask the issuer within our limits. It distinguishes a client that the issuer refuses from an invalid
 * code in its log only.
 */
async function noticesRefusal(auth: Auth): Promise<boolean> {
  const { socialProviders } = await auth.$context
  const provider = socialProviders.find(({ id }) => id === providerId)
  if (!provider) return false
  const { getUserInfo, validateAuthorizationCode } = provider
  provider.getUserInfo = (tokens) => limited('identity', () => getUserInfo(tokens))
  provider.validateAuthorizationCode = async (data) => {
    try {
      return await limited('identity', () => validateAuthorizationCode(data))
    } catch (error) {
      const found = noticed.getStore()
      const { status, error: code } = error as { status?: number; error?: string }
      if (found) found.clientRefused = status === 401 || code === 'invalid_client'
      throw error
    }
  }
  return true
}

/** Where an attempt returns to: a page of ours, or, in its own window, the tab that opened it. */
type Attempt = { next: string; attempt: string | null }

/** The next address of a user, and the cookies for it. */
type Way = { to: string; headers: Headers }

export type Provider = ReturnType<typeof openProvider>

/** Sign-in at an OpenID Connect issuer. Failures are an `error` in the address that an attempt returns to. */
export function openProvider(
  db: Db,
  options: Options,
  settings: ProviderSettings,
  origins: readonly string[],
) {
  const opened = providerAuth(db, options, settings)
  const asked = async ({ address }: OperationCaller, headers: Headers) => {
    const auth = await opened()
    return auth && askAuth(auth, { baseUrl: options.baseUrl, address, headers })
  }
  return {
    label: settings.label,
    origins,
    /** The issuer's address to go to. */
    async start(caller: OperationCaller, headers: Headers, attempt: Attempt): Promise<Way> {
      await countTry(db, 'sign-in by address', caller.address, caller.now)
      const done = backTo(attempt)
      const ask = await asked(caller, headers)
      if (!ask) return failed(done, 'issuer_unreadable')
      const callbackURL = attempt.attempt === null ? attempt.next : done
      const input = { provider: providerId, callbackURL, errorCallbackURL: done, disableRedirect: true }
      const answer = await ask.post('/sign-in/social', input)
      const { url } = (await answer.json()) as { url?: string }
      return url ? { to: url, headers: cookiesOf(answer) } : failed(done, 'not_started')
    },
    /** Processes the issuer's answer, once. */
    async finish(caller: OperationCaller, headers: Headers, search: string): Promise<Way> {
      const ask = await asked(caller, headers)
      if (!ask) return failed(failedPath, 'issuer_unreadable')
      const found = { clientRefused: false }
      const answer = await noticed.run(found, () => ask.get(`/callback/${providerId}${search}`))
      const to = new URL(answer.headers.get('location') ?? failedPath, options.baseUrl)
      if (found.clientRefused) to.searchParams.set('error', 'client_refused')
      if (!answer.headers.has('location')) to.searchParams.set('error', 'unanswered')
      const way = { to: to.pathname + to.search, headers: cookiesOf(answer) }
      await entered(db, options, caller, way.headers)
      return way
    },
  }
}

const backTo = ({ attempt }: Attempt) =>
  attempt === null ? failedPath : `${failedPath}?attempt=${encodeURIComponent(attempt)}`

const failed = (done: string, error: string): Way => ({
  to: `${done}${done.includes('?') ? '&' : '?'}error=${error}`,
  headers: new Headers(),
})

/**
 * After a sign-in the terms count as accepted, as its button says; the earlier session ends, and a mailbox that the
 * issuer does not vouch for gets its letter.
 */
async function entered(
  db: Db,
  options: { secret: string; baseUrl: string; termsVersion: string },
  { actor, sessionId, now }: OperationCaller,
  headers: Headers,
) {
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const fresh = await readSession(db, options, cookies.join('; '))
  if (!fresh) return
  await acceptTerms(db, { userId: fresh.actor.id, version: options.termsVersion, source: 'provider', now })
  if (actor && sessionId) {
    await db.delete(sessions).where(eq(sessions.id, sessionId))
    announce(db, { people: [actor.id], desk: false })
  }
  const { name, email, emailVerified } = fresh.actor
  if (name !== null || emailVerified) return
  const send = () => transaction(db, (tx) => enqueue(tx, 'account-letter', { letter: 'verify_email', email }))
  // A user who signs in repeatedly before completing the profile already received the letter.
  await countTry(db, 'letters by account', email, now).then(send, () => undefined)
}
