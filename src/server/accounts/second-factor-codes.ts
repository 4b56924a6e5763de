import { eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { Refusal } from '../../domain/shared/refusal.ts'
import type { Tx } from '../platform/database/database.ts'
import { twoFactors } from '../platform/database/schema/account-schema.ts'
import { withoutCode } from './recovery-codes.ts'
import type { AskAuth } from './sign-in.ts'
import { fitsTotp } from './totp.ts'
import { spendTotpCode } from './used-codes.ts'

/** Refuses a code that the key does not make now, or that was used already; marks it as used. */
export async function demandTotp(tx: Tx, key: string, actor: Actor, code: string, now: Date) {
  if (!fitsTotp(key, code, now))
    wrongCode('Ese código no es correcto. Escribe el que tu aplicación muestra ahora.')
  if (!(await spendTotpCode(tx, actor.id, code, now)))
    wrongCode('Ese código ya se usó. Espera a que tu aplicación muestre el siguiente.')
}

/** Takes a recovery code off the list, or refuses it. */
export async function spendRecoveryCode(
  tx: Tx,
  ask: AskAuth,
  row: typeof twoFactors.$inferSelect,
  code: string,
) {
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
