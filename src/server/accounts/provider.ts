import { asc, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import {
  asksForTerms,
  type ConsentKind,
  type ConsentSource,
  consentLabels,
  consentSources,
} from '../../domain/accounts/privacy.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import {
  type Db,
  deferUntilCommit,
  type Queryable,
  type Tx,
  transaction,
} from '../platform/database/client.ts'
import { consents, sessions, users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askAuth, type OperationCaller } from './ask-auth.ts'
import { cookiesOf } from './entry.ts'
import { countTry } from './limits.ts'
import { failedPath, noticed, type ProviderSettings, providerAuth, providerId } from './provider-auth.ts'
import { readSession } from './session.ts'

/** Where an attempt comes back to: a page of ours, or, in a window of its own, the tab that opened it. */
type Attempt = { next: string; attempt: string | null }

/** Where a person goes next, and the cookies for it. */
type Way = { to: string; headers: Headers }

export type Provider = ReturnType<typeof openProvider>

/** Signing in at an OpenID Connect issuer. Failures are an `error` in the address that an attempt comes back to. */
export function openProvider(
  db: Db,
  options: { secret: string; baseUrl: string; termsVersion: string },
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
    /** Takes the issuer's answer, once. */
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

/** After a sign-in the terms count as accepted, as its button says; the session that was sent along ends, and a mailbox that the issuer does not vouch for gets its letter. */
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
  // Whoever comes again and again before completing the profile has had the letter.
  await countTry(db, 'letters by account', email, now).then(send, () => undefined)
}

type Consent = {
  userId: string
  kind: ConsentKind
  given: boolean
  /** Of the terms and the privacy notice in force. */
  version: string
  source: ConsentSource
}

const insert = {
  name: 'note_consent',
  text: 'insert into consents (user_id, kind, given, version, source) values ($1, $2, $3, $4, $5)',
}

/** Notes that somebody agreed, or took it back, in the transaction that does what follows from it. */
export function noteConsent(tx: Tx, { userId, kind, given, version, source }: Consent): void {
  deferUntilCommit(tx, tx.$client.query({ ...insert, values: [userId, kind, given, version, source] }))
}

const accepting = (which: string) => `with accepted as (
    update users set terms_version = $2, terms_accepted_at = $3 where id = $1 and ${which} returning id
  )
  insert into consents (user_id, kind, given, version, source, at) select id, 'terms', true, $2, $4, $3 from accepted`
const first = { name: 'accept_terms', text: accepting('terms_accepted_at is null') }
const again = { name: 'accept_terms_again', text: accepting('terms_version is distinct from $2') }

type Acceptance = { userId: string; version: string; source: ConsentSource; now: Date }

const accept = async (db: Queryable, statement: { name: string; text: string }, wish: Acceptance) => {
  const client: { query: (query: object) => Promise<unknown> } = db.$client
  await client.query({ ...statement, values: [wish.userId, wish.version, wish.now, wish.source] })
}

/** Notes what somebody agreed to whose account they did not make themselves; what was noted before stays. */
export const acceptTerms = (db: Queryable, wish: Acceptance): Promise<void> => accept(db, first, wish)

/** Notes that a customer agreed to the terms as they stand now, once. Refused where the form was shown older ones. */
export async function acceptNewTerms(
  db: Db,
  actor: Actor,
  { shown, inForce }: { shown: string; inForce: string },
  now: Date,
): Promise<void> {
  if (actor.role !== 'customer') refuse('permission-denied')
  if (shown !== inForce)
    refuse('failed-precondition', 'Los términos volvieron a cambiar. Revísalos y acéptalos de nuevo.')
  await accept(db, again, { userId: actor.id, version: inForce, source: 'home', now })
}

/** The version of the terms that a customer is asked to agree to, and why; null where there is nothing to ask. */
export async function termsToAccept(db: Db, { id, role }: Actor, inForce: string) {
  if (role !== 'customer') return null
  const [user] = await db.select({ agreed: users.termsVersion }).from(users).where(eq(users.id, id))
  const why = user ? asksForTerms(user.agreed, inForce) : null
  return why && { version: inForce, why }
}

/** Everything somebody agreed to or took back, the oldest first, in words for themselves. */
export async function ownConsents(db: Db, userId: string) {
  const rows = await db.select().from(consents).where(eq(consents.userId, userId)).orderBy(asc(consents.id))
  return rows.map(({ at, given, kind, source, version }) => ({
    Qué: consentLabels[kind],
    Respuesta: given ? 'Aceptaste' : 'Retiraste tu consentimiento',
    Versión: version,
    Dónde: consentSources[source],
    Cuándo: at,
  }))
}
