import type { Account } from './account.ts'
import { at, type Params, textsAt } from './form.ts'
import type { Charge } from './objects.ts'

export type Reply = { status: number; body: object }

/** An error as Stripe words it. */
export const failing = (status: number, error: Record<string, string>): Reply => ({ status, body: { error } })
const unknown = (what: string) =>
  failing(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` })
const wrong = (message: string, code = 'parameter_invalid') =>
  failing(400, { type: 'invalid_request_error', code, message })
const right = (body: object | undefined, what: string): Reply =>
  body ? { status: 200, body: structuredClone(body) } : unknown(what)

/** The addresses of the API that we ask, as `METHOD path` with `*` for an id. */
export function api(account: Account) {
  const routes: Record<string, (id: string, params: Params) => Reply> = {
    'POST /v1/checkout/sessions': (_, params) => makeSession(account, params),
    'GET /v1/checkout/sessions': (_, params) => {
      const found = [...account.sessions.values()].filter(
        ({ payment_intent }) => payment_intent === at(params, 'payment_intent'),
      )
      const data = found.map((one) => ({ ...one, payment_intent: intent(account, one.payment_intent) }))
      return right({ object: 'list', data, has_more: false, url: '/v1/checkout/sessions' }, 'list')
    },
    'GET /v1/checkout/sessions/*': (id, params) => {
      const session = account.sessions.get(id)
      if (!session || !expands(params, 'payment_intent')) return right(session, 'checkout.session')
      return right({ ...session, payment_intent: intent(account, session.payment_intent) }, 'session')
    },
    'POST /v1/checkout/sessions/*/expire': (id) => {
      const session = account.sessions.get(id)
      if (session && session.status !== 'open') return wrong('Only open sessions can be expired.')
      if (session) account.expire(session)
      return right(session, 'checkout.session')
    },
    'GET /v1/charges/*': (id) => right(account.charges.get(id), 'charge'),
    'GET /v1/refunds': (_, params) => {
      const data = [...account.refunds.values()].filter(
        ({ charge, payment_intent }) =>
          (at(params, 'charge') ?? charge) === charge &&
          (at(params, 'payment_intent') ?? payment_intent) === payment_intent,
      )
      return right({ object: 'list', data, has_more: false, url: '/v1/refunds' }, 'list')
    },
    'POST /v1/refunds': (_, params) => makeRefund(account, params),
  }
  return (method: string, path: string, params: Params): Reply => {
    const [, id = ''] = /\/(cs_test|ch|re|pi)_/.test(path) ? path.split(/\/(?=(?:cs_test|ch|re|pi)_)/) : []
    const own = id.split('/')[0]!
    const route = routes[`${method} ${own ? path.replace(own, '*') : path}`]
    return (
      route?.(own, params) ?? failing(404, { type: 'invalid_request_error', message: 'Unrecognized URL' })
    )
  }
}

const expands = (params: Params, what: string) =>
  Object.values(textsAt(params, 'expand')).some((name) => name.startsWith(what))

function intent({ charges, intents }: Account, id: string | null) {
  const found = id === null ? null : intents.get(id)!
  return found && { ...found, latest_charge: found.latest_charge && charges.get(found.latest_charge) }
}

/** Stripe's own rules: a session lasts 30 minutes to 24 hours, charges $10 at least, and OXXO $10,000 at most. */
function makeSession(account: Account, params: Params): Reply {
  const amount = Number(at(params, 'line_items.0.price_data.unit_amount'))
  const lasts = Number(at(params, 'expires_at')) - Date.now() / 1000
  const ways = Object.values(textsAt(params, 'allowed_payment_method_types'))
  // Taken away in the API's version of 2026-09-30.
  if ('payment_method_types' in params)
    return wrong('No longer supported.', 'payment_method_types_no_longer_supported')
  if (!Number.isSafeInteger(amount)) return wrong('Invalid integer: unit_amount')
  if (at(params, 'mode') !== 'payment') return wrong('Missing required param: mode.')
  if (lasts < 1800 - 5 || lasts > 86_400 + 5) return wrong('The expires_at timestamp is out of range.')
  if (amount < 1000) return wrong('The amount is too small.', 'amount_too_small')
  if (ways.includes('oxxo') && amount > 1_000_000) return wrong('The amount is too large for oxxo.')
  return { status: 200, body: structuredClone(account.makeSession(params)) }
}

function makeRefund(account: Account, params: Params): Reply {
  const asked = at(params, 'charge') ?? account.intents.get(at(params, 'payment_intent') ?? '')?.latest_charge
  const charge = account.charges.get(asked ?? '')
  if (!charge) return unknown('charge')
  const amount = Number(at(params, 'amount') ?? left(charge))
  if (charge.refunded) return wrong('Charge has already been refunded.', 'charge_already_refunded')
  if (amount > left(charge)) return wrong('Refund amount is greater than unrefunded amount on charge.')
  return { status: 200, body: structuredClone(account.refund(charge, amount, textsAt(params, 'metadata'))) }
}

const left = ({ amount, amount_refunded }: Charge) => amount - amount_refunded
