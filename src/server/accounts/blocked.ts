import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/**
 * Leaves out what the law has us keep of customers whose accounts were deleted: nobody works with it any more, and only
 * the manager reads it. Takes the column of the customer.
 */
export const isNotDeleted = (customerId: AnyPgColumn): SQL =>
  sql`${customerId} not in (select id from users where deleted_at is not null)`
