import { createCipheriv, scrypt as scryptBy, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { dictionary } from '@zxcvbn-ts/language-common'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Queryable, queryRows, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { accounts, emailChanges, users } from '../platform/database/schema/accounts.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { turnstile } from '../platform/storage/pictures.ts'
import { currentContext, markAsShed } from '../platform/telemetry/log.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { emailChangeHours, voidCodes } from './letter-codes.ts'
import { clockSlackMs, countTry, noteTry, refuseUntil } from './limits.ts'
import { assertFresh, endSessions } from './providers.ts'
import type { PasswordChange } from './rules/schema.ts'

// Leaked passwords by how often people chose them; data of zxcvbn (MIT), unpacked by the package when it is imported.
// Those shorter than our own minimum are refused by their length.
const leaked = new Set(dictionary['passwords-common'].filter((one) => one.length >= 8))

/** Passwords that an English list lacks, and words that this product suggests. Written as `plain` returns them. */
const ours = new Set([
  'cargaencasa',
  'cargadorencasa',
  'cargador',
  'cargador1',
  'autoelectrico',
  'cocheelectrico',
  'electrico',

  'contrasena',
  'contrasena1',
  'contrasena123',
  'micontrasena',
  'mipassword',
  'administrador',
  'gerencia',

  'bienvenido',
  'bienvenida',
  'teamomucho',
  'teamo123',
  'teamo1234',
  'guadalupe',
  'virgencita',
  'estrellita',

  'mexico123',
  'mexico2024',
  'mexico2025',
  'mexico2026',
  'vivamexico',
  'america123',
  'clubamerica',
  'chivas123',
])

/**
 * Whether a password is among those that attackers try first: leaked ones, this product's own words, one character
 * repeated.
 */
export function isCommonPassword(text: string): boolean {
  const typed = text.toLowerCase()
  return leaked.has(typed) || leaked.has(plain(typed)) || ours.has(letters(typed)) || new Set(typed).size <= 2
}

/** Without accents, so that "contraseña" is "contrasena". */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

/** Also without the characters that people put between words. */
const letters = (text: string) => plain(text).replace(/[\s._-]/g, '')

function faultOfPassword(password: string, email: string): string | null {
  if ([email, email.split('@')[0]].includes(password.toLowerCase()))
    return 'Tu correo no sirve de contraseña. Elige otra.'
  return isCommonPassword(password) ? 'Esa contraseña es muy común. Elige otra.' : null
}

/** What is wrong with the password of a form whose other fields may be wrong too. */
export function wrongPassword(sent: unknown): Record<string, string> {
  const { email, password } = { ...(sent as Record<string, unknown>) }
  const fault = typeof password === 'string' && faultOfPassword(password, String(email))
  return fault ? { password: fault } : {}
}

/** Refuses such a password under its field, or one that equals the user's own e-mail. */
export function refuseCommon(password: string, { email = '', field = 'password' } = {}): void {
  const error = faultOfPassword(password, email)
  if (error === null) return
  throw new Refusal('invalid-argument', { description: error, details: { errors: { [field]: error } } })
}

/** Whether a user has a password; one who signed up by a provider has none until a letter lets them choose one. */
export const hasPassword = async (db: Queryable, userId: string): Promise<boolean> =>
  (await passwordOf(db, userId)) !== null

/** Refuses unless this is the actor's password. A try here counts like one at sign-in. Returns the stored hash. */
export async function assertPassword(db: Db, actor: Actor, typed: string, now: Date): Promise<string> {
  const kept = await passwordOf(db, actor.id)
  if (kept === null)
    refuse(
      'failed-precondition',
      'Tu cuenta todavía no tiene contraseña. Pide primero el correo para elegir una.',
    )
  refuseWhenCrowded()
  // Counted under their session: tries from elsewhere do not block it.
  const place = { email: actor.email, place: 'own session' }
  await countPasswordTry(db, place, now)
  if (!(await isPassword({ hash: kept, password: typed }))) {
    const errors = { currentPassword: 'La contraseña no es correcta.' }
    throw new Refusal('invalid-argument', {
      title: 'Revisa tu contraseña',
      description: errors.currentPassword,
      details: { errors },
    })
  }
  await forgetPasswordTries(db, place)
  return kept
}

/** Refuses unless the actor's password was typed; of one who has none, unless the session began minutes ago. */
export async function assertOwner(
  db: Db,
  { actor, sessionId }: { actor: Actor; sessionId: string },
  typed: string,
  now: Date,
): Promise<void> {
  if (await hasPassword(db, actor.id)) await assertPassword(db, actor, typed, now)
  else await assertFresh(db, sessionId, now)
}

/**
 * Changes one's own password, ends the other sessions, and voids the letters that could change it again. Returns
 * whether a calendar's link ended too.
 */
export async function changePassword(
  db: Db,
  actor: Actor,
  sessionId: string,
  { currentPassword, newPassword }: Pick<PasswordChange, 'currentPassword' | 'newPassword'>,
  now: Date,
): Promise<boolean> {
  refuseCommon(newPassword, { email: actor.email, field: 'newPassword' })
  const known = await assertPassword(db, actor, currentPassword, now)
  await countTry(db, 'password changes by account', actor.id, now)
  const hashed = await hashedPassword(newPassword)
  const linkEnded = await transaction(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, actor.id)).for('update')
    // Of two changes at once the later one no longer finds the password that it checked.
    if ((await passwordOf(tx, actor.id)) !== known)
      refuse('aborted', 'Tu contraseña acaba de cambiar en otra ventana.')
    await writePassword(tx, actor.id, hashed, now)
    await voidCodes(tx, 'reset_password', actor.id, now)
    await endWaitingChange(tx, actor.id, now)
    const linkEnded = await endSessions(tx, actor.id, { except: sessionId })
    await record(tx, { entity: 'user', entityId: actor.id, actorId: actor.id, name: 'change_password' })
    await enqueue(tx, 'account-letter', { letter: 'password_changed', userId: actor.id })
    return linkEnded
  })
  announce(db, { people: [actor.id], desk: false })
  return linkEnded
}

