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
import { type Db, leave, type Queryable, type Tx } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { consents } from '../platform/database/schema/privacy-schema.ts'

export type Consent = {
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
  leave(tx, tx.$client.query({ ...insert, values: [userId, kind, given, version, source] }))
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
