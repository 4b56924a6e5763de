import { and, eq } from 'drizzle-orm'
import type { Db } from '../platform/database/client.ts'
import { users } from '../platform/database/schema/accounts.ts'

/** Whom an e-mail goes to. An unverified address may be somebody else's mailbox. */
export type Recipient = {
  /** Empty where the mailbox is no account's. */
  id: string
  email: string
  name: string | null
  emailVerified: boolean
  active: boolean
}

/** The columns of a recipient. */
export const recipient = {
  id: users.id,
  email: users.email,
  name: users.name,
  emailVerified: users.emailVerified,
  active: users.active,
}

/** A mailbox of which nothing is known but its address. */
export const mailbox = (email: string, id = ''): Recipient => ({
  id,
  email,
  name: null,
  emailVerified: false,
  active: true,
})

/** The customer of what an e-mail is about, unless their account is inactive. */
export const activeCustomer = (_db: Db, { customer }: { customer: Recipient }) =>
  customer.active ? [customer] : []

export const activeManagers = (db: Db): Promise<Recipient[]> =>
  db
    .select(recipient)
    .from(users)
    .where(and(eq(users.kind, 'manager'), users.active))
    .orderBy(users.id)

/** A member of staff; nobody where they are inactive or have left. */
export const activeStaff = (db: Db, id: string): Promise<Recipient[]> =>
  db
    .select(recipient)
    .from(users)
    .where(and(eq(users.id, id), eq(users.role, 'staff'), users.active))

/** A member of staff, or the managers where there is none, or they left. */
export async function staffOrManagers(db: Db, id: string | null): Promise<Recipient[]> {
  const own = id ? await activeStaff(db, id) : []
  return own.length > 0 ? own : activeManagers(db)
}
