import { and, eq, ne } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { type Issuer, incomeOf, type Parties, type Receiver } from '../../domain/invoices/cfdi.ts'
import { type InvoiceObstacle, mayAskForInvoice, obstacleWords } from '../../domain/invoices/invoice.ts'
import { type CfdiUse, publicRfc, type Regime } from '../../domain/invoices/taxpayer.ts'
import type { Settings } from '../../domain/settings/settings-schema.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { type Db, type Queryable, type Tx, transaction } from '../platform/database/database.ts'
import { fiscalData, invoices, quotes } from '../platform/database/schema/money-schema.ts'
import { announce } from '../platform/live/announcements.ts'
import { holdQuote } from '../quotes/changes.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { acceptedTotals, movementsOf, paidAtOnce } from './money.ts'
import { insertInvoice } from './rows.ts'

/** Asks for the invoice of an accepted quote. Asked for twice, it is one; after a cancelled one it may be asked for again. */
export async function askForInvoice(db: Db, actor: Actor, quoteId: string): Promise<void> {
  const { settings } = await currentStaffing(db)
  const people = await transaction(db, (tx) => ask(tx, actor, quoteId, settings))
  announce(db, { people })
}

async function ask(tx: Tx, actor: Actor, quoteId: string, settings: Settings): Promise<string[]> {
  const { quote } = await holdQuote(tx, actor, quoteId)
  const { customerId, projectId } = quote
  if (!mayAskForInvoice(actor, customerId)) refuse('permission-denied')
  if (await livingIncome(tx, quoteId)) return []
  const totals = quote.state === 'accepted' ? acceptedTotals(quote) : null
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
export async function hasFormer(
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
export async function partiesFor(
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
    ...{ rfc: fiscal.rfc, legalName: fiscal.legalName, postalCode: fiscal.postalCode },
    ...{ regime: fiscal.regime as Regime, cfdiUse: fiscal.cfdiUse as CfdiUse },
  }
  return { issuer: { ...issuer, regime: issuer.regime as Regime } as Issuer, receiver }
}
