import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { openAccount } from './account.ts'
import { api, failing, type Reply } from './api.ts'
import { type Params, readParams } from './form.ts'
import type { Event, Session } from './objects.ts'

export const secretKey = 'sk_test_only_for_tests'
export const webhookSecret = 'whsec_only_for_tests'

/** What a request meets: an error before anything is done; done, and the answer is lost; never answered. */
export type Trouble = 'error' | 'lost' | 'silent' | Reply
export const cardError: Trouble = failing(402, {
  type: 'card_error',
  code: 'card_declined',
  decline_code: 'insufficient_funds',
  message: 'Your card has insufficient funds.',
})

export type StripeServer = Awaited<ReturnType<typeof startStripe>>

/**
 * Speaks Stripe's HTTP on this machine: form-encoded, with idempotency keys, errors and a checkout page. `hears` is the
 * address that its signed events are sent to, again and again until they are taken; without one they wait in `events`.
 */
export async function startStripe({ port = 0, hears = '' } = {}) {
  const calls: { method: string; path: string; params: Params; key: string | undefined }[] = []
  const troubles: Trouble[] = []
  const sent: Promise<unknown>[] = []
  const known = new Map<string, { asked: string; reply: Reply }>()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const account = openAccount(origin, (event) => {
    if (hears) sent.push(deliver(hears, event))
  })
  const ask = api(account)

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET' } = request
    const url = new URL(request.url!, origin)
    const body = await text(request)
    if (!url.pathname.startsWith('/v1/')) return page(method, url.pathname, body, response)
    const params = readParams(body || url.search.slice(1))
    const key = request.headers['idempotency-key'] as string | undefined
    calls.push({ method, path: url.pathname, params, key })
    const trouble = troubles.shift()
    if (trouble === 'silent') return
    if (trouble === 'error') return write(response, failing(500, { type: 'api_error', message: 'Sorry.' }))
    if (typeof trouble === 'object') return write(response, trouble)
    const reply = isOurs(request) ? once(key, method, url.pathname, params, body) : refused
    if (trouble === 'lost') return void request.socket.destroy()
    write(response, reply)
  }

  /** The same key brings the same answer, and with other parameters an error. */
  function once(key: string | undefined, method: string, path: string, params: Params, body: string): Reply {
    if (method !== 'POST' || !key) return ask(method, path, params)
    const asked = `${path} ${body}`
    const before = known.get(key)
    if (before && before.asked !== asked)
      return failing(400, { type: 'idempotency_error', message: 'Keys for idempotent requests.' })
    const reply = before?.reply ?? ask(method, path, params)
    known.set(key, { asked, reply })
    return reply
  }

  function page(method: string, path: string, body: string, response: ServerResponse) {
    const [, place, id = ''] = /^\/(c\/pay|voucher)\/(cs_test_\w+)$/.exec(path) ?? []
    const session = account.sessions.get(id)
    if (!session) return response.writeHead(404).end()
    if (place === 'voucher') return html(response, '<h1>Ficha de pago OXXO</h1>')
    if (method !== 'POST') return html(response, payPage(session))
    if (new URLSearchParams(body).get('way') === 'card') account.payByCard(session)
    else account.takeVoucher(session)
    response.writeHead(303, { location: session.success_url }).end()
  }

  return {
    account,
    calls,
    origin,
    troubles,
    /** How the application is told of this Stripe. */
    environment: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: origin,
    },
    /** Resolves once every event so far was taken. */
    told: () => Promise.all(sent),
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}

const isOurs = ({ headers }: IncomingMessage) => headers.authorization === `Bearer ${secretKey}`
const refused = failing(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })

function write(response: ServerResponse, { status, body }: Reply) {
  const headers = { 'content-type': 'application/json', 'request-id': 'req_only_for_tests' }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

const html = (response: ServerResponse, text: string) =>
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(text)

/** The page that a customer pays at: a card, or an OXXO voucher where the session allows it. */
function payPage({ amount_total, cancel_url, payment_method_types, status }: Session): string {
  if (status !== 'open') return '<h1>Esta sesión ya terminó</h1>'
  const pesos = (amount_total / 100).toFixed(2)
  const oxxo = payment_method_types.includes('oxxo') ? '<button name="way">Pagar en OXXO</button>' : ''
  return `<h1>Pagar $${pesos}</h1>
    <form method="post"><button name="way" value="card">Pagar $${pesos} con tarjeta</button>${oxxo}</form>
    <a href="${cancel_url}">Volver</a>`
}

/** An event as it goes over the wire: its body and Stripe's signature of that very body, made at `at`. */
export function signed(event: Event, secret: string, at = Math.floor(Date.now() / 1000)) {
  const body = JSON.stringify(event, null, 2)
  const v1 = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': `t=${at},v1=${v1}`,
  }
  return { method: 'POST', body, headers }
}

async function deliver(address: string, event: Event, tries = 20): Promise<void> {
  const answer = await fetch(address, signed(event, webhookSecret)).catch(() => null)
  if (answer?.ok) return
  if (tries === 0) throw new Error(`${event.type} was not taken: ${answer?.status}`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  return deliver(address, event, tries - 1)
}
