import { createHmac } from 'node:crypto'
import type { Event } from './objects.ts'

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
