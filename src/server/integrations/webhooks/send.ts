import { Webhook } from 'standardwebhooks'
import type { Outcome } from '../../../domain/agencies/integrations.ts'
import { epochSeconds } from '../../../domain/shared/calendar.ts'
import { log } from '../../app/log.ts'
import type { Db } from '../../platform/database/database.ts'
import { announce } from '../../platform/live/announcements.ts'
import { carrier, spanned } from '../../platform/telemetry/spans.ts'
import { type Due, takeDue } from './due.ts'
import type { Webhooks } from './open.ts'
import { post } from './post.ts'
import { settle } from './settle.ts'

/** Tries a delivery whose time has come, once, whichever and however many processes were asked to. */
export async function sendWebhook(db: Db, webhooks: Webhooks, deliveryId: string): Promise<void> {
  const due = await takeDue(db, deliveryId)
  if (!due) return
  const outcome = await attempt(webhooks, due, new Date())
  await settle(db, due, outcome, new Date())
  announce(db, { people: [], desk: false })
  log.info({ delivery: due.id, event: due.eventId, tries: due.tries, ...outcome }, 'an event was sent')
}

async function attempt(webhooks: Webhooks, due: Due, at: Date): Promise<Outcome> {
  if (!due.listens) return { fault: 'switched_off' }
  const body = JSON.stringify({ id: due.eventId, ...due.payload })
  const signature = signatureOf(webhooks, due, body, at)
  if (!signature) return { fault: 'sealed' }
  const { host } = new URL(due.url)
  return spanned('send webhook', { kind: 'client', attributes: { 'server.address': host } }, () =>
    post({ url: due.url, body, headers: headersOf(due.eventId, signature, at) }, webhooks),
  )
}

/**
 * The three of the Standard Webhooks specification, whose id is the event's at each try and each replay; and where traces
 * are gathered, what lets the receiver's go on from ours.
 */
const headersOf = (eventId: string, signature: string, at: Date) => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'carga-en-casa-webhooks/1',
  'webhook-id': eventId,
  'webhook-timestamp': String(epochSeconds(at)),
  'webhook-signature': signature,
  ...carrier(),
})

/** By the endpoint's secret, and for a day by the one before too; null where it can't be read. */
function signatureOf(webhooks: Webhooks, due: Due, body: string, at: Date): string | null {
  const secret = webhooks.unseal(due.secret)
  if (!secret) return null
  const isRecent = due.previousUntil && due.previousUntil > at
  const previous = isRecent && due.previousSecret ? webhooks.unseal(due.previousSecret) : null
  const secrets = previous ? [secret, previous] : [secret]
  return secrets.map((one) => new Webhook(one).sign(due.eventId, at, body)).join(' ')
}
