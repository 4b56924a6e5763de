import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { retentionDays } from '../accounts/rules/privacy.ts'
import { externalSystems, limited } from '../platform/external.ts'
import { isLocalDemo } from '../platform/http/security.ts'
import { JobFailed } from '../platform/jobs/jobs.ts'
import { currentContext, log } from '../platform/telemetry/log.ts'
import { spanned } from '../platform/telemetry/spans.ts'
import { tidy } from '../shared/text.ts'
import type { CalendarAttachment } from './email.ts'

/** `messageId` identifies the e-mail, not the attempt: mail programs show a duplicate once. */
export type OutgoingEmail = {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  calendar?: CalendarAttachment
  /** A picture within the page, as JPEG: "cid:retrato". */
  portrait?: Uint8Array
  /** A document in PDF. */
  attached?: AttachedPdf
}

export type AttachedPdf = { filename: string; content: Uint8Array }

/** `send` throws when the e-mail was not accepted; it may be retried. */
export type MailTransport = { send: (email: OutgoingEmail) => Promise<void> }

type TransportEnv = {
  SMTP_URL?: string | undefined
  SMTP_AT_ONCE?: number
  SMTP_PER_SECOND?: number | undefined
  MAIL_FROM: string
  dataDir: string
}

// One plain address: no list, no display name, no line break.
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u
const identifier = /^<[\w.-]+@[^\s@<>\p{Cc}]+>$/u

/** The SMTP server of the environment, or without one the folder data/outbox. */
export function openMailTransport(env: TransportEnv): MailTransport {
  if (env.SMTP_URL) return traced(smtpTransport(env.SMTP_URL, env))
  log.info('SMTP_URL is not set: e-mails are written to the outbox folder')
  return traced(outboxTransport(outboxFolder(env.dataDir), env.MAIL_FROM))
}

/** Each e-mail is a span in its job's trace, without the recipient. */
const traced = ({ send }: MailTransport): MailTransport => ({
  send: (email) => spanned('send letter', { kind: 'client' }, () => send(email)),
})

/** Connections are kept while e-mails wait, no more of them than the provider allows. */
function smtpTransport(url: string, { MAIL_FROM, SMTP_AT_ONCE = 8, SMTP_PER_SECOND }: TransportEnv) {
  const { answer, connect } = externalSystems.mail
  const waiting = new Map<string, () => void>()
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: SMTP_AT_ONCE,
    // Once more where the server ended a connection that had been kept.
    maxRequeues: 1,
    idleTimeout: 500,
    ...(SMTP_PER_SECOND && { rateLimit: SMTP_PER_SECOND }),
    connectionTimeout: connect,
    greetingTimeout: connect,
    socketTimeout: answer,
    // Only its log tells when an e-mail that waited for others gets its connection.
    logger: {
      debug: ({ action, messageId }: Logged) => action === 'assign' && waiting.get(`<${messageId}>`)?.(),
    },
    ...ownContentOnly,
  })
  return {
    send: async (email: OutgoingEmail) => {
      const message = messageOf(email, MAIL_FROM)
      const { promise: begins, resolve } = Promise.withResolvers<void>()
      waiting.set(email.messageId, resolve)
      const ended = new AbortController()
      const sending = () => transport.sendMail({ ...message, signal: ended.signal })
      await limited('mail', sending, { begins })
        .catch(withoutRecipient)
        .finally(() => {
          waiting.delete(email.messageId)
          // A server that answers byte by byte is no idle socket.
          ended.abort()
        })
    },
  }
}

type Logged = { action?: string; messageId?: string }

function outboxTransport(folder: string, from: string): MailTransport {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...ownContentOnly,
  })
  return {
    send: async (email) => {
      const { message } = await transport.sendMail(messageOf(email, from))
      const time = new Date().toISOString().replace(/[:.]/g, '-')
      const name = email.messageId.slice(1, email.messageId.indexOf('@'))
      const file = path.join(folder, `${time}-${name}.eml`)
      const draft = `${file}.${randomUUID()}`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(draft, message, { mode: 0o600 })
      await rename(draft, file)
    },
  }
}

/** No part of an e-mail may be loaded from a file or URL. */
const ownContentOnly = { disableFileAccess: true, disableUrlAccess: true }

