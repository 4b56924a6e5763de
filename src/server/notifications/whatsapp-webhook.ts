import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { messageMachine, messageStates } from '../../domain/notifications/whatsapp.ts'
import { noteConsent } from '../accounts/provider.ts'
import { log } from '../app/stop.ts'
import { type Db, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users } from '../platform/database/schema/accounts.ts'
import { whatsappMessages } from '../platform/database/schema/cfe.ts'
import type { HttpEnv } from '../platform/http/types.ts'
import { announce } from '../platform/live/announcements.ts'
import { type MessageStatus, readWebhookBody, type WhatsappSettings } from './schema.ts'

/** Larger than what WhatsApp posts at once. */
const MAX_BODY_BYTES = 3 * 1024 * 1024

/** What WhatsApp posts by itself, at /whatsapp/webhook: signed over the body to the letter, repeated until it is taken. */
export function whatsappWebhook(db: Db, settings: WhatsappSettings, termsVersion: string): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/webhook', (c) => {
    const {
      'hub.mode': mode,
      'hub.verify_token': token = '',
      'hub.challenge': challenge = '',
    } = c.req.query()
    if (mode !== 'subscribe' || !isSame(token, settings.verifyToken)) return c.text('No.', 403)
    return c.text(challenge)
  })
  app.post(
    '/webhook',
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.text('Demasiado grande.', 413) }),
    async (c) => {
      const body = Buffer.from(await c.req.arrayBuffer())
      const signed = createHmac('sha256', settings.appSecret).update(body).digest('hex')
      if (!isSame(c.req.header('x-hub-signature-256') ?? '', `sha256=${signed}`)) {
        log.warn('a message to the webhook was not signed by WhatsApp')
        return c.text('La firma no es válida.', 401)
      }
      const { optOuts, statuses } = readWebhookBody(body.toString())
      for (const status of statuses) await takeStatus(db, status, new Date())
      for (const phone of optOuts) await takeOptOut(db, phone, termsVersion)
      return c.json({ received: true })
    },
  )
  return app
}

/** Whether two texts are the same, in the same time whatever they are. */
const isSame = (given: string, ours: string) =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(ours).digest())

/** Notes how far a message got; what comes late or twice changes nothing. */
async function takeStatus(
  db: Db,
  { fault, messageId, status, wamid }: MessageStatus,
  now: Date,
): Promise<void> {
  await db
    .update(whatsappMessages)
    .set({ state: status, stateAt: now, wamid, ...(fault && { fault }) })
    .where(
      and(
        or(eq(whatsappMessages.wamid, wamid), messageId ? eq(whatsappMessages.id, messageId) : undefined),
        inArray(whatsappMessages.state, messageMachine.from(status)),
      ),
    )
}

/** Whoever answers BAJA is written to no more: each customer with that phone, once. A form that was open before says so when it is saved. */
async function takeOptOut(db: Db, phone: string, version: string): Promise<void> {
  const gone = await transaction(db, async (tx) => {
    const rows = await tx
      .update(users)
      .set({ whatsappOptInAt: null, version: sql`${users.version} + 1` })
      .where(and(eq(users.phone, phone), isNotNull(users.whatsappOptInAt)))
      .returning({ id: users.id })
    for (const { id: userId } of rows) {
      noteConsent(tx, { userId, kind: 'whatsapp', given: false, version, source: 'whatsapp' })
      const data = { whatsapp: false }
      await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'choose_notices', data })
    }
    return rows
  })
  announce(db, { people: gone.map(({ id }) => id), desk: false })
}

/** The messages of somebody's, the newest first, for themselves to read: what they said is kept nowhere. */
export async function ownMessages(db: Db, userId: string) {
  const rows = await db
    .select()
    .from(whatsappMessages)
    .where(eq(whatsappMessages.userId, userId))
    .orderBy(desc(whatsappMessages.id))
  return rows.map(({ createdAt, state, stateAt, template }) => ({
    Mensaje: template,
    Estado: messageStates[state],
    Pedido: createdAt,
    'Último cambio': stateAt,
  }))
}
