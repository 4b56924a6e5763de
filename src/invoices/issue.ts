import { and, eq, ne } from 'drizzle-orm'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { Actor, Mover } from '../access/rules/actor.ts'
import { attach, keepPapers, paperMissing, type Taken, takeDocument } from '../documents/documents.ts'
import { plainXmlIn } from '../documents/rules/file-rules.ts'
import { type Db, databaseFault, type Tx, transaction } from '../platform/database/client.ts'
import { invoices } from '../platform/database/schema/payments.ts'
import { assertVersion } from '../platform/database/versions.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import type { Drive } from '../platform/storage/drive.ts'
import { refuse } from '../shared/refusal.ts'
import {
  type CfdiElement,
  comparedFields,
  differencesOf,
  elementsAt,
  type Stamped,
} from './rules/cfdi-amounts.ts'
import { invoiceMachine, seesToInvoices } from './rules/invoice.ts'
import { enqueueInvoiceSync, type InvoiceRow, lockInvoice, moveInvoice } from './sync-invoices.ts'

/** The two files of a stamped invoice, for an invoice as it was shown. */
type Upload = { invoiceId: string; version: number; xml: File | null; pdf: File | null }

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
  if (!xml) return paperMissing('invoice_xml', 'xml')
  if (!pdf) return paperMissing('invoice_pdf', 'pdf')
  const stamped = readStamped(new Uint8Array(await xml.arrayBuffer()))
  if ('wrong' in stamped) return wrong('xml', stamped.wrong)
  if (shown.state === 'issued' && shown.uuid === stamped.uuid) return
  invoiceMachine.next('issue', actor, shown)
  assertSame(shown, stamped)
  await assertVersion(db, actor, 'invoice', shown, version)
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
  const compared = comparedFields(request, stamped)
  const differences = differencesOf(compared)
  if (differences.length === 0) return
  const message = `Este XML no es el que pedimos. ${differences.join(' ')}`
  refuse('invalid-argument', message, { errors: { xml: message }, compared })
}

type Issued = {
  invoiceId: string
  /** The version of its form; null without a form. */
  version: number | null
  uuid: string
  papers: { xml: Taken; pdf: Taken }
  providerId: string | null
}

/**
 * Records that an invoice is issued, with its papers, notifies its customer, and requests the documents that follow
 * from it.
 */
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
  if (version !== null) await assertVersion(tx, mover, 'invoice', held, version)
  const moved = await moveInvoice(tx, mover, held, 'issue', {
    uuid,
    issuedAt: now,
    issuedBy: mover === 'system' ? null : mover.id,
    providerError: null,
    ...(providerId && { providerId }),
    xmlId: await attach(tx, papers.xml),
    pdfId: await attach(tx, papers.pdf),
  })
  await enqueue(tx, 'letter', { letter: 'invoice_issued', invoiceId, to: 'customer' })
  await enqueueInvoiceSync(tx, moved)
  return moved
}

type Input = { invoiceId: string; version: number; reason: string }

/** Takes a request back, or writes down that an issued invoice was cancelled at the SAT. Sent twice, it is one. */
export async function cancelInvoice(db: Db, actor: Actor, input: Input, now: Date): Promise<void> {
  if (!seesToInvoices(actor)) refuse('permission-denied')
  const customerId = await transaction(db, (tx) => cancel(tx, actor, input, now))
  announce(db, { people: [customerId] })
}

async function cancel(
  tx: Tx,
  actor: Actor,
  { invoiceId, reason, version }: Input,
  now: Date,
): Promise<string> {
  const held = await lockInvoice(tx, actor, invoiceId)
  const name = held.state === 'requested' ? 'drop' : 'cancel'
  if (held.state === 'cancelled' && held.cancelledBy === actor.id && held.cancelReason === reason)
    return held.customerId
  const wasIssued = held.state === 'issued'
  if (held.state === 'requested' && held.providerId && !held.providerError)
    refuse('failed-precondition', 'El proveedor ya la timbró. Cuando quede emitida podrás cancelarla.')
  if (wasIssued && (await hasFollowers(tx, invoiceId)))
    refuse('failed-precondition', 'Cancela antes sus complementos de pago y notas de crédito.')
  if (held.state !== 'cancelled') await assertVersion(tx, actor, 'invoice', held, version)
  await moveInvoice(tx, actor, held, name, { cancelledAt: now, cancelledBy: actor.id, cancelReason: reason })
  if (wasIssued) await enqueue(tx, 'letter', { letter: 'invoice_cancelled', invoiceId, to: 'customer' })
  return held.customerId
}

