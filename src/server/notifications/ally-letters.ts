import type { Db } from '../database/database.ts'
import { clientLetters } from './emails/agency.ts'
import { codeLetters } from './code-letters.ts'
import { commissionLetters } from './commission-letters.ts'
import type { AboutAlly, LetterJob } from './jobs.ts'
import type { Addressed } from './money-letters.ts'
import type { House } from './told.ts'
import { webhookLetters } from './webhook-letters.ts'

/** Whether a letter is about what allies do. */
export const isAboutAlly = (job: LetterJob): job is AboutAlly =>
  'clientId' in job || 'codeId' in job || 'payoutId' in job || 'endpointId' in job

/** The letters of a job about what allies do; none where what they say is no longer true, or nobody is there to read it. */
export async function allyLetters(db: Db, job: AboutAlly, house: House, now: Date): Promise<Addressed[]> {
  if ('clientId' in job) return clientLetters(db, job, house, now)
  if ('payoutId' in job) return commissionLetters(db, job, house)
  if ('endpointId' in job) return webhookLetters(db, job, house)
  if ('codeId' in job) return codeLetters(db, job, house)
  return []
}
