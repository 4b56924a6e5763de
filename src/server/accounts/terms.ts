import { and, eq, isNull } from 'drizzle-orm'
import { users } from '../database/account-schema.ts'
import type { Queryable } from '../database/database.ts'

/** Notes what somebody agreed to whose account they did not make themselves; what was noted before stays. */
export const acceptTerms = (db: Queryable, userId: string, version: string, now: Date) =>
  db
    .update(users)
    .set({ termsVersion: version, termsAcceptedAt: now })
    .where(and(eq(users.id, userId), isNull(users.termsAcceptedAt)))
