import { eq, type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { seesToInvoices } from '../../domain/invoices/invoice.ts'
import { invoices } from '../database/money-schema.ts'
import { isNotDeleted } from '../privacy/blocked.ts'

/** The invoices an actor may see. For everyone else they do not exist. */
export const visibleInvoices = (actor: Actor): SQL | undefined =>
  actor.role === 'customer'
    ? eq(invoices.customerId, actor.id)
    : seesToInvoices(actor)
      ? actor.kind === 'manager'
        ? undefined
        : isNotDeleted(invoices.customerId)
      : sql`false`
