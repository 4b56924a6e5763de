import type { Session } from './objects.ts'

const frame = (body: string) => `<!doctype html><html lang="es"><title>Pago</title>${body}</html>`

/** The page that a customer pays at: a card, or an OXXO voucher where the session allows it. */
export function payPage({ amount_total, cancel_url, payment_method_types, status }: Session): string {
  if (status !== 'open') return frame('<h1>Esta sesión ya terminó</h1>')
  const pesos = (amount_total / 100).toFixed(2)
  const button = (way: string, words: string) => `<button name="way" value="${way}">${words}</button>`
  const ways = [
    button('card', `Pagar $${pesos} con tarjeta`),
    ...(payment_method_types.includes('oxxo') ? [button('oxxo', 'Pagar en OXXO')] : []),
  ]
  return frame(
    `<h1>Pagar $${pesos}</h1><form method="post">${ways.join('')}</form><a href="${cancel_url}">Volver</a>`,
  )
}

/** What an OXXO counter scans. */
export const voucherPage = () => frame('<h1>Ficha de pago OXXO</h1>')
