import { sql } from 'drizzle-orm'
import { customType, integer, timestamp, uuid } from 'drizzle-orm/pg-core'

/** The columns that most tables have, and the types Drizzle has no name for. */

export const id = () => uuid('id').primaryKey().default(sql`uuidv7()`)
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
export const now = (name: string) => at(name).notNull().defaultNow()
export const stamps = {
  createdAt: now('created_at'),
  updatedAt: now('updated_at').$onUpdate(() => new Date()),
  version: integer('version').notNull().default(1),
}
export const range = customType<{ data: string }>({ dataType: () => 'tstzrange' })
/** A JSON value as it is: Drizzle's own column reads the text "8" back as a number. */
export const json = <Value>(name: string) =>
  customType<{ data: Value; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => value as Value,
  })(name)
