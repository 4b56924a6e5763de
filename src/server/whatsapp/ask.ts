import { eq } from 'drizzle-orm'
import { toMinutes } from '../../domain/calendar.ts'
import { isQuiet, outsideQuietHours } from '../../domain/reminders.ts'
import { isWhatsappLetter, templates } from '../../domain/whatsapp.ts'
import { users } from '../database/account-schema.ts'
import { type Db, transaction } from '../database/database.ts'
import { whatsappMessages } from '../database/whatsapp-schema.ts'
import { enqueue } from '../jobs/jobs.ts'
import type { LetterJob } from '../notifications/jobs.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { templateWords } from './words.ts'

/**
 * Asks for the message that goes with a letter, where its customer wants that: called by the letter's job, which exists
 * if, and only if, the change that caused it was kept. One message however often that job is tried. At night it waits
 * for the morning, but for whoever is on the way.
 */
export async function askForMessage(db: Db, letter: LetterJob, letterId: string, now: Date): Promise<void> {
  if (letter.to !== 'customer' || !isWhatsappLetter(letter.letter)) return
  const { settings } = await currentStaffing(db)
  const about = await templateWords(db, letter, settings, now)
  if (!about) return
  const template = templates[letter.letter]
  const waits = letter.letter !== 'on_the_way' && isQuiet(toMinutes(now))
  await transaction(db, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, about.customerId))
    if (!user?.active || !user.phone || !user.whatsappOptInAt) return
    const [message] = await tx
      .insert(whatsappMessages)
      .values({ letterId, userId: user.id, template })
      .onConflictDoNothing()
      .returning({ id: whatsappMessages.id })
    if (!message) return
    const at = waits ? outsideQuietHours(now) : undefined
    await enqueue(tx, 'whatsapp', { messageId: message.id, letter }, at)
  })
}
