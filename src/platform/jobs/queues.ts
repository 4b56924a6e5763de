import type { Service } from '../../appointments/rules/appointment.ts'
import { seal, sealingKey, unseal } from '../http/sealing.ts'
import { currentContext, type RequestContext } from '../telemetry/log.ts'
import { type Carrier, carrier } from '../telemetry/spans.ts'
import { type AccountEmailJob, type EmailJob, type EmailKind, priorityOfEmail } from './emails.ts'

/** The queues of e-mails. */
export const emailQueues = ['letter', 'account-letter'] as const

/** Each kind of job with its data: as little as needed, since the handler reads the rest when it runs. */
export type Jobs = {
  /** An e-mail to all of its readers, or to one of them. */
  letter: EmailJob & { reader?: string }
  'account-letter': AccountEmailJob
  'confirm-provisional': Record<string, never>
  'expire-moves': Record<string, never>
  'let-unverified-go': Record<string, never>
  'end-missed-calls': Record<string, never>
  remind: Record<string, never>
  'end-quotes': Record<string, never>
  /**
   * A start that opened, as ISO text: for customers who want an earlier one. `once`: it is not passed on to the next in
   * line.
   */
  'offer-freed-slot': { service: Service; startsAt: string; once?: boolean }
  'look-for-earlier': Record<string, never>
  /** What becomes of the fee of a visit that the office cancelled, once that can't be undone. */
  'end-fee': { appointmentId: string; email?: 'cancelled' | 'no_show' }
  /** Ends expired demands, and sends due reminders. */
  'end-payments': Record<string, never>
  /** Has an invoice stamped, where a stamping service is set up. */
  'stamp-invoice': { invoiceId: string }
  'follow-invoices': Record<string, never>
  'clean-up': Record<string, never>
  'erase-accounts': Record<string, never>
  /** Deletes personal data past their retention. */
  'forget-old': Record<string, never>
  'sweep-files': Record<string, never>
  /** An approved refund of a card payment. */
  'refund-card': { refundId: string }
  'reconcile-cards': Record<string, never>
  /** Expires codes past their last day. */
  'end-codes': Record<string, never>
  /** Updates the stages of agencies' clients, where data changed. */
  'follow-clients': Record<string, never>
  'follow-commissions': Record<string, never>
  /** Opens the CFE cases that accepted quotes need. */
  'open-cases': Record<string, never>
  /** What CFE granted is used, once the step of its case can't be undone; `since`: its turn, which the version before sent not. */
  'follow-grant': { caseId: string; actorId: string; since?: string }
  'send-webhook': { deliveryId: string } & ToReceiver
  /** Asks for the calendars of staff that are due. */
  'read-calendars': Record<string, never>
  'read-calendar': { calendarId: string } & ToReceiver
  /** A row of whatsapp_messages, with the e-mail of the same notice. */
  whatsapp: { messageId: string; letter: EmailJob }
  /** The notice of a letter to a row of push_subscriptions. */
  push: { subscriptionId: string; letter: EmailJob; letterId: string } & ToReceiver
}

/** Whose server is asked: few jobs of one receiver run at once. The version before sent none. */
type ToReceiver = { receiver?: string }

/** The receiver behind an address: devices share the service of their browser's maker, endpoints their host. */
export const receiverOf = (address: string): string => new URL(address).host

/** The data by which a job is chosen among those that wait. */
export function orderOf(data: object): { priority?: number; group?: { id: string } } {
  const { letter, receiver } = data as { letter?: EmailJob | EmailKind } & ToReceiver
  const kind = typeof letter === 'object' ? letter.letter : letter
  return {
    ...(kind && { priority: priorityOfEmail(kind) }),
    ...(receiver && { group: { id: receiver } }),
  }
}

/** The queue of jobs that failed too often. */
export const deadLetters = 'dead-letters'

/** A failed job is retried this often, after growing waits. */
const patient = { retryLimit: 8, retryDelay: 15, retryBackoff: true }

/**
 * About four hours, at most a quarter of an hour between two tries: mail servers may be down for longer than an hour.
 */
