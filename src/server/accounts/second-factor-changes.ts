import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { record } from '../platform/database/changes.ts'
import { type Db, type Tx, transaction } from '../platform/database/database.ts'
import { twoFactors } from '../platform/database/schema/account-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { eraseSecondFactor } from './forget-second-factor.ts'
import { countTry } from './limits.ts'
import { demandPassword } from './own-password.ts'
import { newRecoveryCodes } from './recovery-codes.ts'
import { demandTotp, spendRecoveryCode } from './second-factor-codes.ts'
import type { AskAuth } from './sign-in.ts'

type Row = typeof twoFactors.$inferSelect

type Proof = { currentPassword: string; code: string }

/** New recovery codes; the old ones serve no more. */
export async function renewRecoveryCodes(
  db: Db,
  ask: AskAuth,
  actor: Actor,
  proof: Proof,
  now: Date,
): Promise<string[]> {
  const { codes, kept } = newRecoveryCodes()
  const backupCodes = await ask.sealed(kept)
  await withProof(db, ask, actor, proof, now, async (tx, row) => {
    await tx.update(twoFactors).set({ backupCodes }).where(eq(twoFactors.id, row.id))
    await record(tx, { ...by(actor), name: 'renew_recovery_codes' })
    await enqueue(tx, 'account-letter', { letter: 'recovery_codes_renewed', userId: actor.id })
  })
  return codes
}

/** Turns it off; secret and recovery codes are forgotten. */
export async function turnOffSecondFactor(
  db: Db,
  ask: AskAuth,
  actor: Actor,
  proof: Proof,
  now: Date,
): Promise<void> {
  await withProof(db, ask, actor, proof, now, async (tx) => {
    await eraseSecondFactor(tx, actor.id)
    await record(tx, { ...by(actor), name: 'turn_off_second_factor' })
    await enqueue(tx, 'account-letter', { letter: 'second_factor_off', userId: actor.id })
  })
  announce(db, { people: [actor.id], desk: false })
}

/** A change that takes the password and a code, of the authenticator or of recovery; either serves once. */
async function withProof(
  db: Db,
  ask: AskAuth,
  actor: Actor,
  { currentPassword, code }: Proof,
  now: Date,
  change: (tx: Tx, row: Row) => Promise<void>,
): Promise<void> {
  await demandPassword(db, actor, currentPassword, now)
  await countTry(db, 'second factor by account', actor.id, now)
  await transaction(db, async (tx) => {
    const [row] = await tx
      .select()
      .from(twoFactors)
      .where(and(eq(twoFactors.userId, actor.id), eq(twoFactors.verified, true)))
      .for('update')
    if (!row) refuse('failed-precondition', 'Tu segundo factor ya no está activado.')
    if (code.includes('-')) await spendRecoveryCode(tx, ask, row, code)
    else await demandTotp(tx, await ask.unsealed(row.secret), actor, code, now)
    await change(tx, row)
  })
}

const by = ({ id }: Actor) => ({ entity: 'user', entityId: id, actorId: id })
