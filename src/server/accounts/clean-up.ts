import { sql } from 'drizzle-orm'
import type { Db } from '../platform/database/database.ts'
import { clearEmailChanges } from './email-change-letters.ts'
import { clearLimits } from './limits.ts'
import { clearPasswordTries } from './sign-in-failures.ts'
import { clearUsedCodes } from './used-codes.ts'

/** How long a code that no longer serves is remembered, so that its link can say why. */
const codesKeptDays = 30

/** Takes away what has ended: sessions, limits, codes. */
export async function cleanUp(db: Db, now: Date): Promise<void> {
  await clearLimits(db, now)
  await clearPasswordTries(db, now)
  await clearUsedCodes(db, now)
  await clearEmailChanges(db, now, codesKeptDays)
  await db.execute(sql`delete from sessions where expires_at <= ${now}`)
  await db.execute(sql`delete from verifications where expires_at <= ${now}`)
  await db.execute(
    sql`delete from letter_codes where expires_at <= ${now}::timestamptz - make_interval(days => ${codesKeptDays})`,
  )
}
