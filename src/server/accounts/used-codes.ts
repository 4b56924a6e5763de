import { sql } from 'drizzle-orm'
import type { Queryable } from '../platform/database/database.ts'

/** By then a code of the authenticator serves nobody any more; the same six digits may come again another day. */
const rememberedMinutes = 5

/** Marks a code of the authenticator as used; false when it was used already, also of two at once. */
export async function spendTotpCode(
  db: Queryable,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into used_totp_codes as used (user_id, code, used_at) values (${userId}, ${code}, ${now})
    on conflict (user_id, code) do update set used_at = excluded.used_at
      where used.used_at < ${now}::timestamptz - make_interval(mins => ${rememberedMinutes})`)
  return rowCount === 1
}

/** Takes away what no longer needs to be remembered. */
export async function clearUsedCodes(db: Queryable, now: Date): Promise<void> {
  await db.execute(
    sql`delete from used_totp_codes where used_at < ${now}::timestamptz - make_interval(mins => ${rememberedMinutes})`,
  )
}
