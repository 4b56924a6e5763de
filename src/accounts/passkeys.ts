import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers'
import { and, eq, isNull } from 'drizzle-orm'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { passkeys, sessions, users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { refuse } from '../shared/refusal.ts'
import type { Done, OperationCaller } from './auth.ts'
import { cookiesOf, countSignIn, type Entered, enter, knownPlace, refusalFor, saidBy } from './entry.ts'
import { countTry } from './limits.ts'
import { assertOwner } from './password.ts'
import { endSessions, isByPasskey, passkeysOf } from './providers.ts'
import { type Own, secondStepWays, withProof } from './second-factor.ts'

/** The most that one user may have. */
const most = 10

/** What a browser needs to be asked for a passkey (WebAuthn's JSON); the cookie says which challenge it answers. */
export async function askForPasskey({ db, ask, address, now }: OperationCaller): Promise<Done<Options>> {
  await countTry(db, 'passkey challenges by address', address, now)
  const answer = await ask.getAsStranger('/passkey/generate-authenticate-options')
  const value = { ...((await answer.json()) as Options), userVerification: 'required' }
  return { value, headers: cookiesOf(answer) }
}

type Options = { challenge: string }

/** Signs in by a passkey, or answers with it the second step that follows a password. */
export async function signInByPasskey(
  caller: OperationCaller,
  { credential }: { credential: { id: string } },
): Promise<Entered> {
  const { db, ask, now } = caller
  await countKey(caller, credential.id)
  const answer = await ask.post('/passkey/verify-authentication', { response: credential })
  const { user } = await saidBy(answer)
  const entered = await enter(caller, answer, user?.email ?? '')
  await db.update(passkeys).set({ lastUsedAt: now }).where(eq(passkeys.credentialID, credential.id))
  return entered
}

/** As a code after the password, else as a password. */
async function countKey(caller: OperationCaller, credentialId: string): Promise<void> {
  const { db, address, now } = caller
  const { passkey } = await secondStepWays(caller)
  if (passkey) return countTry(db, 'second step by address', address, now)
  const [owner] = await db
    .select({ email: users.email })
    .from(users)
    .innerJoin(passkeys, and(eq(passkeys.userId, users.id), eq(passkeys.credentialID, credentialId)))
  const email = owner?.email ?? ''
  await countSignIn(caller, email, await knownPlace(caller, email))
}

/** What a user types to prove that the session is theirs; blank where there is nothing to type. */
type Typed = { currentPassword: string; code: string }

/**
 * Begins to add one: what the browser needs to make it. As with the second factor, adding a key takes all that the
 * account asks for; without a password, the session has to be of minutes ago.
 */
export async function startPasskey(
  { db, ask, now }: OperationCaller,
  own: Own,
  typed: Typed,
): Promise<Done<Options>> {
  const { actor } = own
  if ((await passkeysOf(db, actor.id)).length >= most) refuseAnother()
  if (actor.twoFactor) await withProof(db, ask, own, typed, now, async () => undefined)
  else await assertOwner(db, own, typed.currentPassword, now)
  const answer = await ask.get('/passkey/generate-register-options')
  if (!answer.ok) throw refusalFor(answer.status, (await saidBy(answer)).code)
  return { value: (await answer.json()) as Options, headers: cookiesOf(answer) }
}

function refuseAnother(): never {
  refuse('failed-precondition', `Ya tienes ${most} llaves. Quita antes una que no uses.`)
}

/** What a browser made: read by the library, but for the statement of its maker. */
type Made = { response: { attestationObject?: string | undefined } }

/** Keeps the passkey that the browser made. */
export async function addPasskey({ db, ask }: OperationCaller, own: Own, made: Made): Promise<void> {
  const { actor } = own
  if (!isWithoutCertificates(made)) throw refusalFor(400, 'FAILED_TO_VERIFY_REGISTRATION')
  const answer = await ask.post('/passkey/verify-registration', { response: made })
  if (!answer.ok) throw refusalFor(answer.status, (await saidBy(answer)).code)
  const { id } = (await answer.json()) as { id: string }
  await transaction(db, async (tx) => {
    await assertMayKeep(tx, own)
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'add_passkey' })
    await enqueue(tx, 'account-letter', { letter: 'passkey_added', userId: actor.id })
  }).catch(async (error: unknown) => {
    // The library has stored it already.
    await db.delete(passkeys).where(eq(passkeys.id, id))
    throw error
  })
  announce(db, { people: [actor.id], desk: false })
}

/**
 * What browsers make where no statement of a maker is asked for. Of certificates the library would fetch lists of
 * revoked ones, from addresses that the caller wrote into them, before it checks a signature.
 */
function isWithoutCertificates({ response }: Made): boolean {
  try {
    const made = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject ?? ''))
    return made.get('fmt') === 'none' || (made.get('fmt') === 'packed' && !made.get('attStmt').get('x5c'))
  } catch {
    return false
  }
}

/** Refuses one too many of two added at once, and one added under a session that ended meanwhile. */
async function assertMayKeep(tx: Tx, { actor, sessionId }: Own): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('update')
  if ((await passkeysOf(tx, actor.id)).length > most) refuseAnother()
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.formerExpiresAt)))
  if (!session) refuse('failed-precondition', 'Tu sesión terminó. Entra y vuelve a empezar.')
}

/**
 * Removes one, and ends the other sessions, which may have begun with it. A password or a provider always remains; the
 * last one stays where it is the second factor.
 */
export async function removePasskey(
  db: Db,
  own: Own,
  { passkeyId, currentPassword }: { passkeyId: string; currentPassword: string },
  now: Date,
): Promise<void> {
  const { actor, sessionId } = own
  await assertOwner(db, own, currentPassword, now)
  await transaction(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('update')
    const [gone] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, passkeyId), eq(passkeys.userId, actor.id)))
      .returning({ id: passkeys.id })
    if (!gone) refuse('not-found', 'Esa llave ya no está.')
    if ((await passkeysOf(tx, actor.id)).length === 0 && (await isByPasskey(tx, actor.id)))
      refuse('failed-precondition', 'Es tu segundo factor. Agrega antes otra llave, o desactívalo.')
    await endSessions(tx, actor.id, { except: sessionId })
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'remove_passkey' })
    await enqueue(tx, 'account-letter', { letter: 'passkey_removed', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}
