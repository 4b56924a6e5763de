import { createHash } from 'node:crypto'
import type { Env } from '../app/env.ts'
import { log } from '../app/log.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { JobFailed } from '../platform/jobs/failed.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import type { Jobs } from '../platform/jobs/queues.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import type { Email, EmailContext, EmailsOf } from './email.ts'
import { accountEmails } from './emails/account.ts'
import { agencyEmails } from './emails/agency.ts'
import { appointmentEmails } from './emails/appointment.ts'
import { appointmentStaffEmails } from './emails/appointment-staff.ts'
import { caseEmails } from './emails/cfe.ts'
import { invoiceEmails } from './emails/invoice.ts'
import { offerEmails } from './emails/offers.ts'
import { moneyEmails } from './emails/payment.ts'
import { quoteEmails } from './emails/quote.ts'
import type { AccountEmailJob, EmailJob } from './jobs.ts'
import type { Recipient } from './recipients.ts'
import { renderEmail } from './render.ts'
import type { MailTransport } from './transport.ts'

/** Every e-mail, by who reads it and its kind: the two values that its job carries. */
const emails: EmailsOf<EmailJob> = {
  customer: {
    ...appointmentEmails.customer,
    ...offerEmails.customer,
    ...quoteEmails.customer,
    ...moneyEmails.customer,
    ...invoiceEmails.customer,
    ...caseEmails.customer,
  },
  managers: {
    ...appointmentStaffEmails.managers,
    ...moneyEmails.managers,
    ...invoiceEmails.managers,
    ...agencyEmails.managers,
  },
  person: { ...appointmentStaffEmails.person, ...agencyEmails.person },
  maker: quoteEmails.maker,
  gester: caseEmails.gester,
  client: agencyEmails.client,
  allies: agencyEmails.allies,
}

export type EmailEnv = Pick<Env, 'BRAND' | 'baseUrl' | 'MAIL_FROM'>

/**
 * Sends the e-mail of a job, composed from what stands now; where several are to read it, `split` leaves a job for each,
 * so that one mailbox holds back no other's e-mail and repeats none. One that is no longer relevant is left out. Throws
 * when it was not taken; the next try sends it under the same Message-ID.
 */
export async function sendEmail(
  db: Db,
  env: EmailEnv,
  transport: MailTransport,
  { reader: only, ...job }: Jobs['letter'],
  jobId: string,
  split: (readers: readonly string[]) => Promise<void>,
): Promise<void> {
  const email = emailOf(job)
  const { facts, recipients } = await lookUp(db, email, job)
  const readers = only === undefined ? recipients : recipients.filter(({ id }) => id === only)
  if (readers.length > 1) return split(readers.map(({ id }) => id))
  const [reader] = readers
  if (reader) {
    const context = await contextOf(db, env)
    const messageId = messageIdOf(`${jobId}.${reader.id}`, env)
    await deliver(transport, email, facts, reader, context, messageId).catch((error: unknown) => {
      throw error instanceof JobFailed ? error.of(reader.id) : error
    })
  }
  const line = { job: jobId, letter: job.letter, sent: readers.length, ...idsOf(job) }
  log.info(line, reader ? 'e-mail sent' : 'e-mail skipped: no recipient or outdated')
}

/** Sends the e-mail of a job about an account. Throws when it was not taken. */
export async function sendAccountEmail(
  db: Db,
  env: EmailEnv,
  transport: MailTransport,
  job: AccountEmailJob,
  jobId: string,
): Promise<void> {
  const email: Email<AccountEmailJob> = accountEmails[job.letter]
  const { facts, recipients } = await lookUp(db, email, job)
  const [reader] = recipients
  const line = { job: jobId, letter: job.letter }
  if (!reader) return log.info(line, 'e-mail skipped: no recipient or outdated')
  const { settings, ...context } = await contextOf(db, env)
  // These name no phone, whoever reads them.
  const support = { ...settings.support, phone: '' }
  const messageId = messageIdOf(`${jobId}.account`, env)
  await deliver(
    transport,
    email,
    facts,
    reader,
    { ...context, settings: { ...settings, support } },
    messageId,
  ).catch((error: unknown) => {
    throw error instanceof JobFailed ? error.of(reader.id, withoutSecrets(job, reader.id)) : error
  })
  log.info(line, 'e-mail sent')
}

/** Leaves an e-mail's job for each of its readers; one each, however often the first is tried. */
export async function splitByReader(
  db: Db,
  job: Jobs['letter'],
  jobId: string,
  readers: readonly string[],
): Promise<void> {
  await transaction(db, async (tx) => {
    for (const reader of readers)
      await enqueue(tx, 'letter', { ...job, reader }, undefined, jobIdFor(jobId, reader))
  })
}

function emailOf(job: EmailJob): Email<EmailJob> {
  const email = (emails[job.to] as Partial<Record<string, Email<EmailJob>>> | undefined)?.[job.letter]
  if (!email) throw new Error(`no e-mail ${job.letter} goes to ${job.to}`)
  return email
}

async function lookUp<Job>(db: Db, email: Email<Job>, job: Job) {
  const now = new Date()
  const facts = await email.load(db, job, now)
  const isSent = facts && email.isRelevant(facts, now, job)
  return { facts, recipients: isSent ? await email.recipients(db, facts) : [] }
}

async function contextOf(db: Db, { BRAND, MAIL_FROM, baseUrl }: EmailEnv): Promise<EmailContext> {
  const { settings } = await currentStaffing(db)
  return { brand: BRAND, baseUrl, from: MAIL_FROM, settings }
}

async function deliver<Job>(
  transport: MailTransport,
  email: Email<Job>,
  facts: unknown,
  reader: Recipient,
  context: EmailContext,
  messageId: string,
) {
  const content = email.compose(facts, reader, context)
  const { calendar } = content
  const rendered = renderEmail(content, reader, context)
  await transport.send({ ...rendered, to: reader.email, messageId, ...(calendar && { calendar }) })
}

/** What an e-mail is about, for the log: the names of the job's own identifiers, and no key. */
function idsOf({ letter, to, ...about }: EmailJob) {
  const { token, ...ids } = { token: null, ...about }
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => typeof id === 'string'))
}

/** What may be kept of a job whose reader is known here: neither code nor mailbox. */
const withoutSecrets = ({ invitationId, letter }: AccountEmailJob, userId: string) =>
  userId || invitationId
    ? { letter, ...(userId && { userId }), ...(invitationId && { invitationId }) }
    : undefined

/** The same for each try of a job. */
const messageIdOf = (name: string, { baseUrl }: EmailEnv) => `<${name}@${new URL(baseUrl).hostname}>`

/** Always the same id for the same job and reader, made as RFC 9562 makes a version 8. */
function jobIdFor(jobId: string, reader: string): string {
  const hex = createHash('sha256').update(`${jobId} ${reader}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
  return [...parts, hex.slice(20, 32)].join('-')
}
