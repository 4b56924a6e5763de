import { desc, eq, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { customerToActFor } from '../accounts/people.ts'
import type { Db } from '../platform/database/client.ts'
import { appointments } from '../platform/database/schema/appointments.ts'
import { payments } from '../platform/database/schema/payments.ts'
import { refuse } from '../shared/refusal.ts'
import { searchWords } from '../shared/search.ts'
import { usersPage } from '../users/queries.ts'
import { calledBy } from '../users/rules/user.ts'
import { projectHeadsOf } from './queries.ts'
import { mergesCustomers } from './rules/merge.ts'

const MAX_SHOWN = 10

/** A customer who may be the same person as another, and what says so. */
export type Duplicate = {
  id: string
  name: string
  email: string
  phone: string | null
  isPhone: boolean
  isName: boolean
}

type Found = { id: string; name: string | null; lastname: string | null; email: string; phone: string | null }

/**
 * Who may be the same person as a customer: of the same phone, which is stored in one form, or of the same name without
 * accents and capitals. For the manager only.
 */
export async function likelyDuplicates(
  db: Db,
  actor: Actor,
  { id, lastname, name, phone }: Omit<Found, 'email'>,
): Promise<Duplicate[]> {
  if (!mergesCustomers(actor)) refuse('permission-denied')
  const fullName = [name, lastname].filter(Boolean).join(' ')
  const { rows } = await db.execute<Found & { isPhone: boolean; isName: boolean }>(sql`
    with found as (
      (select id from users where phone = ${phone} limit 50)
      union (select id from users where ${sameName(fullName)} limit 50)
    ) select users.id, users.name, users.lastname, users.email, users.phone,
      coalesce(users.phone = ${phone}, false) as "isPhone", plain_text(users.full_name) = plain_text(${fullName}) as "isName"
    from found join users on users.id = found.id
    where users.role = 'customer' and users.active and users.deleted_at is null and users.id <> ${id}
    order by coalesce(users.phone = ${phone}, false) and plain_text(users.full_name) = plain_text(${fullName}) desc,
      coalesce(users.phone = ${phone}, false) desc, users.created_at desc, users.id
    limit ${sql.raw(String(MAX_SHOWN))}`)
  return rows.map((row) => ({ ...shown(row), isPhone: row.isPhone, isName: row.isName }))
}

/** By the index of words, of which the very name is a part. */
const sameName = (fullName: string) => {
  const words = searchWords(fullName)
  if (words.length === 0) return sql`false`
  return sql`person_words(name, lastname, email, phone) @@ (select format(beginning_with(${sql.param(words)}::text[]), '', '')::tsquery)
    and plain_text(full_name) = plain_text(${fullName})`
}

const shown = (row: Found) => ({ id: row.id, name: calledBy(row), email: row.email, phone: row.phone })

/** The active customers whom a search finds besides one of them: by name, phone in any form, or e-mail. */
export async function findDuplicates(
  db: Db,
  actor: Actor,
  customerId: string,
  text: string,
): Promise<Duplicate[]> {
  const filters = { text, role: 'customer' as const, active: true }
  const { rows } = await usersPage(db, actor, filters, undefined)
  return rows
    .filter(({ uid }) => uid !== customerId)
    .slice(0, MAX_SHOWN)
    .map((row) => ({ ...shown({ ...row, id: row.uid }), isPhone: false, isName: false }))
}

/** One of two customers beside the other: who they are, and what they have. For the manager only. */
export async function comparedCustomer(db: Db, actor: Actor, id: string) {
  if (!mergesCustomers(actor)) refuse('permission-denied')
  const [customer, projects, visits, money] = await Promise.all([
    customerToActFor(db, actor, id),
    projectHeadsOf(db, actor, id),
    db
      .select({
        id: appointments.id,
        folio: appointments.folio,
        service: appointments.service,
        state: appointments.state,
        startsAt: appointments.startsAt,
      })
      .from(appointments)
      .where(eq(appointments.customerId, id))
      .orderBy(desc(appointments.startsAt)),
    db
      .select({
        id: payments.id,
        folio: payments.folio,
        state: payments.state,
        amount: payments.amount,
        concept: payments.concept,
        reversesId: payments.reversesId,
      })
      .from(payments)
      .where(eq(payments.customerId, id))
      .orderBy(desc(payments.createdAt)),
  ])
  const { createdAt, email, emailVerified, lastname, name, phone } = customer
  const heads = projects.map(({ address, closedAt, createdAt: since, id: projectId, stored }) => ({
    id: projectId,
    stage: stored.stage,
    isOpen: closedAt === null,
    since,
    address,
  }))
  return {
    id,
    name: calledBy(customer),
    fullName: [name, lastname].filter(Boolean).join(' '),
    email,
    emailVerified,
    phone,
    createdAt,
    projects: heads,
    appointments: visits,
    payments: money,
  }
}

export type ComparedCustomer = Awaited<ReturnType<typeof comparedCustomer>>