async function passwordOf(db: Queryable, userId: string): Promise<string | null> {
  const [account] = await db
    .select({ password: accounts.password })
    .from(accounts)
    .where(
      and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential'), isNotNull(accounts.password)),
    )
  return account?.password ?? null
}

/** The same by an e-mail, in one query whether there is an account or not. */
export async function passwordFor(db: Queryable, email: string): Promise<string | null> {
  const [account] = await db
    .select({ password: accounts.password })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(and(eq(users.email, email), eq(accounts.providerId, credential)))
  return account?.password ?? null
}

/** The sign-in library's name for an account with a password. */
const credential = 'credential'

/** Stores a user's password, also the first of a user who signed up by a provider. */
export async function writePassword(tx: Tx, userId: string, hashed: string, now: Date): Promise<void> {
  const changed = await tx
    .update(accounts)
    .set({ password: hashed, updatedAt: now })
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, credential)))
    .returning({ id: accounts.id })
  if (changed.length === 0)
    await tx.insert(accounts).values({ userId, accountId: userId, providerId: credential, password: hashed })
}

const waiting = and(isNull(emailChanges.appliedAt), isNull(emailChanges.endedAt))

/** The pending new e-mail of a user, until its letter is opened; null where there is none. */
export async function waitingEmail(db: Queryable, userId: string, now: Date): Promise<string | null> {
  const since = new Date(now.getTime() - emailChangeHours * 3_600_000)
  const [change] = await db
    .select({ email: emailChanges.newEmail })
    .from(emailChanges)
    .where(and(eq(emailChanges.userId, userId), waiting, sql`${emailChanges.askedAt} > ${since}`))
  return change?.email ?? null
}

/** Cancels a user's pending e-mail change; its letters stop working. Returns whether there was one. */
export async function endWaitingChange(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const ended = await tx
    .update(emailChanges)
    .set({ endedAt: now })
    .where(and(eq(emailChanges.userId, userId), waiting))
    .returning({ id: emailChanges.id })
  await voidCodes(tx, 'change_email', userId, now)
  return ended.length > 0
}

const scrypt = promisify<string, Buffer, number, object, Buffer>(scryptBy)

/** A Firebase project's parameters, as its console shows them ("Password hash parameters"); keys in Base64. */
export type FirebaseHashing = { signerKey: string; saltSeparator: string; rounds: number; memCost: number }

const mark = 'firebase-scrypt'

/**
 * The stored form of a password hashed by Firebase. Firebase encrypts the project's signer key (AES-256 in counter
 * mode) under scrypt's hash of the password; stored is the XOR of both, the key stream, which only the same password
 * produces again. So the project's key is not stored.
 */
export function keepFirebase(
  { signerKey, saltSeparator, rounds, memCost }: FirebaseHashing,
  of: Hashed,
): string {
  const key = Buffer.from(signerKey, 'base64')
  const hash = Buffer.from(of.passwordHash, 'base64')
  if (hash.length !== key.length || hash.length === 0)
    throw new Error('the hash is not as long as the signer key')
  const stream = hash.map((byte, at) => byte ^ key[at]!)
  const salt = Buffer.concat([Buffer.from(of.salt, 'base64'), Buffer.from(saltSeparator, 'base64')])
  return [mark, rounds, memCost, salt.toString('base64'), Buffer.from(stream).toString('base64')].join('$')
}

type Hashed = { passwordHash: string; salt: string }

/** Whether a stored hash came from Firebase, and so is replaced by one of ours once the password is typed. */
export const isFirebase = (kept: string) => kept.startsWith(`${mark}$`)

/** Whether the typed password matches a stored Firebase hash. */
export async function matchesFirebase(kept: string, password: string): Promise<boolean> {
  const [, rounds, memCost, salt = '', stream = ''] = kept.split('$')
  const expected = Buffer.from(stream, 'base64')
  const cost = { N: 2 ** Number(memCost), r: Number(rounds), p: 1 }
  const maxmem = 256 * cost.N * cost.r
  const key = await scrypt(password, Buffer.from(salt, 'base64'), 32, { ...cost, maxmem })
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const made = Buffer.concat([cipher.update(Buffer.alloc(expected.length)), cipher.final()])
  return expected.length > 0 && timingSafeEqual(made, expected)
}

