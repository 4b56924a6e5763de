import { Refusal } from '../../../domain/shared/refusal.ts'
import { log } from '../../app/log.ts'

/** What the library throws has one of these for its type. */
const kinds: Record<string, 'away' | 'busy' | 'card' | 'wrong'> = {
  StripeConnectionError: 'away',
  StripeAPIError: 'away',
  StripeRateLimitError: 'busy',
  StripeCardError: 'card',
  StripeIdempotencyError: 'wrong',
  StripeInvalidRequestError: 'wrong',
  StripeAuthenticationError: 'wrong',
  StripePermissionError: 'wrong',
}

const refusals = {
  away: () =>
    new Refusal('unavailable', {
      title: 'No pudimos abrir el pago con tarjeta',
      description: 'Stripe no respondió y no se te cobró nada. Vuelve a intentarlo en un momento.',
    }),
  busy: () =>
    new Refusal('resource-exhausted', {
      title: 'Hay muchos pagos a la vez',
      description: 'No se te cobró nada. Espera un minuto y vuelve a intentarlo.',
    }),
  card: () =>
    new Refusal('failed-precondition', {
      title: 'El banco rechazó la tarjeta',
      description: 'No se te cobró nada. Prueba con otra tarjeta o paga por transferencia.',
    }),
  wrong: () =>
    new Refusal('unavailable', {
      title: 'El pago con tarjeta no está disponible',
      description: 'No se te cobró nada. Por ahora puedes pagar por transferencia, o pedirnos ayuda.',
    }),
}

type Fault = { type: string; code?: string; requestId?: string; statusCode?: number }

/** What Stripe's library threw; undefined for anything else. */
export const stripeFault = (error: unknown): Fault | undefined =>
  error instanceof Error && 'type' in error && String(error.type) in kinds
    ? (error as Error & Fault)
    : undefined

/** Whether Stripe judged a request and said no: asking again brings the same answer. */
export const isRefusedByStripe = (error: unknown): boolean => {
  const kind = kinds[stripeFault(error)?.type ?? '']
  return kind === 'wrong' || kind === 'card'
}

/** What somebody is told when Stripe fails them; it goes to the log without what was sent. A bug goes on as it is. */
export function stripeRefusal(error: unknown): unknown {
  const fault = stripeFault(error)
  if (!fault) return error
  const { code, requestId, statusCode, type } = fault
  log.warn({ stripe: { code, requestId, statusCode, type } }, 'stripe failed a request')
  return refusals[kinds[type]!]()
}
