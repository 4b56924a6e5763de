import type { Actor } from '../../domain/access/actor.ts'
import type { Db } from '../platform/database/client.ts'
import type { KnownBrowser } from './session.ts'
import type { AskAuth } from './sign-in.ts'

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
