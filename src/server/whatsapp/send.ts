import { and, eq, inArray } from 'drizzle-orm'
import { type MessageState, type Template, whatsappNumber } from '../../domain/whatsapp.ts'
import { users } from '../database/account-schema.ts'
import type { Db } from '../database/database.ts'
import { whatsappMessages } from '../database/whatsapp-schema.ts'
import { log } from '../log.ts'
import type { LetterJob } from '../notifications/jobs.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { post } from './post.ts'
import type { WhatsappSettings } from './whatsapp-env.ts'
import { templateWords } from './words.ts'

type Asked = { messageId: string; letter: LetterJob }

/**
 * Sends a message as things stand now, at most once: where nobody can tell whether it was taken it is not sent again,
 * since its letter goes anyway. Throws where it surely was not and may be tried later.
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
  if (!about || !number) return write(db, messageId, { state: 'dropped' })
  const outcome = await post(settings, bodyOf(number, taken.template, about.words, messageId))
  log.info(
    { message: messageId, template: taken.template, outcome: outcome.is },
    'a message by WhatsApp was tried',
  )
  if (outcome.is === 'taken') return write(db, messageId, { wamid: outcome.wamid, state: 'sent' })
  if (outcome.is === 'refused') return write(db, messageId, { state: 'failed', fault: outcome.fault })
  if (outcome.is === 'unknown') return write(db, messageId, { state: 'failed', fault: 'unknown' })
  await write(db, messageId, { state: 'queued' })
  throw new Error('whatsapp takes nothing now')
}

/** Takes it for this try. One that another try left in the middle may have been sent: it is given up. */
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

/** Told meanwhile by the webhook, how far it got stays. */
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

const bodyOf = (to: string, name: Template, words: readonly string[], id: string) => ({
  messaging_product: 'whatsapp',
  to,
  type: 'template',
  template: {
    name,
    language: { code: 'es_MX' },
    components: [{ type: 'body', parameters: words.map((text) => ({ type: 'text', text })) }],
  },
  // Comes back with each status, also where our own note of WhatsApp's name for it was lost.
  biz_opaque_callback_data: id,
})
