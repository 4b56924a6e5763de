import { alias } from 'drizzle-orm/pg-core'
import { users } from '../platform/database/schema/account-schema.ts'

/** The two people of an appointment, for joins. */
export const customer = alias(users, 'customer')
export const assignee = alias(users, 'assignee')
