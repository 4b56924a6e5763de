import { createHash, randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Actor } from '../../domain/access/actor.ts'
import { differencesOf } from '../../domain/invoices/cfdi-amounts.ts'
import { invoiceKindLabels, seesToInvoices } from '../../domain/invoices/invoice.ts'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import type { Taken } from '../documents/intake.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { invoices, quotes } from '../platform/database/schema/money-schema.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'
import { NotStamped, type Stamper, stamp, stampedFiles } from './facturapi.ts'
import { issue } from './issue.ts'
import { holdInvoice, type InvoiceRow } from './rows.ts'
import { readStamped } from './stamped.ts'

/**
 * Has a requested invoice stamped and issues it. What went wrong is kept for staff to read; throws where another try may
 * help, so that the job is tried again. However often it is tried, it is stamped once.
 */
export async function stampInvoice(
  db: Db,
  drive: Drive,
  stamper: Stamper | null,
  invoiceId: string,
  now: Date,
): Promise<void> {
  const [row] = stamper ? await db.select().from(invoices).where(eq(invoices.id, invoiceId)) : []
  if (!stamper || !row || row.state !== 'requested') return
  const invoice = row as InvoiceRow
  if (!(await isAgreed(db, invoice))) return note(db, invoice, overWords)
  try {
    const providerId = invoice.providerId ?? (await stampNew(db, stamper, invoice))
    const files = await stampedFiles(stamper, providerId)
    const uuid = uuidOf(invoice, files.xml)
    const papers = {
      xml: await kept(drive, invoice, 'invoice_xml', files.xml),
      pdf: await kept(drive, invoice, 'invoice_pdf', files.pdf),
    }
    await issue(db, drive, 'system', { invoiceId, version: null, uuid, papers, providerId }, now)
  } catch (error) {
    if (error instanceof Refusal) return note(db, invoice, error.description)
    if (!(error instanceof NotStamped)) throw error
    await note(db, invoice, error.message)
    if (!error.lasting) throw error
  }
}

const overWords = 'Su cotización se canceló o se reemplazó. Retira esta solicitud.'

/** Whether what is to be invoiced still stands. Of what was tried before nobody knows whether it is stamped: that goes on. */
async function isAgreed(db: Db, { kind, providerError, providerId, quoteId }: InvoiceRow): Promise<boolean> {
  if (kind !== 'income' || !quoteId || providerId || providerError) return true
  const [quote] = await db.select({ state: quotes.state }).from(quotes).where(eq(quotes.id, quoteId))
  return quote?.state === 'accepted'
}

/** Its id is written before anything else is done with it: the next try goes on from there. */
async function stampNew(db: Db, stamper: Stamper, { id, request }: InvoiceRow): Promise<string> {
  const providerId = await stamp(stamper, id, request)
  await db.update(invoices).set({ providerId, providerError: null }).where(eq(invoices.id, id))
  return providerId
}

function uuidOf({ request }: InvoiceRow, xml: Uint8Array): string {
  const stamped = readStamped(xml)
  if ('wrong' in stamped) throw new NotStamped(`Facturapi mandó un XML que no sirve. ${stamped.wrong}`, true)
  const differences = differencesOf(request, stamped)
  if (differences.length > 0)
    throw new NotStamped(`Facturapi timbró otra cosa. ${differences.join(' ')}`, true)
  return stamped.uuid
}

const types = { invoice_xml: 'application/xml', invoice_pdf: 'application/pdf' } as const

/** Nobody hands it in: it is in the name of whoever asked for the invoice, or of its customer. */
async function kept(
  drive: Drive,
  { customerId, kind, projectId, requestedBy }: InvoiceRow,
  purpose: keyof typeof types,
  bytes: Uint8Array,
): Promise<Taken> {
  const [id, type] = [randomUUID(), types[purpose]]
  await drive.put(paperKey({ id }), bytes, type)
  return {
    ...{ id, customerId, projectId, purpose, type, uploadedBy: requestedBy ?? customerId },
    ...{ name: `${invoiceKindLabels[kind]}.${purpose.slice(-3)}`, bytes: bytes.byteLength },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

async function note(db: Db, { customerId, id }: InvoiceRow, words: string): Promise<void> {
  await db
    .update(invoices)
    .set({ providerError: words })
    .where(and(eq(invoices.id, id), eq(invoices.state, 'requested')))
  announce(db, { people: [customerId] })
}

/** Has somebody's failed stamping tried again. */
export async function retryStamp(db: Db, actor: Actor, invoiceId: string): Promise<void> {
  if (!seesToInvoices(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const { providerError, state } = await holdInvoice(tx, actor, invoiceId)
    if (state !== 'requested' || providerError === null) return
    await tx.update(invoices).set({ providerError: null }).where(eq(invoices.id, invoiceId))
    await enqueue(tx, 'stamp-invoice', { invoiceId })
  })
}
