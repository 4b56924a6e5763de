import { and, asc, eq, ne } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Actor, isStaff } from '../access/rules/actor.ts'
import { noteRead } from '../accounts/privacy.ts'
import { type Db, isId, type Queryable, type Tx, transaction } from '../platform/database/client.ts'
import { documents, fiscalData, invoices, quotes } from '../platform/database/schema/payments.ts'
import { announce } from '../platform/live/announcements.ts'
import { agreedTotals } from '../quotes/rules/totals.ts'
import { lockQuote, quotesVisibleTo } from '../quotes/transition.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { refuse } from '../shared/refusal.ts'
import { amountIn, type Issuer, incomeOf, type Parties, type Receiver } from './rules/cfdi.ts'
import type { Cfdi } from './rules/cfdi-schema.ts'
import {
  type InvoiceKind,
  type InvoiceObstacle,
  invoiceMachine,
  mayAskForInvoice,
  obstacleWords,
} from './rules/invoice.ts'
import { unknownKeys } from './rules/sat-catalogues.ts'
import { type CfdiUse, publicRfc, type Regime } from './rules/taxpayer.ts'
import { insertInvoice, movementsOf, paidAtOnce, visibleInvoices } from './sync-invoices.ts'

/** Asks for the invoice of an accepted quote. Asked for twice, it is one; after a cancelled one it may be asked for again. */
export async function askForInvoice(db: Db, actor: Actor, quoteId: string): Promise<void> {
  const { settings } = await currentStaffing(db)
  const people = await transaction(db, (tx) => ask(tx, actor, quoteId, settings))
  announce(db, { people })
}

async function ask(tx: Tx, actor: Actor, quoteId: string, settings: Settings): Promise<string[]> {
  const { quote } = await lockQuote(tx, actor, quoteId)
  const { customerId, projectId } = quote
  if (!mayAskForInvoice(actor, customerId)) refuse('permission-denied')
  if (await livingIncome(tx, quoteId)) return []
  const totals = quote.state === 'accepted' ? agreedTotals(quote) : null
  if (!totals) return refuse('failed-precondition', 'Solo se factura una cotización aceptada.')
  const parties = await partiesFor(tx, customerId, settings)
  const stopped = (by: InvoiceObstacle) => refuse('failed-precondition', obstacleWords[by][actor.role])
  if (typeof parties === 'string') return stopped(parties)
  const { received } = await movementsOf(tx, quote)
  if (received.length === 0) stopped('unpaid')
  if (await hasFormer(tx, quote)) stopped('former')
  const request = incomeOf(parties, totals, paidAtOnce(received)) ?? stopped('nothing')
  const asked = { projectId, customerId, quoteId, kind: 'income', total: totals.total } as const
  await insertInvoice(tx, { ...asked, request, requestedBy: actor.id })
  return [customerId]
}

async function livingIncome(db: Queryable, quoteId: string) {
  const [living] = await db
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.quoteId, quoteId), eq(invoices.kind, 'income'), ne(invoices.state, 'cancelled')))
  return living ?? null
}

/** Whether a version that this one replaced is invoiced still: what was paid would be declared twice. */
async function hasFormer(
  db: Queryable,
  { folio, id }: Pick<typeof quotes.$inferSelect, 'folio' | 'id'>,
): Promise<boolean> {
  const living = and(eq(invoices.kind, 'income'), ne(invoices.state, 'cancelled'))
  const [former] = await db
    .select({ id: invoices.id })
    .from(invoices)
    .innerJoin(quotes, eq(quotes.id, invoices.quoteId))
    .where(and(living, eq(quotes.folio, folio), ne(quotes.id, id)))
    .limit(1)
  return former !== undefined
}

