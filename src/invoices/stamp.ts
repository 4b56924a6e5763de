import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { and, eq } from 'drizzle-orm'
import Facturapi, { FacturapiError } from 'facturapi'
import type { Actor } from '../access/rules/actor.ts'
import type { Taken } from '../documents/documents.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { invoices, quotes } from '../platform/database/schema/payments.ts'
import { externalSystems, limited } from '../platform/external.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { type Drive, paperKey } from '../platform/storage/drive.ts'
import { timeZone } from '../shared/calendar.ts'
import { centavosIn } from '../shared/money.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { issue, readStamped } from './issue.ts'
import { comparedFields, differencesOf } from './rules/cfdi-amounts.ts'
import type { Cfdi, CfdiConcept, PaymentCfdi } from './rules/cfdi-schema.ts'
import { invoiceKindLabels, seesToInvoices } from './rules/invoice.ts'
import { type InvoiceRow, lockInvoice } from './sync-invoices.ts'

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
    // Where the papers can't be stored now, another try can.
    if (error instanceof Refusal && error.code !== 'unavailable') return note(db, invoice, error.description)
    if (!(error instanceof NotStamped)) throw error
    await note(db, invoice, error.message)
    if (!error.lasting) throw error
  }
}

const overWords = 'Su cotización se canceló o se reemplazó. Retira esta solicitud.'

/** Whether the invoiced quote is still accepted. An earlier try may have been stamped: it is continued. */
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
  const differences = differencesOf(comparedFields(request, stamped))
  if (differences.length > 0)
    throw new NotStamped(`Facturapi timbró otra cosa. ${differences.join(' ')}`, true)
  return stamped.uuid
}

const types = { invoice_xml: 'application/xml', invoice_pdf: 'application/pdf' } as const

