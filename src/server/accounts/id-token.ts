import { createHmac } from 'node:crypto'
import type { Actor } from '../../domain/access/actor.ts'
import { sessionLimits } from '../../domain/accounts/sessions.ts'
import { epochSeconds } from '../../domain/shared/calendar.ts'

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
