import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Db } from '../database/database.ts'
import type { HttpEnv } from '../http/types.ts'
import { log } from '../log.ts'
import { takeOptOut, takeStatus } from './told.ts'
import { toldIn } from './told-input.ts'
import type { WhatsappSettings } from './whatsapp-env.ts'

/** Larger than what WhatsApp tells at once. */
const largest = 3 * 1024 * 1024

/** What WhatsApp tells us by itself, at /whatsapp/webhook: signed over the body to the letter, told again until it is taken. */
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
    bodyLimit({ maxSize: largest, onError: (c) => c.text('Demasiado grande.', 413) }),
    async (c) => {
      const body = Buffer.from(await c.req.arrayBuffer())
      const signed = createHmac('sha256', settings.appSecret).update(body).digest('hex')
      if (!isSame(c.req.header('x-hub-signature-256') ?? '', `sha256=${signed}`)) {
        log.warn('a message to the webhook was not signed by WhatsApp')
        return c.text('La firma no es válida.', 401)
      }
      const { optOuts, statuses } = toldIn(body.toString())
      for (const status of statuses) await takeStatus(db, status, new Date())
      for (const phone of optOuts) await takeOptOut(db, phone, termsVersion)
      return c.json({ received: true })
    },
  )
  return app
}

/** Whether two texts are the same, in the same time whatever they are. */
const isSame = (told: string, ours: string) =>
  timingSafeEqual(createHash('sha256').update(told).digest(), createHash('sha256').update(ours).digest())
