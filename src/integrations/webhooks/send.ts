import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import type { DeliveryOutcome } from '../../agencies/rules/integrations.ts'
import { type Db, transaction } from '../../platform/database/client.ts'
import { seal, sealingKey, unseal } from '../../platform/http/sealing.ts'
import { noteAnswer } from '../../platform/jobs/hands.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { receiverOf } from '../../platform/jobs/queues.ts'
import { announce } from '../../platform/live/announcements.ts'
import { askOutside, outsideFault } from '../../platform/outside.ts'
import { log } from '../../platform/telemetry/log.ts'
import { carrier, spanned } from '../../platform/telemetry/spans.ts'
import { epochSeconds } from '../../shared/calendar.ts'
import { type DueDelivery, recordAttempt, takeDueDelivery } from './events.ts'

/** Tries a delivery whose time has come, once, whichever and however many processes were asked to. */
export async function sendWebhook(db: Db, webhooks: Webhooks, deliveryId: string): Promise<void> {
  const due = await takeDueDelivery(db, deliveryId)
  if (!due) return
  const outcome = await attempt(webhooks, due, new Date())
  noteAnswer(receiverOf(due.url), !('fault' in outcome && outcome.fault === 'timeout'))
  await recordAttempt(db, due, outcome, new Date())
  announce(db, { people: [], desk: false })
  log.info({ delivery: due.id, event: due.eventId, tries: due.tries, ...outcome }, 'webhook event sent')
}

async function attempt(webhooks: Webhooks, due: DueDelivery, at: Date): Promise<DeliveryOutcome> {
  if (!due.listens) return { fault: 'switched_off' }
  const body = JSON.stringify({ id: due.eventId, ...due.payload })
  const signature = signatureOf(webhooks, due, body, at)
  if (!signature) return { fault: 'sealed' }
  const { host } = new URL(due.url)
  return spanned('send webhook', { kind: 'client', attributes: { 'server.address': host } }, () =>
    post('webhooks', { url: due.url, body, headers: headersOf(due.eventId, signature, at) }, webhooks),
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
function signatureOf(webhooks: Webhooks, due: DueDelivery, body: string, at: Date): string | null {
  const secret = webhooks.unseal(due.secret)
  if (!secret) return null
  const isRecent = due.previousUntil && due.previousUntil > at
  const previous = isRecent && due.previousSecret ? webhooks.unseal(due.previousSecret) : null
  const secrets = previous ? [secret, previous] : [secret]
  return secrets.map((one) => new Webhook(one).sign(due.eventId, at, body)).join(' ')
}

type Message = { url: string; headers: Record<string, string>; body: string | Buffer }

/**
 * Posts a message to an address that an agency, or a person's browser, chose, and returns the result; never throws. It
 * sends nothing into a private network.
 */
export async function post(
  system: 'webhooks' | 'push',
  message: Message,
  { allowPrivate }: Pick<Webhooks, 'allowPrivate'>,
): Promise<DeliveryOutcome> {
  try {
    const { status } = await askOutside(system, { ...message, method: 'POST' }, allowPrivate)
    return { status }
  } catch (error) {
    return { fault: outsideFault(error) }
  }
}

/** What sending needs to know of the house. */
export type Webhooks = {
  /** Makes of an endpoint's secret what is kept of it. */
  seal: (secret: string) => string
  /** The secret again; null where the key it was sealed with is another one's. */
  unseal: (sealed: string) => string | null
  /** Also to this machine and its network, and without https. */
  allowPrivate: boolean
}

/**
 * Webhooks as the environment sets them. Secrets are stored encrypted: read access to the database alone does not allow
 * signing as us.
 */
export function openWebhooks({
  env,
  secret,
}: {
  env: { WEBHOOK_ALLOW_PRIVATE: boolean }
  secret: string
}): Webhooks {
  const key = sealingKey(secret, 'webhook secrets')
  return {
    seal: (text) => seal(key, text),
    unseal: (sealed) => unseal(key, sealed),
    allowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
  }
}

const keptDays = 90

/** More than any round of the queue takes; a delivery that waits longer has lost its job. */
const strandedAfter = sql`make_interval(hours => 1)`
/** More than the longest wait for a next try: written by a clock that was ahead. */
const tooFar = sql`make_interval(hours => 11)`

/** Takes away events that are too old to be asked for, and gives deliveries that lost their job another. */
export async function cleanUpWebhooks(db: Db, now: Date): Promise<void> {
  const old = sql`created_at <= ${now}::timestamptz - make_interval(days => ${keptDays})`
  await db.execute(
    sql`delete from webhook_deliveries where event_id in (select id from webhook_events where ${old})`,
  )
  await db.execute(sql`delete from webhook_events where ${old}
    and not exists (select from webhook_deliveries where event_id = webhook_events.id)`)
  await transaction(db, async (tx) => {
    // A job may also wait long behind others of a receiver that does not answer.
    const { rows } = await tx.execute<{ deliveryId: string; url: string }>(sql`update webhook_deliveries
      set next_try_at = least(next_try_at, now()) where id in (select id from webhook_deliveries where state = 'pending'
        and (next_try_at > now() + ${tooFar} or next_try_at <= now() - ${strandedAfter} and id::text not in
          (select data ->> 'deliveryId' from pgboss.job where name = 'send-webhook' and state < 'completed'))
        order by next_try_at limit 500)
      returning id as "deliveryId", (select url from webhook_endpoints where id = endpoint_id)`)
    for (const { deliveryId, url } of rows)
      await enqueue(tx, 'send-webhook', { deliveryId, receiver: receiverOf(url) })
  })
}
