import { eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { seesToInvoices } from '../../domain/invoices/invoice.ts'
import { isNotDeleted } from '../accounts/blocked.ts'
import { invoices } from '../platform/database/schema/money-schema.ts'

/** The invoices an actor may see. For everyone else they do not exist. */
export const visibleInvoices = (actor: Actor): SQL | undefined =>
  actor.role === 'customer'
    ? eq(invoices.customerId, actor.id)
    : seesToInvoices(actor)
      ? actor.kind === 'manager'
        ? undefined
        : isNotDeleted(invoices.customerId)
      : sql`false`
