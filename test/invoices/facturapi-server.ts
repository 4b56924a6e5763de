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
type Body = {
  type: 'I' | 'E' | 'P'
  customer: { tax_id: string; legal_name: string; address: { zip: string } }
  items?: Item[]
  related_documents?: { relationship: string; documents: string[] }[]
  complements?: { data: { related_documents: { uuid: string; amount: number }[] }[] }[]
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
  const document = body.complements?.[0]?.data[0]?.related_documents[0]
  const isPayment = body.type === 'P'
  const xml = stampedXml({
    type: body.type,
    uuid,
    issuer: issuer.rfc,
    receiver: body.customer.tax_id,
    ...(isPayment
      ? { total: '0', currency: 'XXX', paid: { amount: document!.amount.toFixed(2), of: document!.uuid } }
      : { total: (totalOf(body.items ?? []) + more).toFixed(2) }),
    ...(body.related_documents && { credits: body.related_documents[0]!.documents[0]! }),
  })
  return { id: `inv_${uuid}`, status: 'valid', uuid, external_id: body.external_id, xml, body }
}

const six = (value: number) => Math.round(value * 1e6) / 1e6

/** In pesos, rounded to centavos once, at the end of each sum. */
export function totalOf(items: readonly Item[]): number {
  const bases = items.map(({ discount, product, quantity }) => six(six(quantity * product.price) - discount))
  const taxes = items.map(({ product }, n) =>
    product.taxes.reduce((sum, { base = bases[n]!, rate }) => sum + six(base * rate), 0),
  )
  const cents = (values: readonly number[]) => Math.round(six(values.reduce((a, b) => a + b, 0)) * 100)
  return (cents(bases) + cents(taxes)) / 100
}

const answer = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString())
}
