import { type SQL, sql } from 'drizzle-orm'
import { type Db, transaction } from '../platform/database/client.ts'
import type { AccountEmailJob, EmailJob } from '../platform/jobs/emails.ts'
import { enqueue, JobFailed, jobIdFor } from '../platform/jobs/jobs.ts'
import type { Jobs } from '../platform/jobs/queues.ts'
import { log, noteDropped } from '../platform/telemetry/log.ts'
import { homeNames, withProject } from '../projects/rules/homes.ts'
import { currentStaffing } from '../scheduling/roster.ts'
import { hasMailbox } from '../shared/mailbox.ts'
import { withinBudget } from './budget.ts'
import type { Email, EmailContext, EmailLink, EmailsOf, Recipient } from './email.ts'
import { accountEmails } from './emails/account.ts'
import { agencyEmails } from './emails/agency.ts'
import { appointmentEmails } from './emails/appointment.ts'
import { appointmentStaffEmails } from './emails/appointment-staff.ts'
import { caseEmails, projectEmails } from './emails/cfe.ts'
import { invoiceEmails } from './emails/invoice.ts'
import { offerEmails } from './emails/offers.ts'
import { moneyEmails } from './emails/payment.ts'
import { quoteEmails } from './emails/quote.ts'
import { homeLabel, renderEmail, shownPortrait } from './render-email.ts'
import type { AttachedPdf, MailTransport } from './transport.ts'

