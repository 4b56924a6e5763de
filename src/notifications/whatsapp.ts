import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { noteTry } from '../accounts/limits.ts'
import { noteConsent } from '../accounts/privacy.ts'
import { serviceFacts } from '../appointments/rules/appointment.ts'
import { type Db, queryRows, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { users, whatsappNumbers } from '../platform/database/schema/accounts.ts'
import { whatsappMessages } from '../platform/database/schema/cfe.ts'
import { payments, quotes } from '../platform/database/schema/payments.ts'
import { ask, ExternalFailure, jsonIn } from '../platform/external.ts'
import { hashOf } from '../platform/http/sealing.ts'
import type { HttpEnv } from '../platform/http/types.ts'
import type { AppointmentEmailJob, EmailJob } from '../platform/jobs/emails.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { log, noteDropped } from '../platform/telemetry/log.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import type { Settings } from '../settings/rules/settings-schema.ts'
import { isQuiet, outsideQuietHours, toMinutes } from '../shared/calendar.ts'
import { longDate, theTime } from '../shared/format.ts'
import { appointmentEmails, performerName } from './emails/appointment.ts'
import { timeFact } from './emails/appointment-data.ts'
import { isForNow } from './rules/push.ts'
import {
  askTemplate,
  codeTemplate,
  isOptIn,
  isOptOut,
  isWhatsappLetter,
  type MessageState,
  messageMachine,
  messageStates,
  ownDigits,
  type Template,
  templates,
  type WhatsappLetter,
  whatsappNumber,
} from './rules/whatsapp.ts'
import {
  type MessageStatus,
  readWebhookBody,
  refusedAnswer,
  takenAnswer,
  type WhatsappSettings,
} from './schema.ts'

/**
 * Enqueues the message beside an e-mail, where the customer agreed to it. Called by the e-mail's job, which exists only if
 * its change was committed; one message, also after retries. At night it waits for the morning, except what is for now.
 */
export async function askForMessage(db: Db, letter: EmailJob, letterId: string, now: Date): Promise<void> {
  if (letter.to !== 'customer' || !isWhatsappLetter(letter.letter)) return
  const { settings } = await currentStaffing(db)
  const about = await templateWords(db, letter, settings, now)
  if (!about) return
  const template = templates[letter.letter]
  const waits = !isForNow(letter.letter) && isQuiet(toMinutes(now))
  await transaction(db, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, about.customerId))
    // Who may have typed another person's number has that person written to only once they agree.
    if (!user?.active || !user.emailVerified || !user.phone || !user.whatsappOptInAt) return
    const standing = await noteAsked(tx, user.phone)
    if (standing === 'asked') return
    const [message] = await tx
      .insert(whatsappMessages)
      .values({ letterId, userId: user.id, template: standing === 'agreed' ? template : askTemplate })
      .onConflictDoNothing()
      .returning({ id: whatsappMessages.id })
    if (!message) return
    // Its history shows how far the message got.
    await record(tx, { entity: 'whatsapp', entityId: message.id, name: 'send' })
    const at = waits ? outsideQuietHours(now) : undefined
    await enqueue(tx, 'whatsapp', { messageId: message.id, letter }, at)
  })
}

/** Whether the holder of a number agreed to messages; one who was never asked is asked now. */
async function noteAsked(tx: Tx, phone: string): Promise<'agreed' | 'asked' | 'new'> {
  const [row] = await queryRows<[agreed: boolean, isNew: boolean]>(
    tx,
    sql`insert into whatsapp_numbers as kept (hash) values (${hashOf(phone)})
      on conflict (hash) do update set hash = excluded.hash returning agreed_at is not null, xmax = 0`,
  )
  const [isAgreed, isNew] = row!
  return isAgreed ? 'agreed' : isNew ? 'new' : 'asked'
}

/** A number whose question did not leave is asked again by the next message. */
const forgetAsked = (db: Db, number: string) =>
  db.execute(
    sql`delete from whatsapp_numbers where hash = ${hashOf(ownDigits(number) ?? '')} and agreed_at is null`,
  )

type Asked = { messageId: string; letter: EmailJob }

/**
 * Sends a message from current data, at most once: with an unknown result it is not retried, since the e-mail is sent
 * anyway. Throws where it was certainly not sent and may be retried.
 */