/** Stored without an uploader: in the name of the user who requested the invoice, or of its customer. */
async function kept(
  drive: Drive,
  { customerId, kind, projectId, requestedBy }: InvoiceRow,
  purpose: keyof typeof types,
  bytes: Uint8Array,
): Promise<Taken> {
  const id = randomUUID()
  const type = types[purpose]
  await drive.put(paperKey({ id }), bytes, type)
  return {
    id,
    customerId,
    projectId,
    purpose,
    type,
    uploadedBy: requestedBy ?? customerId,
    name: `${invoiceKindLabels[kind]}.${purpose.slice(-3)}`,
    bytes: bytes.byteLength,
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

/** Retries a failed stamping at a user's request. */
export async function retryStamp(db: Db, actor: Actor, invoiceId: string): Promise<void> {
  if (!seesToInvoices(actor)) refuse('permission-denied')
  await transaction(db, async (tx) => {
    const { providerError, state } = await lockInvoice(tx, actor, invoiceId)
    if (state !== 'requested' || providerError === null) return
    await tx.update(invoices).set({ providerError: null }).where(eq(invoices.id, invoiceId))
    await enqueue(tx, 'stamp-invoice', { invoiceId })
  })
}

type WithLines = Exclude<Cfdi, PaymentCfdi>

/** A request in the words of Facturapi's API; `key` makes that the same request asked for twice is stamped once. */
export function facturapiBody(request: Cfdi, key: string): Record<string, unknown> {
  const { Receptor, TipoDeComprobante } = request
  return {
    type: TipoDeComprobante,
    customer: {
      legal_name: Receptor.Nombre,
      tax_id: Receptor.Rfc,
      tax_system: Receptor.RegimenFiscalReceptor,
      address: { zip: Receptor.DomicilioFiscalReceptor },
    },
    external_id: key,
    idempotency_key: key,
    ...(TipoDeComprobante === 'P' ? paymentOf(request) : chargedOf(request)),
  }
}

function chargedOf(request: WithLines) {
  const isExact = ivaIsExact(request)
  return {
    use: request.Receptor.UsoCFDI,
    currency: request.Moneda,
    export: request.Exportacion,
    payment_form: request.FormaPago,
    items: request.Conceptos.map((concept) => itemOf(concept, isExact)),
    ...(request.TipoDeComprobante === 'I'
      ? { payment_method: request.MetodoPago }
      : {
          related_documents: request.CfdiRelacionados.map(({ TipoRelacion, UUID }) => ({
            relationship: TipoRelacion,
            documents: UUID,
          })),
        }),
  }
}

const itemOf = (concept: CfdiConcept, isExact: boolean) => ({
  quantity: Number(concept.Cantidad),
  discount: Number(concept.Descuento ?? 0),
  product: {
    description: concept.Descripcion,
    product_key: concept.ClaveProdServ,
    unit_key: concept.ClaveUnidad,
    unit_name: concept.Unidad ?? 'Actividad',
    price: priceOf(concept),
    tax_included: false,
    taxability: concept.ObjetoImp,
    taxes: (concept.Traslados ?? []).map(({ Importe, TasaOCuota }) => ({
      type: 'IVA',
      factor: 'Tasa',
      rate: Number(TasaOCuota),
      withholding: false,
      ...(!isExact && TasaOCuota === '0.160000' && Importe !== '0.00' && { base: baseOf(Importe) }),
    })),
  },
})

/** They multiply it with six decimals and round the sum, we round each line: with this price both come to our amount. */
function priceOf({ Cantidad, Importe, ValorUnitario }: CfdiConcept): number {
  const [whole = '0', decimals = ''] = Cantidad.split('.')
  const thousandths = BigInt(whole) * 1000n + BigInt(decimals.padEnd(3, '0'))
  const exact = BigInt(centavosIn(Importe)!) * 10_000n * 1000n
  if (BigInt(ValorUnitario.replace('.', '')) * 100n * thousandths === exact) return Number(ValorUnitario)
  return Number((2n * exact + thousandths) / (2n * thousandths)) / 1_000_000
}

/** Whether 16 % of all bases together, rounded once as they do, is the IVA that we rounded line by line. */
function ivaIsExact({ Impuestos }: WithLines): boolean {
  const taxed = Impuestos.Traslados.find(({ TasaOCuota }) => TasaOCuota === '0.160000')
  return !taxed || Math.round((centavosIn(taxed.Base)! * 16) / 100) === centavosIn(taxed.Importe)
}

/** The base of which 16 % is a line's IVA to the centavo: three centavos at most from the line's own. */
const baseOf = (iva: string) => (centavosIn(iva)! * 625) / 10_000

const paymentOf = ({ Pagos }: PaymentCfdi) => ({
  complements: [
    {
      type: 'pago',
      data: Pagos.Pago.map(({ DoctoRelacionado, FechaPago, FormaDePagoP, MonedaP }) => ({
        payment_form: FormaDePagoP,
        currency: MonedaP,
        exchange: 1,
        date: instantOf(FechaPago),
        related_documents: DoctoRelacionado.map((document) => ({
          uuid: document.IdDocumento,
          amount: Number(document.ImpPagado),
          installment: Number(document.NumParcialidad),
          last_balance: Number(document.ImpSaldoAnt),
          currency: document.MonedaDR,
          exchange: 1,
          taxability: document.ObjetoImpDR,
          taxes: document.ImpuestosDR.TrasladosDR.map(({ BaseDR, TasaOCuotaDR }) => ({
            base: Number(BaseDR),
            rate: Number(TasaOCuotaDR),
            type: 'IVA',
            factor: 'Tasa',
            withholding: false,
          })),
        })),
      })),
    },
  ],
})

const instantOf = (localTime: string) =>
  Temporal.PlainDateTime.from(localTime).toZonedDateTime(timeZone).toInstant().toString()

/** Of the environment: whose account, and where it is asked. */
type Stamper = { key: string; url: string }

/** Why a provider did not stamp, in words for staff; `lasting` ones are not helped by trying again. */
class NotStamped extends Error {
  readonly lasting: boolean
  constructor(words: string, lasting: boolean) {
    super(words)
    this.name = 'NotStamped'
    this.lasting = lasting
  }
}

/**
 * Has a request stamped, and answers the provider's id of it. Asked again under the same key it is the one stamped before:
 * looked for first, for an answer may have been lost, and protected by an idempotency key, since two may ask at once.
 */
const stamp = (stamper: Stamper, key: string, request: Cfdi): Promise<string> =>
  asked(async () => {
    const { invoices } = clientOf(stamper)
    const known = await invoices.list({ external_id: key })
    const living = known.data.find(({ status }) => status === 'valid' || status === 'pending')
    const stamped = living ?? (await invoices.create(facturapiBody(request, key)))
    return stamped.id
  })

/** The two files of what was stamped. */
export const stampedFiles = (stamper: Stamper, id: string) =>
  asked(async () => {
    const { invoices } = clientOf(stamper)
    return {
      xml: await bytesOf(await invoices.downloadXml(id)),
      pdf: await bytesOf(await invoices.downloadPdf(id)),
    }
  })

function clientOf({ key, url }: Stamper): Facturapi {
  const client = new Facturapi(key)
  client.BASE_URL = url
  return client
}

const largest = 5 * 1024 * 1024

/** The library has no limit of its own. */
async function asked<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await limited('invoices', run)
  } catch (error) {
    throw notStamped(error)
  }
}

function notStamped(error: unknown): Error {
  if (error instanceof NotStamped) return error
  if (!(error instanceof FacturapiError)) return new NotStamped(externalSystems.invoices.sentence, false)
  const { message, status } = error
  if (status === 401 || status === 403)
    return new NotStamped('Facturapi no acepta la llave configurada.', true)
  const lasting = status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429
  return new NotStamped(`Facturapi: ${message.slice(0, 300)}`, lasting)
}

type Download = Awaited<ReturnType<Facturapi['invoices']['downloadXml']>>

async function bytesOf(file: Download): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const source = file instanceof Blob ? file.stream() : file instanceof Readable ? file : []
  for await (const part of source as AsyncIterable<Uint8Array>) {
    size += part.byteLength
    if (size > largest) throw new NotStamped('Facturapi mandó un archivo demasiado grande.', true)
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
