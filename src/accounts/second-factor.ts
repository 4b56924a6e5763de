import { randomInt } from 'node:crypto'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import { generateRandomString } from 'better-auth/crypto'
import { and, eq, gt, sql } from 'drizzle-orm'
import { type Actor, isStaff } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { twoFactors, users } from '../platform/database/schema/accounts.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { drawQr, type QrDrawing } from '../platform/pdf/qr.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import type { AskAuth, OperationCaller } from './auth.ts'
import { cookiesOf, refusalFor, saidBy } from './entry.ts'
import { countTry, noteTry, spendTotpCode } from './limits.ts'
import { assertPassword } from './password.ts'
import { assertFresh, endSessions, eraseSecondFactor, forgetPasskeys, passkeysOf } from './providers.ts'
import { phoneCodePaths, type SecondStepWays, secondStepWaysPath } from './second-step.ts'

/** Minutes to show the first code after the QR code appeared. */
const startedMinutes = 15

/** The characters of a key for an authenticator, of six random bits each: 180, in 48 signs of base 32. */
const keyLength = 30

/** The user who changes it, and the session of the request. */
export type Own = { actor: Actor; sessionId: string }
type Row = typeof twoFactors.$inferSelect

/**
 * The state on the account page: off, begun here and waiting for a first code, or on with this many recovery codes
 * left.
 */
export type SecondFactor =
  | { state: 'off' }
  | { state: 'begun'; secret: string; qr: QrDrawing }
  | { state: 'on'; byPasskey: boolean; codesLeft: number }

export async function secondFactorOf(
  db: Db,
  ask: AskAuth,
  { actor, sessionId }: Own,
  brand: string,
  now: Date,
): Promise<SecondFactor> {
  const [row] = await db.select().from(twoFactors).where(eq(twoFactors.userId, actor.id))
  // Read from the row: the actor is from the start of the request, also when this request turned it on.
  if (row?.verified) {
    const codesLeft = countCodes(await ask.unsealed(row.backupCodes))
    return { state: 'on', byPasskey: row.byPasskey, codesLeft }
  }
  if (!row || row.sessionId !== sessionId || row.startedAt < startedSince(now)) return { state: 'off' }
  const key = await ask.unsealed(row.secret)
  return {
    state: 'begun',
    secret: base32.encode(key, { padding: false }),
    qr: drawQr(createOTP(key).url(brand, actor.email)),
  }
}

const startedSince = (now: Date) => new Date(now.getTime() - startedMinutes * 60_000)

/** Begins: a new secret that only this session sees, until a first code proves that the authenticator has it. */
export async function startSecondFactor(
  db: Db,
  ask: AskAuth,
  { actor, sessionId }: Own,
  password: string,
  now: Date,
): Promise<void> {
  await assertMayStart(db, actor, password, now)
  const secret = await ask.sealed(generateRandomString(keyLength))
  await transaction(db, async (tx) => {
    await keep(tx, actor, { secret, backupCodes: '', startedAt: now, sessionId })
  })
}

/** In place of one that was begun, and not turned on. */
async function keep(tx: Tx, actor: Actor, factor: Omit<typeof twoFactors.$inferInsert, 'userId'>) {
  await refuseWhenOn(tx, actor)
  await tx.delete(twoFactors).where(eq(twoFactors.userId, actor.id))
  await tx.insert(twoFactors).values({ userId: actor.id, ...factor })
}

/** Staff's mailboxes are verified; of an unverified one the owner could be kept out. */
async function assertMayStart(db: Db, actor: Actor, password: string, now: Date) {
  if (!isStaff(actor) && !actor.emailVerified)
    refuse('failed-precondition', 'Confirma primero tu correo, con el enlace que te enviamos.')
  await assertPassword(db, actor, password, now)
}

/**
 * Turns it on with a first code, and returns the recovery codes, which cannot be shown again. The other sessions end.
 */
