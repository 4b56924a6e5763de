import { and, eq, gt } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { drawQr, type QrDrawing } from '../app/qr.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { twoFactors, users } from '../platform/database/schema/accounts.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { countTry } from './limits.ts'
import { assertPassword } from './own-password.ts'
import { endSessions } from './providers.ts'
import {
  assertTotp,
  base32,
  countCodes,
  newRecoveryCodes,
  newTotpKey,
  totpUri,
} from './second-factor-codes.ts'
import type { AskAuth } from './sign-in.ts'

/** Minutes to show the first code after the QR code appeared. */
const startedMinutes = 15

/** Who changes it: the person, and the session that asks. */
type Own = { actor: Actor; sessionId: string }
type Row = typeof twoFactors.$inferSelect

/** What the account page shows: off, begun here and waiting for a first code, or on with this many recovery codes left. */
export type SecondFactor =
  | { state: 'off' }
  | { state: 'begun'; secret: string; qr: QrDrawing }
  | { state: 'on'; codesLeft: number }

export async function secondFactorOf(
  db: Db,
  ask: AskAuth,
  { actor, sessionId }: Own,
  brand: string,
  now: Date,
): Promise<SecondFactor> {
  const [row] = await db.select().from(twoFactors).where(eq(twoFactors.userId, actor.id))
  // By the row: the actor is as the request found them, also when this very request turned it on.
  if (row?.verified) return { state: 'on', codesLeft: countCodes(await ask.unsealed(row.backupCodes)) }
  if (!row || row.sessionId !== sessionId || row.startedAt < startedSince(now)) return { state: 'off' }
  const key = await ask.unsealed(row.secret)
  return { state: 'begun', secret: base32(key), qr: drawQr(totpUri(key, brand, actor.email)) }
}

const startedSince = (now: Date) => new Date(now.getTime() - startedMinutes * 60_000)

/** Begins: a fresh secret that only this session is shown, until a first code proves that the authenticator has it. */
export async function startSecondFactor(
  db: Db,
  ask: AskAuth,
  { actor, sessionId }: Own,
  password: string,
  now: Date,
): Promise<void> {
  if (actor.role !== 'staff') refuse('permission-denied')
  await assertPassword(db, actor, password, now)
  const secret = await ask.sealed(newTotpKey())
  await transaction(db, async (tx) => {
    await refuseWhenOn(tx, actor)
    await tx.delete(twoFactors).where(eq(twoFactors.userId, actor.id))
    await tx
      .insert(twoFactors)
      .values({ userId: actor.id, secret, backupCodes: '', verified: false, startedAt: now, sessionId })
  })
}

/** Turns it on with a first code, and answers the recovery codes: nothing can show them again. The other sessions end. */
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
    await tx.update(users).set({ twoFactorEnabled: true }).where(eq(users.id, actor.id))
    await endSessions(tx, actor.id, { except: sessionId })
    await record(tx, { ...by(actor), name: 'turn_on_second_factor' })
    await enqueue(tx, 'account-letter', { letter: 'second_factor_on', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
  return codes
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
