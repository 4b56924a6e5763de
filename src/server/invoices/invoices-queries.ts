import { and, asc, eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '../../domain/access/actor.ts'
import { amountIn } from '../../domain/invoices/cfdi.ts'
import type { Cfdi } from '../../domain/invoices/cfdi-schema.ts'
import { type InvoiceKind, type InvoiceObstacle, invoiceMachine } from '../../domain/invoices/invoice.ts'
import { unknownKeys } from '../../domain/invoices/sat-catalogues.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { noteRead } from '../accounts/reads.ts'
import type { Db, Queryable } from '../platform/database/database.ts'
import { isId } from '../platform/database/ids.ts'
import { documents, invoices, quotes } from '../platform/database/schema/money-schema.ts'
import { quotesVisibleTo } from '../quotes/visible.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { acceptedTotals, movementsOf } from './money.ts'
import { hasFormer, partiesFor } from './request.ts'
import { visibleInvoices } from './visible.ts'

const xml = alias(documents, 'xml')
const pdf = alias(documents, 'pdf')

const told = {
  id: invoices.id,
  kind: invoices.kind,
  state: invoices.state,
  total: invoices.total,
  uuid: invoices.uuid,
  createdAt: invoices.createdAt,
  issuedAt: invoices.issuedAt,
  cancelReason: invoices.cancelReason,
  quoteId: invoices.quoteId,
  folio: quotes.folio,
  xml: { id: xml.id, name: xml.name, bytes: xml.bytes },
  pdf: { id: pdf.id, name: pdf.name, bytes: pdf.bytes },
}

const listed = (db: Queryable, actor: Actor, projectId: string) => {
  const seen = and(eq(invoices.projectId, projectId), visibleInvoices(actor))
  return { seen, order: [asc(invoices.createdAt), asc(invoices.id)], db }
}

/** The invoices of a project and what may be invoiced of it, for its customer. */
export async function ownInvoicing(db: Db, actor: Actor, projectId: string) {
  const { order, seen } = listed(db, actor, projectId)
  const rows = await db
    .select(told)
    .from(invoices)
    .leftJoin(quotes, eq(quotes.id, invoices.quoteId))
    .leftJoin(xml, eq(xml.id, invoices.xmlId))
    .leftJoin(pdf, eq(pdf.id, invoices.pdfId))
    .where(seen)
    .orderBy(...order)
  return { invoices: rows, invoiceable: await invoiceable(db, actor, projectId, rows) }
}

/** The same for whoever sees to invoices, with what only they need. */
export async function invoiceDesk(db: Db, actor: Actor, projectId: string) {
  const { order, seen } = listed(db, actor, projectId)
  const { request, version, providerError, providerId } = invoices
  const rows = await db
    .select({ ...told, request, version, providerError, providerId, customerId: invoices.customerId })
    .from(invoices)
    .leftJoin(quotes, eq(quotes.id, invoices.quoteId))
    .leftJoin(xml, eq(xml.id, invoices.xmlId))
    .leftJoin(pdf, eq(pdf.id, invoices.pdfId))
    .where(seen)
    .orderBy(...order)
  const customerId = rows[0]?.customerId
  if (customerId) await noteRead(db, actor, { customerId, what: 'invoices', subjectId: projectId })
  return {
    invoices: rows.map(({ request: asked, ...row }) => ({
      ...row,
      ...inShort(asked as Cfdi),
      canIssue: invoiceMachine.can('issue', actor, row),
      canCancel: invoiceMachine.can(row.state === 'requested' ? 'drop' : 'cancel', actor, row),
    })),
    invoiceable: await invoiceable(db, actor, projectId, rows),
  }
}

/** The same of the project that a quote is of. */
export async function invoiceDeskOfQuote(db: Db, actor: Actor, quoteId: string) {
  const [quote] = await db
    .select({ projectId: quotes.projectId })
    .from(quotes)
    .where(and(eq(quotes.id, quoteId), quotesVisibleTo(actor)))
  return quote ? invoiceDesk(db, actor, quote.projectId) : null
}

/** What whoever stamps a request by hand wants to see of it. */
const inShort = (request: Cfdi) => ({
  receiver: `${request.Receptor.Rfc} ${request.Receptor.Nombre}`,
  amount: amountIn(request),
  terms: request.TipoDeComprobante === 'P' ? null : { method: request.MetodoPago, form: request.FormaPago },
  unknownKeys: request.TipoDeComprobante === 'P' ? [] : unknownKeys(request.Conceptos),
})

type Asked = { quoteId: string | null; kind: InvoiceKind; state: string }
export type Invoiceable = { quoteId: string; folio: string; total: number; obstacle: InvoiceObstacle | null }

/** The accepted quotes of a project that have no living invoice, each with what keeps it from one. */
async function invoiceable(
  db: Db,
  actor: Actor,
  projectId: string,
  asked: readonly Asked[],
): Promise<Invoiceable[]> {
  const accepted = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.projectId, projectId), eq(quotes.state, 'accepted'), quotesVisibleTo(actor)))
    .orderBy(asc(quotes.acceptedAt))
  const { settings } = await currentStaffing(db)
  const free = accepted.filter(
    ({ id }) =>
      !asked.some(({ kind, quoteId, state }) => quoteId === id && kind === 'income' && state !== 'cancelled'),
  )
  return Promise.all(
    free.map(async (quote) => {
      const total = acceptedTotals(quote)?.total ?? 0
      const parties = await partiesFor(db, quote.customerId, settings)
      const { received } = await movementsOf(db, quote)
      const obstacle: InvoiceObstacle | null =
        typeof parties === 'string'
          ? parties
          : received.length === 0
            ? 'unpaid'
            : (await hasFormer(db, quote))
              ? 'former'
              : total === 0
                ? 'nothing'
                : null
      return { quoteId: quote.id, folio: quote.folio, total, obstacle }
    }),
  )
}

/** What an invoice was asked for with, as a file for whoever stamps it; only staff who see to invoices. */
export async function requestFile(db: Queryable, actor: Actor, id: string) {
  const [row] =
    isId(id) && actor.role === 'staff'
      ? await db
          .select({
            ...{ request: invoices.request, kind: invoices.kind, folio: quotes.folio },
            customerId: invoices.customerId,
          })
          .from(invoices)
          .leftJoin(quotes, eq(quotes.id, invoices.quoteId))
          .where(and(eq(invoices.id, id), visibleInvoices(actor)))
      : []
  if (!row) return refuse('not-found')
  await noteRead(db, actor, { customerId: row.customerId, what: 'invoice_request', subjectId: id })
  return { request: row.request as Cfdi, name: `${row.kind}-${row.folio ?? id}.json` }
}

export type OwnInvoicing = Awaited<ReturnType<typeof ownInvoicing>>
export type InvoiceDesk = Awaited<ReturnType<typeof invoiceDesk>>