export async function confirmSecondFactor(
  db: Db,
  ask: AskAuth,
  { actor, sessionId }: Own,
  code: string,
  now: Date,
): Promise<string[]> {
  await countTry(db, 'second factor by account', actor.id, now)
  const { codes, kept } = newRecoveryCodes()
  const backupCodes = await ask.sealed(kept)
  await transaction(db, async (tx) => {
    await refuseWhenOn(tx, actor)
    const row = await begunBy(tx, { actor, sessionId }, now)
    await assertTotp(tx, await ask.unsealed(row.secret), actor, code, now)
    await tx.update(twoFactors).set({ verified: true, backupCodes }).where(eq(twoFactors.id, row.id))
    await turnOn(tx, { actor, sessionId })
  })
  announce(db, { people: [actor.id], desk: false })
  return codes
}

/** Turns it on with the passkeys that the user has, without an authenticator: its secret is shown to no user. */
export async function secureByPasskey(
  db: Db,
  ask: AskAuth,
  { actor, sessionId }: Own,
  password: string,
  now: Date,
): Promise<string[]> {
  await assertMayStart(db, actor, password, now)
  const { codes, kept } = newRecoveryCodes()
  const [secret, backupCodes] = await Promise.all([
    ask.sealed(generateRandomString(keyLength)),
    ask.sealed(kept),
  ])
  await transaction(db, async (tx) => {
    await keep(tx, actor, { secret, backupCodes, verified: true, byPasskey: true, startedAt: now })
    if ((await passkeysOf(tx, actor.id)).length === 0)
      refuse('failed-precondition', 'Agrega primero una llave de acceso.')
    await turnOn(tx, { actor, sessionId })
  })
  announce(db, { people: [actor.id], desk: false })
  return codes
}

async function turnOn(tx: Tx, { actor, sessionId }: Own) {
  // Codes go to a phone only a week after the e-mail below has named it.
  const on = { twoFactorEnabled: true, phoneChangedAt: new Date() }
  await tx.update(users).set(on).where(eq(users.id, actor.id))
  await endSessions(tx, actor.id, { except: sessionId })
  await record(tx, { ...by(actor), name: 'turn_on_second_factor' })
  await enqueue(tx, 'account-letter', { letter: 'second_factor_on', userId: actor.id })
}

async function refuseWhenOn(tx: Tx, actor: Actor) {
  const [user] = await tx
    .select({ on: users.twoFactorEnabled })
    .from(users)
    .where(eq(users.id, actor.id))
    .for('update')
  if (user?.on) refuse('failed-precondition', 'Tu segundo factor ya está activado.')
}

async function begunBy(tx: Tx, { actor, sessionId }: Own, now: Date): Promise<Row> {
  const [row] = await tx
    .select()
    .from(twoFactors)
    .where(
      and(
        eq(twoFactors.userId, actor.id),
        eq(twoFactors.sessionId, sessionId),
        gt(twoFactors.startedAt, startedSince(now)),
      ),
    )
  return row ?? refuse('failed-precondition', 'Pasó demasiado tiempo. Vuelve a empezar con tu contraseña.')
}

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })

/** Refuses a code that the key does not generate now, or that was used already; marks it as used. */
async function assertTotp(tx: Tx, key: string, actor: Actor, code: string, now: Date) {
  if (!(await createOTP(key).verify(code)))
    wrongCode('Ese código no es correcto. Escribe el que tu aplicación muestra ahora.')
  if (!(await spendTotpCode(tx, actor.id, code, now)))
    wrongCode('Ese código ya se usó. Espera a que tu aplicación muestre el siguiente.')
}

/** Removes a recovery code from the list, or refuses it. */
async function spendRecoveryCode(tx: Tx, ask: AskAuth, row: typeof twoFactors.$inferSelect, code: string) {
  const left = withoutCode(await ask.unsealed(row.backupCodes), code)
  if (left === null) wrongCode('Ese código de recuperación no es correcto o ya se usó.')
  await tx
    .update(twoFactors)
    .set({ backupCodes: await ask.sealed(left) })
    .where(eq(twoFactors.id, row.id))
}

function wrongCode(message: string): never {
  throw new Refusal('invalid-argument', {
    title: 'Revisa el código',
    description: message,
    details: { errors: { code: message } },
  })
}

const count = 10

