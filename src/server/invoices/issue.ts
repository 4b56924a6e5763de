import type { Actor, Mover } from '../../domain/access/actor.ts'
import { differencesOf, type Stamped } from '../../domain/invoices/cfdi-amounts.ts'
import { invoiceMachine, seesToInvoices } from '../../domain/invoices/invoice.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { attach, keepPapers, type Taken, takeDocument } from '../documents/intake.ts'
import { type Db, databaseFault, type Tx, transaction } from '../platform/database/client.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { readStamped } from './stamped.ts'
import { enqueueInvoiceSync, type InvoiceRow, lockInvoice, moveInvoice } from './sync-invoices.ts'

/** The two files of a stamped invoice, for an invoice as it was shown. */
export type Upload = { invoiceId: string; version: number; xml: File | null; pdf: File | null }

/** Issues an invoice that was stamped elsewhere: what its XML says has to be what was asked for. Sent twice, it is one. */
export async function uploadStamped(
  db: Db,
  drive: Drive,
  actor: Actor,
  { invoiceId, pdf, version, xml }: Upload,
  now: Date,
): Promise<void> {
  if (!seesToInvoices(actor)) refuse('permission-denied')
  const shown = await transaction(db, (tx) => lockInvoice(tx, actor, invoiceId))
  const { customerId, projectId } = shown
  if (!xml) return wrong('xml', 'Elige el XML timbrado.')
  if (!pdf) return wrong('pdf', 'Elige el PDF.')
  const stamped = readStamped(new Uint8Array(await xml.arrayBuffer()))
  if ('wrong' in stamped) return wrong('xml', stamped.wrong)
  if (shown.state === 'issued' && shown.uuid === stamped.uuid) return
  invoiceMachine.next('issue', actor, shown)
  assertSame(shown, stamped)
  if (shown.version !== version) refuse('aborted')
  const of = { customerId, projectId }
  const take = (field: 'xml' | 'pdf', file: File) =>
    takeDocument(db, drive, actor, { ...of, file, purpose: `invoice_${field}`, field })
  const taken = await take('xml', xml)
  // A PDF that is not taken leaves no XML either.
  await keepPapers({ db, drive }, [taken], now, async () => {
    const papers = { xml: taken, pdf: await take('pdf', pdf) }
    await issue(db, drive, actor, { invoiceId, version, uuid: stamped.uuid, papers, providerId: null }, now)
  })
}

const wrong = (field: 'xml' | 'pdf', message: string) =>
  refuse('invalid-argument', message, { errors: { [field]: message } })

/** Refuses a stamped CFDI that is not what was asked for, and says in what. */
function assertSame({ request }: InvoiceRow, stamped: Stamped): void {
  const differences = differencesOf(request, stamped)
  if (differences.length > 0) wrong('xml', `Este XML no es el que pedimos. ${differences.join(' ')}`)
}

type Issued = {
  invoiceId: string
  /** That of the form it came by; null when no form was. */
  version: number | null
  uuid: string
  papers: { xml: Taken; pdf: Taken }
  providerId: string | null
}

/** Writes that an invoice is issued, with its papers, tells its customer, and asks for what follows from it. */
export async function issue(db: Db, drive: Drive, mover: Mover, issued: Issued, now: Date): Promise<void> {
  try {
    const change = () => transaction(db, (tx) => write(tx, mover, issued, now))
    const { customerId } = await keepPapers({ db, drive }, Object.values(issued.papers), now, change)
    announce(db, { people: [customerId] })
  } catch (error) {
    if (databaseFault(error).constraint !== 'invoices_uuid_once') throw error
    wrong('xml', 'Ese folio fiscal ya está en otra factura.')
  }
}

async function write(
  tx: Tx,
  mover: Mover,
  { invoiceId, papers, providerId, uuid, version }: Issued,
  now: Date,
): Promise<InvoiceRow> {
  const held = await lockInvoice(tx, mover, invoiceId)
  if (version !== null && held.version !== version) refuse('aborted')
  const moved = await moveInvoice(tx, mover, held, 'issue', {
    ...{ uuid, issuedAt: now, issuedBy: mover === 'system' ? null : mover.id, providerError: null },
    ...(providerId && { providerId }),
    xmlId: await attach(tx, papers.xml),
    pdfId: await attach(tx, papers.pdf),
  })
  await enqueue(tx, 'letter', { letter: 'invoice_issued', invoiceId, to: 'customer' })
  await enqueueInvoiceSync(tx, moved)
  return moved
}
