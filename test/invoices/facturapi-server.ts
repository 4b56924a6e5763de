import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pdf } from '../documents/samples.ts'
import { issuer, newFolio } from '../kit/invoices.ts'
import { stampedXml } from './stamped-xml.ts'

type Item = {
  quantity: number
  discount: number
  product: { price: number; tax_included: boolean; taxes: { rate: number; base?: number }[] }
}
type Part = {
  uuid: string
  amount: number
  installment: number
  last_balance: number
  taxes: { base: number; rate: number }[]
}
export type Body = {
  type: 'I' | 'E' | 'P'
  customer: { tax_id: string; legal_name: string; tax_system: string; address: { zip: string } }
  use?: string
  payment_form?: string
  payment_method?: string
  items?: Item[]
  related_documents?: { relationship: string; documents: string[] }[]
  complements?: { data: { payment_form: string; related_documents: Part[] }[] }[]
  external_id: string
  idempotency_key: string
}
type Stamped = { id: string; status: string; uuid: string; external_id: string; xml: string; body: Body }

/** What goes wrong with the next invoice that is asked for: a status, or an answer that is lost after it was stamped. */
export type Trouble = number | 'lost' | 'other-total'

/**
 * Speaks the part of Facturapi's HTTP that is used, and works amounts out as it does: from quantities and prices with six
 * decimals, rounded once. It is told apart from us only by its address.
 */
export async function openFacturapi() {
  const stamped: Stamped[] = []
  const asked: string[] = []
  const troubles: Trouble[] = []
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    if (request.headers.authorization !== 'Bearer sk_test_1') return answer(response, 401, { message: 'no' })
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    const [, , id, file] = pathname.split('/')
    if (request.method === 'POST' && pathname === '/invoices') return create(await bodyOf(request), response)
    if (pathname === '/invoices') {
      const data = stamped.filter(({ external_id }) => external_id === searchParams.get('external_id'))
      return answer(response, 200, { page: 1, total_results: data.length, data })
    }
    const one = stamped.find((each) => each.id === id)
    if (!one) return answer(response, 404, { message: 'No existe' })
    const [type, bytes] = file === 'xml' ? ['application/xml', one.xml] : ['application/pdf', pdf()]
    response.writeHead(200, { 'content-type': type, 'content-disposition': 'attachment' }).end(bytes)
  })

  function create(body: Body, response: ServerResponse) {
    const trouble = troubles.shift()
    if (typeof trouble === 'number')
      return answer(response, trouble, { message: 'El RFC no existe en el SAT' })
    // The same key is the same invoice.
    const known = stamped.find((one) => one.body.idempotency_key === body.idempotency_key)
    const made = known ?? stamp(body, trouble === 'other-total' ? 1 : 0)
    if (!known) stamped.push(made)
    return trouble === 'lost' ? response.destroy() : answer(response, 200, made)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    stamped,
    asked,
    troubles,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((closed) => server.closeAllConnections() ?? server.close(closed)),
  }
}

function stamp(body: Body, more: number): Stamped {
  const uuid = newFolio()
  const xml = stampedBy(body, uuid, more)
  return { id: `inv_${uuid}`, status: 'valid', uuid, external_id: body.external_id, xml, body }
}

/** The XML that Facturapi makes of a request to it; `more` pesos than were asked for. */
export function stampedBy(body: Body, uuid: string, more = 0): string {
  const { customer, related_documents, type, use = 'CP01' } = body
  return stampedXml(
    {
      Version: '4.0',
      TipoDeComprobante: type,
      Emisor: { Rfc: issuer.rfc },
      Receptor: {
        Rfc: customer.tax_id,
        Nombre: customer.legal_name,
        DomicilioFiscalReceptor: customer.address.zip,
        RegimenFiscalReceptor: customer.tax_system,
        UsoCFDI: use,
      },
      ...(related_documents && {
        CfdiRelacionados: related_documents.map(({ documents, relationship }) => ({
          TipoRelacion: relationship,
          UUID: documents,
        })),
      }),
      ...(body.complements ? paidPart(body.complements[0]!.data[0]!) : chargedPart(body, more)),
    },
    uuid,
  )
}

const two = (pesos: number) => pesos.toFixed(2)

function chargedPart({ items = [], payment_form, payment_method = 'PUE' }: Body, more: number) {
  const { discount, rates, subtotal, taxes, total } = sumsOf(items)
  return {
    Moneda: 'MXN',
    MetodoPago: payment_method,
    FormaPago: payment_form,
    SubTotal: two(subtotal),
    Descuento: two(discount),
    Total: two(total + more),
    Impuestos: {
      TotalImpuestosTrasladados: two(taxes),
      Traslados: rates.map(({ base, rate, tax }) => ({
        Base: two(base),
        Impuesto: '002',
        TipoFactor: 'Tasa',
        TasaOCuota: rate.toFixed(6),
        Importe: two(tax),
      })),
    },
  }
}

function paidPart({
  payment_form,
  related_documents: [part],
}: NonNullable<Body['complements']>[0]['data'][0]) {
  const { amount, installment, last_balance, taxes, uuid } = part!
  const of = (wanted: number) => taxes.find(({ rate }) => rate === wanted)?.base ?? 0
  const document = {
    IdDocumento: uuid,
    NumParcialidad: String(installment),
    ImpSaldoAnt: two(last_balance),
    ImpPagado: two(amount),
    ImpSaldoInsoluto: two(last_balance - amount),
  }
  return {
    Moneda: 'XXX',
    SubTotal: '0',
    Total: '0',
    Pagos: {
      Totales: {
        MontoTotalPagos: two(amount),
        TotalTrasladosBaseIVA16: two(of(0.16)),
        TotalTrasladosImpuestoIVA16: two(of(0.16) * 0.16),
        TotalTrasladosBaseIVA0: two(of(0)),
      },
      Pago: [{ FormaDePagoP: payment_form, DoctoRelacionado: [document] }],
    },
  }
}

const six = (value: number) => Math.round(value * 1e6) / 1e6
const cents = (values: readonly number[]) => Math.round(six(values.reduce((a, b) => a + b, 0)) * 100) / 100

/** In pesos, rounded to centavos once, at the end of each sum. */
function sumsOf(items: readonly Item[]) {
  const gross = items.map(({ product, quantity }) => six(quantity * product.price))
  const taxed = items.flatMap(({ discount, product }, n) =>
    product.taxes.map(({ base = six(gross[n]! - discount), rate }) => ({
      base,
      rate,
      tax: six(base * rate),
    })),
  )
  const rates = [0.16, 0].flatMap((rate) => {
    const of = taxed.filter((one) => one.rate === rate)
    const base = cents(of.map((one) => one.base))
    return of.length > 0 ? [{ rate, base, tax: cents(of.map((one) => one.tax)) }] : []
  })
  const discount = cents(items.map((one) => one.discount))
  const taxes = cents(taxed.map(({ tax }) => tax))
  const net = cents(items.map((one, n) => six(gross[n]! - one.discount)))
  return { discount, rates, taxes, subtotal: cents(gross), total: net + taxes }
}

const answer = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString())
}