/** Every e-mail, by reader and kind: both are in its job. */
const emails: EmailsOf<EmailJob> = {
  customer: {
    ...appointmentEmails.customer,
    ...offerEmails.customer,
    ...quoteEmails.customer,
    ...moneyEmails.customer,
    ...invoiceEmails.customer,
    ...caseEmails.customer,
    ...projectEmails.customer,
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

/** What letters and notices need to know of the house. */
export type EmailEnv = { BRAND: string; baseUrl: string; MAIL_FROM: string }

/**
 * Sends the e-mail of a job, composed from current data. For several recipients `split` enqueues a job for each, so that
 * one failing mailbox neither delays nor repeats the others. An irrelevant e-mail is skipped. Throws when it was not
 * accepted; the retry uses the same Message-ID.
 */
export async function sendEmail(
  db: Db,
  env: EmailEnv,
  transport: MailTransport,
  { reader: only, ...job }: Jobs['letter'],
  jobId: string,
  { attach, notify, split }: Alongside,
): Promise<void> {
  const email = emailOf(job)
  const { facts, isSent, recipients } = await lookUp(db, email, job)
  if (!isSent) return noteDropped('letter', job.letter)
  const chosen = recipients.filter(({ id }) => id === only)
  const asked = { job, jobId, facts }
  const readers = only === undefined ? await notified(db, asked, recipients, notify) : chosen
  if (readers.length > 1) return split(readers.map(({ id }) => id))
  const [reader] = readers
  if (reader) {
    const context = await contextOf(db, env)
    const messageId = messageIdOf(`${jobId}.${reader.id}`, env)
    const noted = { readerId: job.to === 'customer' ? reader.id : '', letter: job.letter, jobId }
    const about = job.to === 'customer' ? await homeOf(db, job) : null
    // It holds what an unverified mailbox is not sent.
    const attached = reader.emailVerified ? await attach?.(job, reader.id) : null
    await deliver(
      transport,
      { ...email, compose: ofHome(email, about) },
      facts,
      { reader, attached },
      context,
      messageId,
    ).catch(async (error: unknown) => {
      await noteLetter(db, noted, 'failed')
      throw error instanceof JobFailed ? error.of(reader.id) : error
    })
    await noteLetter(db, noted, 'sent')
  }
  // Read by `npm run reconcile-emails`.
  const line = { job: jobId, letter: job.letter, sent: readers.length, reader: reader?.id, ...idsOf(job) }
  log.info(line, reader ? 'e-mail sent' : 'e-mail skipped: no recipient')
}

/** Those who may be written to now, after their devices: a mail server that takes nothing holds no notice back. */
async function notified(
  db: Db,
  asked: Parameters<typeof withinBudget>[1],
  recipients: readonly Recipient[],
  notify: Alongside['notify'],
): Promise<Recipient[]> {
  const readers = await withinBudget(db, asked, recipients)
  const ids = readers.map(({ id }) => id)
  await notify(ids, readers.length < recipients.length)
  return readers
}

/**
 * What is enqueued with an e-mail, by the ids of its recipients: a job for each of several, and notices to their devices;
 * and the document that goes with it.
 */
type Alongside = {
  split: (readers: readonly string[]) => Promise<void>
  /** `isHeld`: it is not sent to all of them now. */
  notify: (readers: readonly string[], isHeld: boolean) => Promise<void>
  attach?: (job: EmailJob, readerId: string) => Promise<AttachedPdf | null>
}

/** Where the letter of a job leads this reader; null where it is no longer true, or not theirs any more. */
export async function linkFor(
  db: Db,
  env: EmailEnv,
  job: EmailJob,
  readerId: string,
): Promise<string | null> {
  const email = emailOf(job)
  const { facts, recipients } = await lookUp(db, email, job)
  const reader = recipients.find(({ id }) => id === readerId)
  return reader ? email.compose(facts, reader, await contextOf(db, env)).link.href : null
}

/** Sends the e-mail of a job about an account. Throws when it was not accepted. */
export async function sendAccountEmail(
  db: Db,
  env: EmailEnv,
  transport: MailTransport,
  job: AccountEmailJob,
  jobId: string,
): Promise<void> {
  const email: Email<AccountEmailJob> | undefined = accountEmails[job.letter]
  // Of a kind that the version before sent.
  if (!email) return noteDropped('account-letter', job.letter)
  const { facts, isSent, recipients } = await lookUp(db, email, job)
  const [reader] = recipients
  const line = { job: jobId, letter: job.letter }
  if (!isSent) return noteDropped('account-letter', job.letter)
  if (!reader) return log.info(line, 'e-mail skipped: no recipient')
  const { settings, ...context } = await contextOf(db, env)
  // These e-mails contain no phone for any reader.
  const support = { ...settings.support, phone: '' }
  const messageId = messageIdOf(`${jobId}.account`, env)
  const noted = { readerId: reader.id, letter: job.letter, jobId }
  await deliver(
    transport,
    email,
    facts,
    { reader },
    { ...context, settings: { ...settings, support } },
    messageId,
  ).catch(async (error: unknown) => {
    await noteLetter(db, noted, 'failed')
    throw error instanceof JobFailed ? error.of(reader.id, withoutSecrets(job, reader.id)) : error
  })
  await noteLetter(db, noted, 'sent')
  log.info(line, 'e-mail sent')
}

/** Enqueues a job for each recipient of an e-mail; one each, also after retries. */
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
  const isSent = Boolean(facts && email.isRelevant(facts, now, job))
  const recipients = isSent ? await email.recipients(db, facts) : []
  return { facts, isSent, recipients: recipients.filter((one) => hasMailbox(one.email)) }
}

async function contextOf(db: Db, { BRAND, MAIL_FROM, baseUrl }: EmailEnv): Promise<EmailContext> {
  const { settings } = await currentStaffing(db)
  return { brand: BRAND, baseUrl, from: MAIL_FROM, settings }
}

async function deliver<Job>(
  transport: MailTransport,
  email: Email<Job>,
  facts: unknown,
  { attached, reader }: { reader: Recipient; attached?: AttachedPdf | null | undefined },
  context: EmailContext,
  messageId: string,
) {
  const content = email.compose(facts, reader, context)
  const { calendar } = content
  const portrait = shownPortrait(content, reader)
  const rendered = renderEmail(content, reader, context)
  await transport.send({
    ...rendered,
    to: reader.email,
    messageId,
    ...(calendar && { calendar }),
    ...(portrait && { portrait }),
    ...(attached && { attached }),
  })
}

/** The project of a letter to a customer, with the name of its home where they have others under way. */
type AboutHome = { projectId: string; name: string | null } | null

/** Where the row of a customer's letter names its project, by the id in the letter's job. */
const projectOf: Partial<Record<string, (id: string) => SQL>> = {
  appointmentId: (id) => sql`select project_id as id from appointments where id = ${id}`,
  offerId: (
    id,
  ) => sql`select wish.project_id as id from slot_offers offer join slot_wishes wish on wish.id = offer.wish_id where offer.id = ${id}
    union all select booked.project_id from move_offers offer join appointments booked on booked.id = offer.appointment_id where offer.id = ${id}`,
  quoteId: (id) => sql`select project_id as id from quotes where id = ${id}`,
  paymentId: (id) => sql`select project_id as id from payments where id = ${id}`,
  refundId: (id) => sql`select project_id as id from refunds where id = ${id}`,
  invoiceId: (id) => sql`select project_id as id from invoices where id = ${id}`,
  caseId: (id) => sql`select project_id as id from cfe_cases where id = ${id}`,
  projectId: (id) => sql`select ${id}::uuid as id`,
}

/** Which project a customer's letter is about; null for one about none, such as their fiscal data. */
async function homeOf(db: Db, job: EmailJob): Promise<AboutHome> {
  const [about] = Object.entries(job).flatMap(([name, id]) => projectOf[name]?.(String(id)) ?? [])
  if (!about) return null
  const { rows } = await db.execute<{
    id: string
    street: string | null
    outerNumber: string
    isIt: boolean
  }>(sql`
    with about as (${about})
    select project.id, home.street, home.outer_number as "outerNumber", project.id = own.id as "isIt"
    from about join projects own on own.id = about.id
      join projects project on project.customer_id = own.customer_id and (project.closed_at is null or project.id = own.id)
      left join addresses home on home.project_id = project.id and home.archived_at is null
    order by project.place`)
  const it = rows.find(({ isIt }) => isIt)
  return it ? { projectId: it.id, name: rows.length > 1 ? homeNames(rows).get(it.id)! : null } : null
}

/** Has the links of a letter lead to its project, and its facts name the home where there are several. */
const ofHome =
  ({ compose }: Email<EmailJob>, about: AboutHome): Email<EmailJob>['compose'] =>
  (facts, reader, context) => {
    const content = compose(facts, reader, context)
    if (!about) return content
    const { baseUrl } = context
    const named = <Link extends EmailLink>(link: Link): Link =>
      link.href.startsWith(baseUrl)
        ? { ...link, href: baseUrl + withProject(link.href.slice(baseUrl.length), about.projectId) }
        : link
    const saysHome = content.facts.some((fact) => fact?.[0] === homeLabel)
    return {
      ...content,
      facts: about.name && !saysHome ? [...content.facts, [homeLabel, about.name]] : content.facts,
      link: named(content.link),
      ...(content.links && { links: content.links.map(named) }),
    }
  }

type Noted = { readerId: string; letter: string; jobId: string }

const note = {
  name: 'note_letter',
  text: `insert into events (entity, entity_id, name, to_state, data)
    select 'letter', users.id, 'send', $2, jsonb_build_object('letter', $3::text, 'job', $4::text) from users
    where users.id = $1::uuid and users.role = 'customer' and not exists (select from events
      where entity = 'letter' and entity_id = users.id and to_state = $2 and data ->> 'job' = $4)`,
}

/** Keeps in a customer's history that a letter went to them, or could not; the letter itself must not go twice for it. */
async function noteLetter(
  db: Db,
  { jobId, letter, readerId }: Noted,
  state: 'sent' | 'failed',
): Promise<void> {
  if (!readerId) return
  await db.$client
    .query({ ...note, values: [readerId, state, letter, jobId] })
    .catch((err: unknown) => log.error({ err, job: jobId }, 'a letter is missing in its customer’s history'))
}

/** The ids of an e-mail's job for the log, without any secret. */
function idsOf({ letter, to, ...about }: EmailJob) {
  const { token, ...ids } = { token: null, ...about }
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => typeof id === 'string'))
}

/** The job's data that may be logged: neither code nor mailbox. */
const withoutSecrets = ({ invitationId, letter }: AccountEmailJob, userId: string) =>
  userId || invitationId
    ? { letter, ...(userId && { userId }), ...(invitationId && { invitationId }) }
    : undefined

/** The same Message-ID for each try of a job. */
const messageIdOf = (name: string, { baseUrl }: EmailEnv) => `<${name}@${new URL(baseUrl).hostname}>`
