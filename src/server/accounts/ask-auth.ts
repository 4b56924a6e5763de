import { createHmac } from 'node:crypto'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { Actor } from '../../domain/access/actor.ts'
import { sessionLimits } from '../../domain/accounts/sessions.ts'
import { epochSeconds } from '../../domain/shared/calendar.ts'
import type { Db } from '../platform/database/client.ts'
import { type Auth, authPath, clientAddressHeader } from './auth.ts'
import type { KnownBrowser } from './session.ts'

type Origin = { baseUrl: string; address: string; headers: Headers }

export type AskAuth = ReturnType<typeof askAuth>

/** Calls the sign-in library as a browser would; answers its response with cookies. */
export function askAuth(auth: Auth, { baseUrl, address, headers: given }: Origin) {
  const headers = (extra: Record<string, string> = {}) => {
    const own = new Headers({ origin: baseUrl, [clientAddressHeader]: address, ...extra })
    for (const name of ['cookie', 'user-agent']) if (given.has(name)) own.set(name, given.get(name) as string)
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
    /** The cookies that move a session's end on; the library decides whether it is time. */
    async refreshed(): Promise<string[]> {
      const answer = await auth.handler(
        new Request(`${baseUrl}${authPath}/get-session`, { headers: headers() }),
      )
      return answer.headers.getSetCookie()
    },
    /** A text as the library keeps secrets: encrypted under its key. */
    sealed: async (data: string): Promise<string> =>
      symmetricEncrypt({ key: (await auth.$context).secretConfig, data }),
    unsealed: async (data: string): Promise<string> =>
      symmetricDecrypt({ key: (await auth.$context).secretConfig, data }),
  }
}

/** The key of ID tokens: of the sessions' secret, but no help to whoever would forge a session. */
export const idTokenKey = (secret: string) => createHmac('sha256', secret).update('id-token').digest()

type Issue = {
  secret: string
  baseUrl: string
  actor: Pick<Actor, 'id' | 'email' | 'emailVerified'>
  issuedAt: Date
}

/**
 * Says to a program beside ours who signed in: a JWT (HS256) as old as the session's beginning or last renewal, good for as
 * long as it may be synced. Null once it is older.
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

/** Who asks for a sign-in operation, from where and when, and what it works with. */
export type OperationCaller = {
  db: Db
  ask: AskAuth
  /** The network address that limits count by. */
  address: string
  /** Of whoever is signed in already. */
  actor: Actor | null
  sessionId: string | null
  /** Whether this browser is known to an e-mail. */
  known: KnownBrowser
  /** Of the terms and the privacy notice as they stand. */
  termsVersion: string
  now: Date
}

/** What an operation leaves: its value, and the cookies that go with the answer and are nobody's to read. */
export type Done<T> = { value: T; headers?: Headers }
