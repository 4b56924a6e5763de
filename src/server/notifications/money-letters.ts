import type { Db } from '../database/database.ts'
import { fiscalLetters } from './fiscal-letters.ts'
import { invoiceLetters } from './emails/invoice.ts'
import type { AboutMoney } from './jobs.ts'
import { paymentLetters, projectLetters, refundLetters } from './payment-letters.ts'
import { quoteLetters } from './quote-letters.ts'
import type { Mailbox } from './recipients.ts'
import type { House } from './told.ts'
import type { Written } from './written.ts'

/** A letter with whom it goes to. */
export type Addressed = { reader: Mailbox; letter: Written }

/** The letters of a job about money; none where what they say is no longer true, or nobody is there to read it. */
export function moneyLetters(db: Db, job: AboutMoney, house: House, now: Date): Promise<Addressed[]> {
  if ('quoteId' in job) return quoteLetters(db, job, house, now)
  if ('paymentId' in job) return paymentLetters(db, job, house, now)
  if ('projectId' in job) return projectLetters(db, job, house, now)
  if ('refundId' in job) return refundLetters(db, job, house, now)
  if ('fiscalOf' in job) return fiscalLetters(db, job, house, now)
  return invoiceLetters(db, job, house, now)
}
