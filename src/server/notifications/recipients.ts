import { and, eq } from 'drizzle-orm'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'

/** What a letter needs of whoever reads it. */
export const reader = {
  id: users.id,
  email: users.email,
  name: users.name,
  emailVerified: users.emailVerified,
  active: users.active,
}
export type Mailbox = {
  id: string
  email: string
  name: string | null
  emailVerified: boolean
  active: boolean
}

export const activeManagers = (db: Db): Promise<Mailbox[]> =>
  db
    .select(reader)
    .from(users)
    .where(and(eq(users.kind, 'manager'), users.active))
    .orderBy(users.id)

/** Somebody who works here; nobody who is inactive or has left the staff. */
export const activeStaff = (db: Db, id: string): Promise<Mailbox[]> =>
  db
    .select(reader)
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'staff'), users.active))
