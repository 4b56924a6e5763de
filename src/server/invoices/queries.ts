import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Actor, StaffKind } from '../../domain/access/actor.ts'
import { warningOfRfc } from '../../domain/invoices/taxpayer.ts'
import { isNotDeleted } from '../accounts/blocked.ts'
import { noteRead } from '../accounts/reads.ts'
import type { Queryable } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { documents, fiscalData, quotes } from '../platform/database/schema/money-schema.ts'

const none = sql`false`
/** A draft is nobody's but its writer's. */
const wasSent = ne(fiscalData.state, 'draft')
const seenByStaff: Record<StaffKind, SQL> = {
  manager: wasSent,
  analyst: sql`${wasSent} and ${isNotDeleted(fiscalData.customerId)}`,
  tecnician: none,
  gester: none,
  alliate: none,
}

/** The fiscal data an actor may see. For everyone else they do not exist. */
const visible = (actor: Actor) =>
  actor.role === 'customer' ? eq(fiscalData.customerId, actor.id) : seenByStaff[actor.kind]

/** Somebody's fiscal data with their Constancia, for whoever may see them; null where there are none to see. That the staff looked leaves a row. */
export async function fiscalFor(db: Queryable, actor: Actor, customerId: string) {
  const [row] = await db
    .select({
      fiscal: fiscalData,
      constancia: { id: documents.id, name: documents.name, bytes: documents.bytes },
    })
    .from(fiscalData)
    .leftJoin(documents, eq(documents.id, fiscalData.constanciaId))
    .where(and(eq(fiscalData.customerId, customerId), visible(actor)))
  if (!row) return null
  await noteRead(db, actor, { customerId, what: 'fiscal' })
  return { ...row.fiscal, constancia: row.constancia, warning: warningOfRfc(row.fiscal.rfc) }
}
export type ShownFiscal = NonNullable<Awaited<ReturnType<typeof fiscalFor>>>

/** The same of whom a quote is for. */
export async function fiscalOfQuote(db: Queryable, actor: Actor, quoteId: string) {
  if (!isId(quoteId)) return null
  const [quote] = await db
    .select({ customerId: quotes.customerId })
    .from(quotes)
    .where(eq(quotes.id, quoteId))
  return quote ? fiscalFor(db, actor, quote.customerId) : null
}