export async function sendMessage(
  db: Db,
  settings: WhatsappSettings,
  { letter, messageId }: Asked,
  now: Date,
): Promise<void> {
  const { settings: house } = await currentStaffing(db)
  const about = await templateWords(db, letter, house, now)
  const taken = await take(db, messageId)
  if (!taken) return
  const number = about && (await numberOf(db, taken.userId))
  const isQuestion = taken.template === askTemplate
  if (!about && !isQuestion) noteDropped('whatsapp', letter.letter)
  if (!number || !(about || isQuestion)) return write(db, messageId, { state: 'dropped' })
  const words = isQuestion || !about ? [] : about.words
  const outcome = await post(settings, bodyOf(number, taken.template, words, messageId))
  log.info(
    { message: messageId, template: taken.template, outcome: outcome.is },
    'WhatsApp message sent or refused',
  )
  if (outcome.is === 'taken') return write(db, messageId, { wamid: outcome.wamid, state: 'sent' })
  if (outcome.is === 'refused' && isQuestion) await forgetAsked(db, number)
  if (outcome.is === 'refused') return write(db, messageId, { state: 'failed', fault: outcome.fault })
  if (outcome.is === 'unknown') return write(db, messageId, { state: 'failed', fault: 'unknown' })
  await write(db, messageId, { state: 'queued' })
  throw new Error('whatsapp takes nothing now')
}

/** Marks the message as being sent. One left so by an earlier try may have been sent, and is given up. */
async function take(db: Db, id: string) {
  const [taken] = await db
    .update(whatsappMessages)
    .set({ state: 'sending', stateAt: new Date() })
    .where(and(eq(whatsappMessages.id, id), eq(whatsappMessages.state, 'queued')))
    .returning({ userId: whatsappMessages.userId, template: whatsappMessages.template })
  return taken ?? null
}

async function numberOf(db: Db, userId: string): Promise<string | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  return user?.active && user.whatsappOptInAt && user.phone ? whatsappNumber(user.phone) : null
}

/** Keeps a status that the webhook reported meanwhile. */
async function write(db: Db, id: string, set: { state: MessageState; wamid?: string; fault?: string }) {
  const { state, ...rest } = set
  await db
    .update(whatsappMessages)
    .set(rest.wamid || rest.fault ? rest : { stateAt: new Date() })
    .where(eq(whatsappMessages.id, id))
  await db
    .update(whatsappMessages)
    .set({ state, stateAt: new Date() })
    .where(and(eq(whatsappMessages.id, id), inArray(whatsappMessages.state, ['sending'])))
}

function bodyOf(to: string, name: Template, words: readonly string[], id: string) {
  const parameters = words.map((text) => ({ type: 'text', text }))
  // A code is also what the button of its template copies.
  const button = { type: 'button', sub_type: 'url', index: '0', parameters }
  const body = { type: 'body', parameters }
  const components = name === codeTemplate ? [body, button] : [body]
  return {
    messaging_product: 'whatsapp',
    to,
    type: 'template',
    template: { name, language: { code: 'es_MX' }, components },
    // Returned with each status, even if WhatsApp's id was not stored.
    biz_opaque_callback_data: id,
  }
}

/** Sends a code at once, also at night, and once: its reader asks for another. It is not stored here. */
export async function sendCode(
  db: Db,
  settings: WhatsappSettings,
  userId: string,
  code: string,
): Promise<void> {
  const number = await numberOf(db, userId)
  if (!number) return
  const message = { letterId: randomUUID(), userId, template: codeTemplate, state: 'sending' } as const
  const id = await transaction(db, async (tx) => {
    const [row] = await tx.insert(whatsappMessages).values(message).returning({ id: whatsappMessages.id })
    await record(tx, { entity: 'whatsapp', entityId: row!.id, name: 'send' })
    return row!.id
  })
  const outcome = await post(settings, bodyOf(number, codeTemplate, [code], id))
  log.info({ message: id, template: codeTemplate, outcome: outcome.is }, 'WhatsApp message sent or refused')
  if (outcome.is === 'taken') return write(db, id, { wamid: outcome.wamid, state: 'sent' })
  await write(db, id, { state: 'failed', fault: outcome.is === 'refused' ? outcome.fault : 'unknown' })
}

/** The result of sending: `later` was certainly not accepted, `unknown` may have been. */
type Outcome =
  | { is: 'taken'; wamid: string }
  | { is: 'refused'; fault: string }
  | { is: 'later' }
  | { is: 'unknown' }

/** The error codes of rate limits (Cloud API, "Error codes"). */
const throttled = [4, 80007, 130429, 131048, 131056]

