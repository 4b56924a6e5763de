import { eq } from 'drizzle-orm'
import { serviceFacts } from '../../domain/services.ts'
import type { Settings } from '../../domain/settings.ts'
import { arrivalWindow, longDate, time } from '../../domain/shared/format.ts'
import type { WhatsappLetter } from '../../domain/whatsapp.ts'
import type { Db } from '../database/database.ts'
import { payments, quotes } from '../database/money-schema.ts'
import type { LetterJob } from '../notifications/jobs.ts'
import { standingOf, stillTrue } from '../notifications/standing.ts'
import { named } from '../notifications/told.ts'

type About = { customerId: string; words: string[] }

/**
 * The words of a template's places, from what stands now; null when the letter is no longer true. No address and no
 * amount: nobody proved that the phone is theirs.
 */
export async function templateWords(
  db: Db,
  job: LetterJob,
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

type AppointmentJob = Extract<LetterJob, { appointmentId: string }>

async function ofAppointment(
  db: Db,
  job: AppointmentJob,
  { arrivalWindowMinutes }: Pick<Settings, 'arrivalWindowMinutes'>,
  now: Date,
): Promise<About | null> {
  const standing = await standingOf(db, job.appointmentId)
  if (!standing || !stillTrue(standing, job, now)) return null
  const { customer, folio, service, startsAt } = standing
  const { label, needsTravel } = serviceFacts[service]
  const hour =
    needsTravel && arrivalWindowMinutes > 0 ? arrivalWindow(startsAt, arrivalWindowMinutes) : time(startsAt)
  const about = [label, folio]
  const who = named(standing)
  const words: Partial<Record<WhatsappLetter, string[]>> = {
    assigned: [...about, longDate(startsAt), hour, who],
    on_the_way: [...about, who],
    cancelled: [...about, longDate(startsAt)],
  }
  return {
    customerId: customer.id,
    words: words[job.letter as WhatsappLetter] ?? [...about, longDate(startsAt), hour],
  }
}