/** Who invoices whom, or what is missing for it. */
async function partiesFor(
  db: Queryable,
  customerId: string,
  { issuer }: Settings,
): Promise<Parties | Extract<InvoiceObstacle, 'fiscal' | 'generic' | 'issuer'>> {
  const [fiscal] = await db.select().from(fiscalData).where(eq(fiscalData.customerId, customerId))
  if (!fiscal || fiscal.state === 'draft' || fiscal.state === 'rejected') return 'fiscal'
  if (fiscal.rfc === publicRfc) return 'generic'
  if (!issuer.rfc || !issuer.name || !issuer.regime || !issuer.postalCode) return 'issuer'
  // What is stored was judged by the same catalogues when it was written.
  const receiver: Receiver = {
    rfc: fiscal.rfc,
    legalName: fiscal.legalName,
    postalCode: fiscal.postalCode,
    regime: fiscal.regime as Regime,
    cfdiUse: fiscal.cfdiUse as CfdiUse,
  }
  return { issuer: { ...issuer, regime: issuer.regime as Regime } as Issuer, receiver }
}

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
  const [rows, offered] = await Promise.all([
    db
      .select(told)
      .from(invoices)
      .leftJoin(quotes, eq(quotes.id, invoices.quoteId))
      .leftJoin(xml, eq(xml.id, invoices.xmlId))
      .leftJoin(pdf, eq(pdf.id, invoices.pdfId))
      .where(seen)
      .orderBy(...order),
    sold(db, actor, projectId),
  ])
  return { invoices: rows, invoiceable: await invoiceable(db, offered, rows) }
}

/** The same for users who manage invoices, with the data that only they need. */
export async function invoiceDesk(db: Db, actor: Actor, projectId: string) {
  const { order, seen } = listed(db, actor, projectId)
  const { request, version, providerError, providerId } = invoices
  const [rows, offered] = await Promise.all([
    db
      .select({ ...told, request, version, providerError, providerId, customerId: invoices.customerId })
      .from(invoices)
      .leftJoin(quotes, eq(quotes.id, invoices.quoteId))
      .leftJoin(xml, eq(xml.id, invoices.xmlId))
      .leftJoin(pdf, eq(pdf.id, invoices.pdfId))
      .where(seen)
      .orderBy(...order),
    sold(db, actor, projectId),
  ])
  const customerId = rows[0]?.customerId
  const [free] = await Promise.all([
    invoiceable(db, offered, rows),
    customerId && noteRead(db, actor, { customerId, what: 'invoices', subjectId: projectId }),
  ])
  return {
    invoices: rows.map(({ request: asked, ...row }) => ({
      ...row,
      ...inShort(asked as Cfdi),
      canIssue: invoiceMachine.can('issue', actor, row),
      canCancel: invoiceMachine.can(row.state === 'requested' ? 'drop' : 'cancel', actor, row),
    })),
    invoiceable: free,
  }
}

/** The summary of a request for the user who stamps it by hand. */
const inShort = (request: Cfdi) => ({
  receiver: `${request.Receptor.Rfc} ${request.Receptor.Nombre}`,
  amount: amountIn(request),
  terms: request.TipoDeComprobante === 'P' ? null : { method: request.MetodoPago, form: request.FormaPago },
  unknownKeys: request.TipoDeComprobante === 'P' ? [] : unknownKeys(request.Conceptos),
})

type Asked = { quoteId: string | null; kind: InvoiceKind; state: string }
type Invoiceable = { quoteId: string; folio: string; total: number; obstacle: InvoiceObstacle | null }

/** What of a project may be invoiced, and by whom. */
async function sold(db: Db, actor: Actor, projectId: string) {
  const [accepted, { settings }] = await Promise.all([
    db
      .select()
      .from(quotes)
      .where(and(eq(quotes.projectId, projectId), eq(quotes.state, 'accepted'), quotesVisibleTo(actor)))
      .orderBy(asc(quotes.acceptedAt)),
    currentStaffing(db),
  ])
  return { accepted, settings }
}

/** The accepted quotes that have no living invoice, each with what keeps it from one. */
async function invoiceable(
  db: Db,
  { accepted, settings }: Awaited<ReturnType<typeof sold>>,
  asked: readonly Asked[],
): Promise<Invoiceable[]> {
  const free = accepted.filter(
    ({ id }) =>
      !asked.some(({ kind, quoteId, state }) => quoteId === id && kind === 'income' && state !== 'cancelled'),
  )
  return Promise.all(
    free.map(async (quote) => {
      const total = agreedTotals(quote)?.total ?? 0
      const [parties, { received }] = await Promise.all([
        partiesFor(db, quote.customerId, settings),
        movementsOf(db, quote),
      ])
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

/** The request of an invoice, as a file for the user who stamps it; only for staff who manage invoices. */
export async function requestFile(db: Queryable, actor: Actor, id: string) {
  const [row] =
    isId(id) && isStaff(actor)
      ? await db
          .select({
            request: invoices.request,
            kind: invoices.kind,
            folio: quotes.folio,
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