/** Posts a message to the Cloud API; never throws. */
async function post({ api, phoneId, token }: WhatsappSettings, message: object): Promise<Outcome> {
  let answer: { status: number; body: string }
  try {
    answer = await ask('whatsapp', {
      url: `${api}/${phoneId}/messages`,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
  } catch (error) {
    return { is: error instanceof ExternalFailure && error.kind === 'unreachable' ? 'later' : 'unknown' }
  }
  const { status } = answer
  const body = jsonIn(answer.body)
  if (status >= 200 && status < 300) {
    const taken = takenAnswer.safeParse(body)
    return taken.success ? { is: 'taken', wamid: taken.data.messages[0]!.id } : { is: 'unknown' }
  }
  const code = refusedAnswer.safeParse(body).data?.error.code
  if (status === 429 || status === 503 || (code && throttled.includes(code))) return { is: 'later' }
  return status >= 500 ? { is: 'unknown' } : { is: 'refused', fault: String(code ?? status) }
}

type About = { customerId: string; words: string[] }

/**
 * The parameters of a template, from current data; null when the e-mail is no longer relevant. No address and no amount: the
 * phone is not verified.
 */
async function templateWords(
  db: Db,
  job: EmailJob,
  settings: Pick<Settings, 'arrivalWindowMinutes'>,
  now: Date,
): Promise<About | null> {
  if ('appointmentId' in job) return ofAppointment(db, job, settings, now)
  if ('quoteId' in job) {
    const [quote] = await db.select().from(quotes).where(eq(quotes.id, job.quoteId))
    const stands = quote && ['sent', 'viewed'].includes(quote.state)
    return stands ? { customerId: quote.customerId, words: [quote.folio] } : null
  }
  if ('paymentId' in job) {
    const [payment] = await db.select().from(payments).where(eq(payments.id, job.paymentId))
    return payment?.state === 'paid' ? { customerId: payment.customerId, words: [payment.folio] } : null
  }
  return null
}

async function ofAppointment(
  db: Db,
  job: AppointmentEmailJob,
  settings: Pick<Settings, 'arrivalWindowMinutes'>,
  now: Date,
): Promise<About | null> {
  if (job.to !== 'customer') return null
  const email = appointmentEmails.customer[job.letter]
  const appointment = await email.load(db, job, now)
  if (!appointment || !email.isRelevant(appointment, now, job)) return null
  const { customer, folio, service, startsAt } = appointment
  const about = [serviceFacts[service].label, folio]
  const [, hour] = timeFact(appointment, { settings })
  const who = performerName(appointment)
  const words: Partial<Record<WhatsappLetter, string[]>> = {
    assigned: [...about, longDate(startsAt), hour, who],
    on_the_way: [...about, who],
    way_undone: [...about, who],
    running_late: [...about, appointment.runningLate ? theTime(appointment.runningLate.until) : hour],
    cancelled: [...about, longDate(startsAt)],
  }
  return {
    customerId: customer.id,
    words: words[job.letter as WhatsappLetter] ?? [...about, longDate(startsAt), hour],
  }
}

/** Above the size of WhatsApp's requests. */
const MAX_BODY_BYTES = 3 * 1024 * 1024

/** The webhook at /whatsapp/webhook: signed over the exact body, repeated by WhatsApp until it is accepted. */
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
        log.warn('WhatsApp webhook: invalid signature')
        await noteTry(db, 'whatsapp')
        return c.text('La firma no es válida.', 401)
      }
      const { replies, statuses } = readWebhookBody(body.toString())
      for (const status of statuses) await takeStatus(db, status, new Date())
      for (const { phone, words } of replies) {
        if (isOptOut(words)) await takeOptOut(db, phone, termsVersion)
        else if (isOptIn(words)) await takeOptIn(db, phone)
      }
      return c.json({ received: true })
    },
  )
  return app
}

/** Compares two texts in constant time. */
const isSame = (given: string, ours: string) =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(ours).digest())

/** Stores the status of a message; late and repeated reports change nothing. */
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

/** The holder of a number agrees to messages. */
const takeOptIn = (db: Db, phone: string) => {
  const agreedAt = new Date()
  const asked = db.insert(whatsappNumbers).values({ hash: hashOf(phone), agreedAt })
  return asked.onConflictDoUpdate({ target: whatsappNumbers.hash, set: { agreedAt } })
}

/**
 * After the answer BAJA all customers with that phone receive no more messages. A form opened before is refused when saved.
 */
async function takeOptOut(db: Db, phone: string, version: string): Promise<void> {
  const gone = await transaction(db, async (tx) => {
    await tx.execute(sql`update whatsapp_numbers set agreed_at = null where hash = ${hashOf(phone)}`)
    const rows = await tx
      .update(users)
      .set({ whatsappOptInAt: null, version: sql`${users.version} + 1` })
      .where(and(eq(users.phone, phone), isNotNull(users.whatsappOptInAt)))
      .returning({ id: users.id })
    for (const { id: userId } of rows) {
      await noteConsent(tx, { userId, kind: 'whatsapp', given: false, version, source: 'whatsapp' })
      const data = { whatsapp: false }
      await record(tx, { entity: 'user', entityId: userId, actorId: userId, name: 'choose_notices', data })
    }
    return rows
  })
  announce(db, { people: gone.map(({ id }) => id), desk: false })
}

/** A user's messages, the newest first, for their own data; their text is not stored. */
export async function ownMessages(db: Db, userId: string) {
  const rows = await db
    .select()
    .from(whatsappMessages)
    .where(eq(whatsappMessages.userId, userId))
    .orderBy(desc(whatsappMessages.id))
  return rows.map(({ createdAt, state, stateAt, template }) => ({
    Mensaje: template,
    Estado: messageStates[state],
    Solicitado: createdAt,
    'Último cambio': stateAt,
  }))
}
