import { eq } from 'drizzle-orm'
import type { Db } from '../platform/database/database.ts'
import { accounts } from '../platform/database/schema/account-schema.ts'
import { isFirebase } from './firebase-password.ts'
import { hashedPassword, isPassword } from './hashing.ts'

/** Whether somebody typed the password that is kept so. One that was brought from Firebase is from then on kept as ours are. */
export async function isPasswordRenewed(db: Db, { hash, password }: { hash: string; password: string }) {
  const right = await isPassword({ hash, password })
  if (right && isFirebase(hash)) {
    const renewed = await hashedPassword(password)
    // Nobody else's is kept so, since it has a salt of its own; who changed theirs meanwhile keeps that.
    await db
      .update(accounts)
      .set({ password: renewed, updatedAt: new Date() })
      .where(eq(accounts.password, hash))
  }
  return right
}