/**
 * Passwords hashed at once: each takes a processor for a tenth of a second and 32 MB, and one processor stays free for
 * other work. Node has four threads for such work, and files and names need one.
 */
const atOnce = Math.max(1, Math.min(3, availableParallelism() - 1))

/** The longest that a user waits for their turn, in milliseconds. */
const longestWait = 2_000

/** Fair among networks: what one of them asks for at once delays the others by one. */
const queue = turnstile(atOnce, { oneEach: false })
const asker = () => currentContext().known ?? currentContext().network
const inTurn = <Result>(work: () => Promise<Result>) => queue(work, asker())

/**
 * Milliseconds that one hash takes here, averaged over the last ones: on a busy machine it is several times as long.
 */
let usual = 100

async function timed<Result>(work: () => Promise<Result>): Promise<Result> {
  const started = performance.now()
  const result = await work()
  usual += (performance.now() - started - usual) / 8
  return result
}

/** The stored hash of a password. Slow on purpose, so it is computed before a row is locked. */
export const hashedPassword = (password: string): Promise<string> =>
  inTurn(() => timed(() => hashPassword(password)))

/** Whether the typed password matches the stored hash: ours, or that of the Firebase project it came from. */
export const isPassword = ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
  inTurn(() =>
    timed(() => (isFirebase(hash) ? matchesFirebase(hash, password) : verifyPassword({ hash, password }))),
  )

/** Refuses while the queue is too long: a user who signs in waits briefly, and other requests do not. */
export function refuseWhenCrowded(): void {
  if ((queue.ahead(asker()) * usual) / atOnce < longestWait) return
  markAsShed()
  refuse(
    'unavailable',
    'Muchas personas están entrando en este momento. Espera unos segundos y vuelve a intentarlo.',
  )
}

/** Tries without a wait. From then on each wait is twice the one before, up to the longest. */
const free = 5
const firstWaitSeconds = 30
const longestWaitSeconds = 15 * 60

/** Hours without a try after which an account's count starts again. */
const forgottenHours = 24

/**
 * Where tries at an account's password count: everywhere, or in one place that its owner is known to hold (a browser, a
 * session). An unknown e-mail is counted alike.
 */
type Place = { email: string; place?: string }
const keyOf = ({ email, place = '' }: Place) => (place ? `${hashOf(email)} ${hashOf(place)}` : hashOf(email))

/**
 * Counts a try at an account's password before it is checked, and refuses it while the account waits. One statement, so
 * that tries at once cannot pass together. Refused tries change nothing: an attacker who keeps trying does not extend
 * the wait, and a new password by letter ends every wait.
 */
export async function countPasswordTry(db: Queryable, place: Place, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - forgottenHours * 3_600_000)
  const latest = new Date(now.getTime() + longestWaitSeconds * 1000 + clockSlackMs)
  const account = keyOf(place)
  const [counted] = await queryRows<[count: number]>(
    db,
    sql`insert into sign_in_failures as kept (account_hash, count, last_at, waits_until)
    values (${account}, 1, ${now}, ${forgotten})
    on conflict (account_hash) do update set
      count = case when kept.last_at < ${forgotten} then 1 else kept.count + 1 end,
      last_at = excluded.last_at,
      waits_until = case
        -- Of two at once the one that left later may come first: a try that costs no wait bars no other.
        when kept.last_at < ${forgotten} or kept.count + 1 < ${free}::int then kept.waits_until
        else excluded.last_at + make_interval(secs =>
          least(${firstWaitSeconds}::float8 * 2 ^ least(kept.count + 1 - ${free}::int, 20), ${longestWaitSeconds}::float8))
      end
    where kept.waits_until <= ${now} or kept.waits_until > ${latest}
    returning count`,
  )
  if (counted) return
  const [waiting] = await queryRows<[until: Date]>(
    db,
    sql`select waits_until from sign_in_failures where account_hash = ${account}`,
  )
  await noteTry(db, 'signIns')
  refuseUntil(waiting?.[0] ?? now, now)
}

/** The password was right: that place's count is cleared. */
export async function forgetPasswordTries(db: Queryable, place: Place): Promise<void> {
  await queryRows(db, sql`delete from sign_in_failures where account_hash = ${keyOf(place)}`)
}

/** The password is new, or the account deleted: all its counts are cleared. */
export async function forgetAllPasswordTries(db: Queryable, email: string): Promise<void> {
  await queryRows(db, sql`delete from sign_in_failures where left(account_hash, 64) = ${hashOf(email)}`)
}

/** Deletes expired counts. */
export async function clearPasswordTries(db: Queryable, now: Date): Promise<void> {
  await db.execute(
    sql`delete from sign_in_failures where last_at < ${now}::timestamptz - make_interval(hours => ${forgottenHours})`,
  )
}