const enduring = { ...patient, retryLimit: 24, retryDelayMax: 900 }
export const queues = {
  letter: { ...enduring, deadLetter: deadLetters },
  // It may contain an e-mail: it is not kept once sent, and not for long when it cannot be sent.
  'account-letter': { ...patient, deleteAfterSeconds: 3600 },
  'confirm-provisional': { ...patient, deadLetter: deadLetters },
  'expire-moves': { ...patient, deadLetter: deadLetters },
  'let-unverified-go': { ...patient, deadLetter: deadLetters },
  // The next round repeats a failed one.
  'end-missed-calls': { retryLimit: 0 },
  remind: { retryLimit: 0 },
  // The next round repeats a failed one.
  'end-quotes': { retryLimit: 0 },
  'end-payments': { retryLimit: 0 },
  'offer-freed-slot': { ...patient, deadLetter: deadLetters },
  // The next round repeats a failed one.
  'look-for-earlier': { retryLimit: 0 },
  'end-fee': { ...patient, deadLetter: deadLetters },
  'stamp-invoice': { ...patient, deadLetter: deadLetters },
  // The next round repeats a failed one.
  'follow-invoices': { retryLimit: 0 },
  'clean-up': { ...patient, deadLetter: deadLetters },
  'erase-accounts': { ...patient, deadLetter: deadLetters },
  'forget-old': { ...patient, deadLetter: deadLetters },
  // The next round repeats a failed one.
  'sweep-files': { retryLimit: 0 },
  'refund-card': { ...patient, deadLetter: deadLetters },
  // The next round repeats a failed one.
  'reconcile-cards': { retryLimit: 0 },
  // The next round repeats a failed one.
  'end-codes': { retryLimit: 0 },
  'follow-clients': { retryLimit: 0 },
  'follow-commissions': { retryLimit: 0 },
  'open-cases': { retryLimit: 0 },
  'follow-grant': { ...patient, deadLetter: deadLetters },
  'send-webhook': { ...patient, deadLetter: deadLetters },
  // The next round repeats a failed one.
  'read-calendars': { retryLimit: 0 },
  'read-calendar': { retryLimit: 0 },
  // Its letter was sent anyway: an undelivered message needs no action.
  whatsapp: patient,
  push: patient,
} satisfies Record<keyof Jobs, object>
export const names = Object.keys(queues) as (keyof Jobs)[]

/**
 * Jobs that run every so many minutes, counted from midnight in Mexico City and `at` minutes later; and once at the start:
 * work that fell due while no process ran does not wait for the next round.
 */
export const rounds = {
  'confirm-provisional': { minutes: 5 },
  'expire-moves': { minutes: 1 },
  'let-unverified-go': { minutes: 5 },
  'end-missed-calls': { minutes: 1 },
  'look-for-earlier': { minutes: 10 },
  remind: { minutes: 1 },
  'end-quotes': { minutes: 5 },
  'end-payments': { minutes: 5 },
  'follow-invoices': { minutes: 10 },
  'clean-up': { minutes: 60, at: 17 },
  'erase-accounts': { minutes: 60, at: 37 },
  'forget-old': { minutes: 1_440, at: 4 * 60 + 11 },
  'sweep-files': { minutes: 1_440, at: 3 * 60 + 41 },
  'reconcile-cards': { minutes: 5 },
  'end-codes': { minutes: 5 },
  'follow-clients': { minutes: 1 },
  'follow-commissions': { minutes: 60, at: 23 },
  'open-cases': { minutes: 1 },
  'read-calendars': { minutes: 1 },
} as const satisfies Partial<Record<keyof Jobs, { minutes: number; at?: number }>>
export type Round = keyof typeof rounds

/** Queues of which a process runs more than one job at once: those that wait for an external server. */
export const atOnce: Partial<Record<keyof Jobs, number>> = {
  letter: 8,
  'account-letter': 4,
  'send-webhook': 25,
  'read-calendar': 4,
  whatsapp: 25,
  push: 25,
}

/** The metadata of a job: the request that sent it and its customer, its trace, and its secret data. */
type Envelope = { cause?: Cause & Carrier; secrets?: string }
type Cause = Pick<RequestContext, 'request' | 'by'>

/** Data that opens something for its holder: a letter's code, the token of a link. */
const isSecret = (name: string) => name === 'code' || name === 'token'

let key: Buffer | undefined

/** Ended and failed jobs stay in the database: their secrets are encrypted there. */
export function setJobSecret(secret: string): void {
  key = sealingKey(secret, 'jobs')
}

/** A job's data as stored. A scheduled job has no sender, and nothing is added. */
export function wrapJob<Data extends object>(data: Data): object {
  const fields = Object.entries(data)
  const secrets = fields.filter(([name, value]) => isSecret(name) && value !== undefined)
  const { by, request } = currentContext()
  const cause = { ...(request && { request }), ...(by && { by }), ...carrier() }
  if (secrets.length === 0 && Object.keys(cause).length === 0) return data
  return {
    ...Object.fromEntries(fields.filter(([name]) => !isSecret(name))),
    ...(secrets.length > 0 && { secrets: seal(theKey(), JSON.stringify(Object.fromEntries(secrets))) }),
    ...(Object.keys(cause).length > 0 && { cause }),
  }
}

/** The data of a job for its handler, and its metadata. Secrets encrypted with another key are missing. */
export function unwrapJob<Data extends object>(
  kept: Data,
): {
  data: Data
  caused: Cause
  carried: Carrier | undefined
} {
  const { cause, secrets, ...data } = kept as Data & Envelope
  const { by, request, ...carried } = cause ?? {}
  const found: object = JSON.parse((secrets && unseal(theKey(), secrets)) || '{}')
  return {
    data: { ...data, ...found } as unknown as Data,
    caused: { ...(request && { request }), ...(by && { by }) },
    carried: carried.traceparent ? carried : undefined,
  }
}

function theKey(): Buffer {
  if (!key) throw new Error('jobs were given no key for their secrets')
  return key
}
