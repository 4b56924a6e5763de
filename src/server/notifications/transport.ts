import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import { tidy } from '../../domain/tidy.ts'
import type { Env } from '../env.ts'
import { JobFailed } from '../jobs/failed.ts'
import { log } from '../log.ts'
import { currentCause } from '../telemetry/cause.ts'
import { spanned } from '../telemetry/spans.ts'
import { outboxFolder } from './outbox.ts'

/** `messageId` names the letter, not the attempt: whoever gets the same letter twice can tell. */
export type Letter = {
  to: string
  subject: string
  text: string
  html: string
  messageId: string
  /** A calendar file that goes with it. */
  calendar?: { method: 'REQUEST' | 'CANCEL'; content: string }
}

/** The way letters leave. `send` throws when the letter was not taken, and then it may be sent again. */
export type Post = { send: (letter: Letter) => Promise<void> }

type PostEnv = Pick<Env, 'SMTP_URL' | 'MAIL_FROM' | 'dataDir'>

// One mailbox and nothing else: no list, no display name, no line break.
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u
const identifier = /^<[\w.-]+@[^\s@<>\p{Cc}]+>$/u

/** Opens the post: the SMTP server of the environment, or without one the folder data/outbox. */
export function openPost(env: PostEnv): Post {
  if (env.SMTP_URL) return followed(smtpPost(env.SMTP_URL, env.MAIL_FROM))
  log.info('SMTP_URL is not set: letters are written to the outbox folder')
  return followed(outboxPost(outboxFolder(env.dataDir), env.MAIL_FROM))
}

/** Each letter is a part of its job's trace; whom it goes to is nobody's there. */
const followed = ({ send }: Post): Post => ({
  send: (letter) => spanned('send letter', { kind: 'client' }, () => send(letter)),
})

function smtpPost(url: string, from: string): Post {
  const transport = createTransport({
    url,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    ...ownContentOnly,
  })
  return {
    send: async (letter) => {
      const message = messageOf(letter, from)
      await transport.sendMail(message).catch(withoutRecipient)
    },
  }
}

function outboxPost(folder: string, from: string): Post {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...ownContentOnly,
  })
  return {
    send: async (letter) => {
      const { message } = await transport.sendMail(messageOf(letter, from))
      const time = new Date().toISOString().replace(/[:.]/g, '-')
      const file = path.join(
        folder,
        `${time}-${letter.messageId.slice(1, letter.messageId.indexOf('@'))}.eml`,
      )
      const draft = `${file}.${randomUUID()}`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(draft, message, { mode: 0o600 })
      await rename(draft, file)
    },
  }
}

/** No part of a letter may name a file or an address to be fetched. */
const ownContentOnly = { disableFileAccess: true, disableUrlAccess: true }

/** The message as it leaves; throws rather than let a line break or a second recipient into a header. */
function messageOf({ to, subject, text, html, messageId, calendar }: Letter, from: string) {
  if (!mailbox.test(to)) throw new Error('a letter needs exactly one e-mail address')
  if (!identifier.test(messageId)) throw new Error('a letter needs a Message-ID')
  const { request } = currentCause()
  const headers = {
    ...{ 'Auto-Submitted': 'auto-generated', 'Content-Language': 'es-MX' },
    // Whoever shows us a letter shows us which request it comes from.
    ...(request && { 'X-Request-Id': request }),
  }
  return {
    ...{ from, to: { name: '', address: to }, subject: tidy(subject), text, html, messageId, headers },
    // Both as a part that mail programs take into the calendar and as a file that people open.
    ...(calendar && { icalEvent: { ...calendar, filename: 'invite.ics' } }),
  }
}

/**
 * Mail servers quote the recipient in what they answer, and errors are logged and kept with the job: codes only. A mailbox
 * that the server refuses for good (5xx to RCPT, RFC 5321 4.2.1) would be refused as well the next time.
 */
function withoutRecipient(error: unknown): never {
  const { code = 'unknown', responseCode = 0, command = '' } = error as Answer
  const final = command === 'RCPT TO' && responseCode >= 500
  const what = final ? 'the mail server refuses the mailbox' : 'the mail server did not take the letter'
  throw new JobFailed(`${what}: ${code} ${responseCode || ''}`.trimEnd(), { final })
}

type Answer = { code?: string; responseCode?: number; command?: string }