/** The message as sent; throws on a line break or a second recipient in a header. */
function messageOf(email: OutgoingEmail, from: string) {
  const { to, subject, text, html, messageId, attached, calendar, portrait } = email
  if (!mailbox.test(to)) throw new Error('an e-mail needs exactly one address')
  if (!identifier.test(messageId)) throw new Error('an e-mail needs a Message-ID')
  const { request } = currentContext()
  const headers = {
    'Auto-Submitted': 'auto-generated',
    'Content-Language': 'es-MX',
    // Identifies the request that caused the e-mail, for support.
    ...(request && { 'X-Request-Id': request }),
  }
  return {
    from,
    to: { name: '', address: to },
    subject: tidy(subject),
    text,
    html,
    messageId,
    headers,
    // Both as a part that mail programs import and as an attachment.
    ...(calendar && { icalEvent: { ...calendar, filename: 'invite.ics' } }),
    attachments: [
      ...(portrait ? [inline(portrait)] : []),
      ...(attached
        ? [{ ...attached, content: Buffer.from(attached.content), contentType: 'application/pdf' }]
        : []),
    ],
  }
}

const inline = (jpeg: Uint8Array) => ({
  cid: 'retrato',
  content: Buffer.from(jpeg),
  contentType: 'image/jpeg',
  contentDisposition: 'inline' as const,
  filename: 'tu-tecnico.jpg',
})

/**
 * Reduces an SMTP error to its codes: servers quote the recipient in their responses, and errors are logged and stored with
 * the job. A permanent refusal of a mailbox (5xx to RCPT, RFC 5321 4.2.1) is not retried.
 */
function withoutRecipient(error: unknown): never {
  const { code = 'unknown', responseCode = 0, command = '' } = error as Answer
  const final = command === 'RCPT TO' && responseCode >= 500
  const what = final ? 'the mail server refuses the mailbox' : 'the mail server did not take the e-mail'
  throw new JobFailed(`${what}: ${code} ${responseCode || ''}`.trimEnd(), { final })
}

type Answer = { code?: string; responseCode?: number; command?: string }

/** An e-mail of the outbox folder; `file` is its name there. */
export type KeptEmail = { file: string; at: Date; subject: string; to: string; text: string }

/** The e-mails on the development page. */
const MAX_SHOWN = 50
const fileName = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-[\w.-]+\.eml$/

/** The folder for e-mails without a mail server. */
const outboxFolder = (dataDir: string) => path.join(dataDir, 'outbox')

/**
 * The folder of the development page, or null without such a page. It shows all e-mails to any visitor: only with the demo
 * world, without a mail server, and reachable only from this machine.
 */
export function readableOutbox(
  env: Parameters<typeof isLocalDemo>[0] & Pick<TransportEnv, 'SMTP_URL' | 'dataDir'>,
): string | null {
  return !env.SMTP_URL && isLocalDemo(env) ? outboxFolder(env.dataDir) : null
}

/** The newest e-mails of the outbox, newest first. */
export async function newestEmails(folder: string): Promise<KeptEmail[]> {
  const files = (await readdir(folder).catch(none)).filter((file) => fileName.test(file))
  const newest = files.sort().reverse().slice(0, MAX_SHOWN)
  const emails = await Promise.all(newest.map((file) => keptEmail(folder, file)))
  return emails.filter((email) => email !== null)
}

/** One e-mail by its file's name; null when there is none. */
export async function keptEmail(folder: string, file: string): Promise<KeptEmail | null> {
  const at = timeOf(file)
  if (!at) return null
  const source = await readFile(path.join(folder, file)).catch(() => null)
  if (source === null) return null
  const { subject = '', text = '', to } = await PostalMime.parse(source)
  return { file, at, subject, to: to?.[0]?.address ?? '', text: text.trim() }
}

/** The time in a file name of the outbox; null for any other name, above all one that leaves the folder. */
function timeOf(file: string): Date | null {
  const [, day, hour, minute, second, thousandth] = fileName.exec(file) ?? []
  return day ? new Date(`${day}T${hour}:${minute}:${second}.${thousandth}Z`) : null
}

function none(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Deletes old e-mails of the outbox folder; returns how many. */
export async function deleteOldEmails(dataDir: string, now: Date): Promise<number> {
  const folder = outboxFolder(dataDir)
  const before = now.getTime() - retentionDays.letterFiles * 24 * 60 * 60 * 1000
  let count = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name)
    const written = await stat(file).catch(() => null)
    if (!written?.isFile() || written.mtimeMs >= before) continue
    await rm(file, { force: true })
    count++
  }
  return count
}
