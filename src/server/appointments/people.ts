import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { users } from '../database/account-schema.ts'

/** The two people of an appointment, for joins. */
export const customer = alias(users, 'customer')
export const assignee = alias(users, 'assignee')

/** Name and last name, the empty text for nobody. */
export const fullName = (person: typeof customer | typeof assignee) =>
  sql<string>`concat_ws(' ', ${person.name}, ${person.lastname})`