// No 0, o, 1, l or i: people copy these by hand.
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** New recovery codes, and what is stored of them: a list of hashes, to be encrypted. */
function newRecoveryCodes(): { codes: string[]; kept: string } {
  const group = () => Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')
  const codes = Array.from({ length: count }, () => `${group()}-${group()}`)
  return { codes, kept: JSON.stringify(codes.map(hashOf)) }
}

const hashesIn = (kept: string) => JSON.parse(kept) as string[]

/** How many are left. */
const countCodes = (kept: string) => hashesIn(kept).length

/** The list without this code, or null when it was not in it. */
function withoutCode(kept: string, code: string): string | null {
  const hashes = hashesIn(kept)
  const left = hashes.filter((hash) => hash !== hashOf(code))
  return left.length < hashes.length ? JSON.stringify(left) : null
}

type Proof = { currentPassword: string; code: string }

/** New recovery codes; the old ones stop working. */
export async function renewRecoveryCodes(
  db: Db,
  ask: AskAuth,
  own: Own,
  proof: Proof,
  now: Date,
): Promise<string[]> {
  const { actor } = own
  const { codes, kept } = newRecoveryCodes()
  const backupCodes = await ask.sealed(kept)
  await withProof(db, ask, own, proof, now, async (tx, row) => {
    await tx.update(twoFactors).set({ backupCodes }).where(eq(twoFactors.id, row.id))
    await record(tx, { ...by(actor), name: 'renew_recovery_codes' })
    await enqueue(tx, 'account-letter', { letter: 'recovery_codes_renewed', userId: actor.id })
  })
  return codes
}