async function hasFollowers(tx: Tx, id: string): Promise<boolean> {
  const living = await tx
    .select({ id: invoices.id })
    .from(invoices)
    .where(and(eq(invoices.relatesToId, id), ne(invoices.state, 'cancelled')))
    .limit(1)
  return living.length > 0
}

/** The usual prefixes of the namespaces that are read. */
const prefixes: Readonly<Record<string, string>> = {
  'http://www.sat.gob.mx/cfd/4': 'cfdi',
  'http://www.sat.gob.mx/TimbreFiscalDigital': 'tfd',
  'http://www.sat.gob.mx/Pagos20': 'pago20',
}
const folioFiscal = /^[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}$/

/** Far more than an invoice of ours takes. */
const largest = 512 * 1024

/** What a file says that should be a stamped CFDI 4.0, or why it is none, in words. */
export function readStamped(bytes: Uint8Array): Stamped | { wrong: string } {
  const root = documentIn(bytes)
  if (typeof root === 'string') return { wrong: root }
  const { attributes } = root
  if (root.name !== 'cfdi:Comprobante' || attributes.Version !== '4.0')
    return { wrong: 'Este XML no es un CFDI 4.0. Sube el que te dio quien timbra.' }
  const [stamp, ...others] = elementsAt(root, 'cfdi:Complemento', 'tfd:TimbreFiscalDigital')
  const uuid = stamp?.attributes.UUID?.toUpperCase() ?? ''
  if (!stamp || others.length > 0 || !folioFiscal.test(uuid))
    return { wrong: 'Este CFDI no está timbrado: le falta el timbre fiscal con su folio.' }
  if (stamp.attributes.SelloCFD !== attributes.Sello || !attributes.Sello)
    return { wrong: 'El timbre de este XML es de otro comprobante.' }
  return { uuid, root }
}

const unreadable = 'Este XML no se puede leer. Sube el que te dio quien timbra, sin abrirlo ni cambiarlo.'

// Texts and prefixes stay as they are written: an RFC may be all digits for a parser, and names are resolved below.
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // Resolves &#209; and &#xD1;.
  htmlEntities: true,
  maxNestedTags: 40,
})

/** The root of a document, or why there is none. Whatever declares something of its own is refused before it is read. */
function documentIn(bytes: Uint8Array): CfdiElement | string {
  if (bytes.byteLength > largest) return 'Este XML pesa demasiado para ser una factura nuestra.'
  const read = plainXmlIn(bytes)
  if (!read) return unreadable
  try {
    if (XMLValidator.validate(read.whole) !== true) return unreadable
    const nodes = (parser.parse(read.markup) as Node[]).filter((node) => nameOf(node) !== '#text')
    return nodes.length === 1 ? resolved(nodes[0]!, {}) : unreadable
  } catch {
    return unreadable
  }
}

type Node = Record<string, unknown> & { ':@'?: Record<string, string> }
const nameOf = (node: Node) => Object.keys(node).find((key) => key !== ':@') ?? '#text'

function resolved(node: Node, outer: Readonly<Record<string, string>>): CfdiElement {
  const name = nameOf(node)
  const attributes = node[':@'] ?? {}
  const declared = Object.entries(attributes).flatMap(([key, value]) =>
    key === 'xmlns' ? [['', value]] : key.startsWith('xmlns:') ? [[key.slice(6), value]] : [],
  )
  const scope = { ...outer, ...(Object.fromEntries(declared) as Record<string, string>) }
  const [prefix, local] = name.includes(':') ? (name.split(':', 2) as [string, string]) : ['', name]
  const children = (node[name] as Node[]).filter((child) => nameOf(child) !== '#text')
  const namespace = Object.hasOwn(scope, prefix) ? scope[prefix]! : ''
  return {
    name: `${Object.hasOwn(prefixes, namespace) ? prefixes[namespace] : namespace}:${local}`,
    attributes,
    children: children.map((child) => resolved(child, scope)),
  }
}
