import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Actor, kindLabels } from '../../domain/access/actor.ts'
import { type ReadOf, readLabels } from '../../domain/accounts/privacy.ts'
import type { DocumentPurpose } from '../../domain/documents/document.ts'
import { calledBy, managesPeople } from '../../domain/users/user.ts'
import type { Db, Queryable } from '../platform/database/client.ts'
import { dataReads, users } from '../platform/database/schema/accounts.ts'
import { cfePapers } from '../platform/database/schema/cfe.ts'

type Read = { customerId: string; what: Exclude<ReadOf, 'blocked'>; subjectId?: string }

/**
 * Leaves a row that somebody of the staff read what is somebody's own; customers who read theirs leave none. Called by
 * the queries themselves, so that no screen can forget it. Within ten minutes the same look is one row.
 */
export async function noteRead(
  db: Queryable,
  reader: Actor,
  { customerId, subjectId, what }: Read,
): Promise<void> {
  if (reader.role !== 'staff') return
  await db
    .insert(dataReads)
    .values({ readerId: reader.id, customerId, what, subjectId: subjectId ?? customerId })
    .onConflictDoNothing()
}

const readOfPurpose: Partial<Record<DocumentPurpose, Read['what']>> = {
  constancia: 'constancia',
  invoice_xml: 'invoice_file',
  invoice_pdf: 'invoice_file',
}

/** What reading a document is recorded as; null where it is nothing of the tax office's. A case with CFE wants the Constancia too. */
export async function readOf(
  db: Queryable,
  { id, purpose }: { id: string; purpose: DocumentPurpose },
): Promise<Read['what'] | null> {
  if (purpose !== 'cfe_paper') return readOfPurpose[purpose] ?? null
  const isConstancia = and(eq(cfePapers.documentId, id), eq(cfePapers.name, 'constancia'))
  const [paper] = await db.select({ caseId: cfePapers.caseId }).from(cfePapers).where(isConstancia)
  return paper ? 'constancia' : null
}

/** Who of the staff read a customer's fiscal data and invoices, for themselves: by their job, the newest first. */
export async function ownReads(db: Db, customerId: string) {
  const rows = await db
    .select({ what: dataReads.what, at: dataReads.at, kind: users.kind })
    .from(dataReads)
    .innerJoin(users, eq(users.id, dataReads.readerId))
    .where(eq(dataReads.customerId, customerId))
    .orderBy(desc(dataReads.id))
  return rows.map(({ at, kind, what }) => ({
    Qué: readLabels[what],
    Quién: kind ? kindLabels[kind] : 'Alguien que ya no trabaja aquí',
    Cuándo: at,
  }))
}

const shownAtOnce = 50

/** The latest looks of the staff at a customer's fiscal data and invoices, the newest first, by name; for the manager only. */
export async function readsOf(db: Db, actor: Actor, customerId: string) {
  if (!managesPeople(actor)) return []
  const rows = await db
    .select({
      ...{ id: dataReads.id, what: dataReads.what, at: dataReads.at },
      ...{ name: users.name, lastname: users.lastname, email: users.email, kind: users.kind },
    })
    .from(dataReads)
    .innerJoin(users, eq(users.id, dataReads.readerId))
    .where(eq(dataReads.customerId, customerId))
    .orderBy(desc(dataReads.id))
    .limit(shownAtOnce)
  return rows.map(({ at, id, what, ...by }) => ({
    ...{ id, at, what: readLabels[what] },
    who: [calledBy(by), by.kind && kindLabels[by.kind]].filter(Boolean).join(', '),
  }))
}

/**
 * Leaves out what the law has us keep of customers whose accounts were deleted: nobody works with it any more, and only
 * the manager reads it. Takes the column of the customer.
 */
export const isNotDeleted = (customerId: AnyPgColumn): SQL =>
  sql`${customerId} not in (select id from users where deleted_at is not null)`