/** Turns it off; secret and recovery codes are deleted. */
export async function turnOffSecondFactor(
  db: Db,
  ask: AskAuth,
  own: Own,
  proof: Proof,
  now: Date,
): Promise<void> {
  const { actor } = own
  await withProof(db, ask, own, proof, now, async (tx) => {
    await eraseSecondFactor(tx, actor.id)
    await record(tx, { ...by(actor), name: 'turn_off_second_factor' })
    await enqueue(tx, 'account-letter', { letter: 'second_factor_off', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}

/**
 * A change that requires the password and a code, of the authenticator or a recovery code; either works once. Without
 * an authenticator a sign-in of minutes ago, which the passkey answered, replaces the code.
 */
export async function withProof(
  db: Db,
  ask: AskAuth,
  { actor, sessionId }: Own,
  { currentPassword, code }: Proof,
  now: Date,
  change: (tx: Tx, row: Row) => Promise<void>,
): Promise<void> {
  await assertPassword(db, actor, currentPassword, now)
  await countTry(db, 'second factor by account', actor.id, now)
  await transaction(db, async (tx) => {
    const [row] = await tx
      .select()
      .from(twoFactors)
      .where(and(eq(twoFactors.userId, actor.id), eq(twoFactors.verified, true)))
      .for('update')
    if (!row) refuse('failed-precondition', 'Tu segundo factor ya no está activado.')
    if (code === '' && !row.byPasskey) wrongCode('Escribe el código de 6 dígitos o uno de recuperación.')
    if (code === '') await assertFresh(tx, sessionId, now)
    else if (code.includes('-')) await spendRecoveryCode(tx, ask, row, code)
    // Its secret was shown to no user: a code is a guess.
    else if (row.byPasskey) wrongCode('Escribe uno de tus códigos de recuperación.')
    else await assertTotp(tx, await ask.unsealed(row.secret), actor, code, now)
    await change(tx, row)
  })
}

/** The typed code: of the authenticator, for recovery, or by phone. */
export type StepCode = { code: string } | { recoveryCode: string } | { phoneCode: string }

/** The cookies to set, and why the sign-in must begin again, if so. */
type StepResult = { headers: Headers; over: string | null }

/**
 * Completes a sign-in that waits for its second step. Wrong codes are refused; after too many, the password is asked
 * again.
 */
export async function takeSecondStep(caller: OperationCaller, typed: StepCode): Promise<StepResult> {
  const { db, ask, address, now } = caller
  await countTry(db, 'second step by address', address, now)
  const answer =
    'code' in typed
      ? await ask.post('/two-factor/verify-totp', { code: typed.code })
      : 'phoneCode' in typed
        ? await ask.post(phoneCodePaths.verify, { code: typed.phoneCode })
        : await ask.post('/two-factor/verify-backup-code', { code: hashOf(typed.recoveryCode) })
  const headers = cookiesOf(answer)
  if (answer.ok) return { headers, over: null }
  const { code, message } = await saidBy(answer)
  const over = begunAgain[code]
  if (over) return { headers, over }
  await noteTry(db, 'signIns')
  if (code === 'TOO_MANY_TRIES') refuse('resource-exhausted', message)
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED')
    refuse(
      'resource-exhausted',
      'Hubo demasiados códigos equivocados. Espera 15 minutos y vuelve a intentarlo.',
    )
  const field = Object.keys(typed)[0]!
  const wrong = ('phoneCode' in typed ? wrongPhoneCodes : wrongCodes)[code]
  if (!wrong && answer.status !== 409) throw refusalFor(answer.status, code)
  const description = wrong ?? usedRecovery
  throw new Refusal('invalid-argument', {
    title: 'Revisa el código',
    description,
    details: { errors: { [field]: description } },
  })
}

/** Sends a code to the phone of a customer; its answer is the same where none is sent. */
export async function sendPhoneCode({ address, ask, db, now }: OperationCaller): Promise<StepResult> {
  await countTry(db, 'second step by address', address, now)
  const answer = await ask.post(phoneCodePaths.send, {})
  return { headers: cookiesOf(answer), over: begunAgain[(await saidBy(answer)).code] ?? null }
}

/** By what the browser between the password and the second step may answer. */
export const secondStepWays = async ({ ask }: OperationCaller): Promise<SecondStepWays> =>
  (await ask.get(secondStepWaysPath)).json() as Promise<SecondStepWays>

/** The message when no sign-in waits for its second step any more. */
export const tooLate = 'Pasó demasiado tiempo. Escribe otra vez tu correo y tu contraseña.'

const begunAgain: Partial<Record<string, string>> = {
  INVALID_TWO_FACTOR_COOKIE: tooLate,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE:
    'Hubo demasiados códigos equivocados. Escribe otra vez tu correo y tu contraseña.',
  TOTP_NOT_ENABLED: 'Tu segundo factor cambió. Escribe otra vez tu correo y tu contraseña.',
  BACKUP_CODES_NOT_ENABLED: 'Tu segundo factor cambió. Escribe otra vez tu correo y tu contraseña.',
}

const usedRecovery = 'Ese código de recuperación no es correcto o ya se usó.'
const wrongCodes: Partial<Record<string, string>> = {
  INVALID_CODE: 'Ese código no es correcto. Escribe el que tu aplicación muestra ahora.',
  CODE_USED: 'Ese código ya se usó. Espera a que tu aplicación muestre el siguiente.',
  INVALID_BACKUP_CODE: usedRecovery,
}
const wrongPhoneCode = 'Ese código no es correcto o ya no sirve. Revisa tu WhatsApp, o pide otro.'
const wrongPhoneCodes: typeof wrongCodes = {
  INVALID_CODE: wrongPhoneCode,
  OTP_HAS_EXPIRED: wrongPhoneCode,
  NO_PROVED_PHONE: wrongPhoneCode,
}

/**
 * Removes a user's second factor and passkeys without a code: they lost their phone and their recovery codes. Their
 * sessions end. `actorId` is null for the operator of the server.
 */
export async function forgetSecondFactor(tx: Tx, userId: string, actorId: string | null): Promise<void> {
  await forgetPasskeys(tx, userId)
  await eraseSecondFactor(tx, userId)
  await tx
    .update(users)
    .set({ version: sql`${users.version} + 1` })
    .where(eq(users.id, userId))
  await endSessions(tx, userId)
  await record(tx, { entity: 'user', entityId: userId, actorId, name: 'remove_second_factor' })
}

/**
 * Whether a user has an active second factor, or passkeys; its row is locked until the transaction ends, as when they
 * turn it off themselves.
 */
export async function holdSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await tx
    .select({ on: twoFactors.verified })
    .from(twoFactors)
    .where(eq(twoFactors.userId, userId))
    .for('update')
  return row?.on || (await passkeysOf(tx, userId)).length > 0
}
