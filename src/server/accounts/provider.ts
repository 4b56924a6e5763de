import { eq } from 'drizzle-orm'
import { type Db, transaction } from '../platform/database/database.ts'
import { sessions } from '../platform/database/schema/account-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Caller } from './caller.ts'
import { acceptTerms } from './consents.ts'
import { cookiesOf } from './entry.ts'
import { countTry } from './limits.ts'
import { failedPath, noticed, type ProviderSettings, providerAuth, providerId } from './provider-auth.ts'
import { readSession } from './session.ts'
import { askAuth } from './sign-in.ts'

/** Where an attempt comes back to: a page of ours, or, in a window of its own, the tab that opened it. */
export type Attempt = { next: string; attempt: string | null }
/** Where a person goes next, and the cookies for it. */
export type Way = { to: string; headers: Headers }

export type Provider = ReturnType<typeof openProvider>

/** Signing in at an OpenID Connect issuer. Failures are an `error` in the address that an attempt comes back to. */
export function openProvider(
  db: Db,
  options: { secret: string; baseUrl: string; termsVersion: string },
  settings: ProviderSettings,
  origins: readonly string[],
) {
  const opened = providerAuth(db, options, settings)
  const asked = async ({ address }: Caller, headers: Headers) => {
    const auth = await opened()
    return auth && askAuth(auth, { baseUrl: options.baseUrl, address, headers })
  }
  return {
    label: settings.label,
    origins,
    /** The issuer's address to go to. */
    async start(caller: Caller, headers: Headers, attempt: Attempt): Promise<Way> {
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
    /** Takes the issuer's answer, once. */
    async finish(caller: Caller, headers: Headers, search: string): Promise<Way> {
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

/** After a sign-in the terms count as accepted, as its button says; the session that was sent along ends, and a mailbox that the issuer does not vouch for gets its letter. */
async function entered(
  db: Db,
  options: { secret: string; baseUrl: string; termsVersion: string },
  { actor, sessionId, now }: Caller,
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
  // Whoever comes again and again before completing the profile has had the letter.
  await countTry(db, 'letters by account', email, now).then(send, () => undefined)
}
