import { eq, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { writesQuotes } from '../../domain/quotes/quote.ts'
import type { Db } from '../platform/database/database.ts'
import { users } from '../platform/database/schema/account-schema.ts'
import { quotes } from '../platform/database/schema/money-schema.ts'

/** Who made quotes, by name, for those who write them. */
export async function quoteMakers(db: Db, actor: Actor): Promise<{ id: string; name: string }[]> {
  if (!writesQuotes(actor)) return []
  return db
    .select({ id: users.id, name: users.fullName })
    .from(users)
    .where(sql`exists (select from quotes where ${eq(quotes.madeBy, users.id)})`)
    .orderBy(sql`${users.fullName} collate es`, users.id)
}
